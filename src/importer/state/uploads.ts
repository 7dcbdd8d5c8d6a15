import type { TransactionRecorded } from '#schemas/events/types.ts'

/** A call's data is uploaded right before the call, so that what was uploaded last is all that anybody asks for. */
const bytesMax = 16 << 20
/** What a file counts for besides its contents, so that many small ones are bounded, too. */
const bytesPerFile = 4 << 10

type FileFacts = Pick<TransactionRecorded, 'entityId' | 'fileCreate' | 'fileUpdate' | 'fileAppend' | 'fileDelete'>

/** Contents of the files that were written last, the one that was not written for longest first. */
export class Uploads {
  readonly #contents = new Map<bigint, Buffer>()
  readonly #changed = new Set<bigint>()
  readonly #removed = new Set<bigint>()
  #bytes = 0

  contentsOf(file: bigint): Buffer | undefined {
    return this.#contents.get(file)
  }

  /** Takes in a successful transaction that is about a file. */
  apply({ entityId, fileCreate, fileUpdate, fileAppend, fileDelete }: FileFacts): void {
    if (entityId === null) return
    if (fileDelete) this.#remove(entityId)
    const contents = (fileCreate ?? fileUpdate ?? fileAppend)?.contents
    if (contents === undefined || (fileUpdate && contents.length === 0)) return
    const before = fileAppend ? this.#contents.get(entityId) : undefined
    // The beginning is gone, or lies before the log.
    if (fileAppend && before === undefined) return
    this.#put(entityId, before ? Buffer.concat([before, contents]) : Buffer.from(contents))
  }

  /** Ids of the files that are kept, in order. */
  get files(): bigint[] {
    return [...this.#contents.keys()]
  }

  restore(file: bigint, contents: Buffer): void {
    this.#contents.set(file, contents)
    this.#bytes += bytesPerFile + contents.length
  }

  /** What changed since the last call. */
  takeChanges(): { readonly changed: readonly (readonly [bigint, Buffer])[]; readonly removed: readonly bigint[] } {
    const changed = [...this.#changed].map((file) => [file, this.#contents.get(file)!] as const)
    const removed = [...this.#removed]
    this.#changed.clear()
    this.#removed.clear()
    return { changed, removed }
  }

  #put(file: bigint, contents: Buffer): void {
    this.#remove(file)
    this.#contents.set(file, contents)
    this.#bytes += bytesPerFile + contents.length
    this.#changed.add(file)
    this.#removed.delete(file)
    for (const oldest of this.#contents.keys()) {
      if (this.#bytes <= bytesMax) return
      this.#remove(oldest)
    }
  }

  #remove(file: bigint): void {
    const contents = this.#contents.get(file)
    if (contents === undefined) return
    this.#contents.delete(file)
    this.#bytes -= bytesPerFile + contents.length
    this.#changed.delete(file)
    this.#removed.add(file)
  }
}
