import { frameHeaderBytes } from '#src/adapters/solc/child/frames.ts'

/** What a compiler's process said. */
export interface Frame {
  readonly kind: number
  readonly text: string
}

/** Puts frames together from the pieces they come in. Throws where one says that it is longer than `lengthMax`. */
export function createFrameReader(lengthMax: number): (piece: Buffer) => Frame[] {
  let pieces: Buffer[] = []
  let held = 0
  /** What has to be there before it is worth looking. */
  let wanted = frameHeaderBytes
  return (piece) => {
    pieces.push(piece)
    held += piece.length
    const frames: Frame[] = []
    while (held >= wanted) {
      const all = Buffer.concat(pieces)
      const length = all.readUInt32BE(1)
      if (length > lengthMax) throw new Error(`a message of ${length} bytes`)
      const end = frameHeaderBytes + length
      const isWhole = held >= end
      if (isWhole) frames.push({ kind: all[0] ?? 0, text: all.toString('utf8', frameHeaderBytes, end) })
      pieces = [isWhole ? all.subarray(end) : all]
      held -= isWhole ? end : 0
      wanted = isWhole ? frameHeaderBytes : end
    }
    return frames
  }
}
