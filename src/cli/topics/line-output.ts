import { once } from 'node:events'
import type { Writable } from 'node:stream'

/** Lines to a stream at the pace of whoever reads it. */
export interface LineOutput {
  /** Resolves once there is room for more; without effect after the reader has gone. */
  write(line: string): Promise<void>
  /** Aborted when the reader has gone, such as `head` in a pipe: there is nobody left to write for. */
  readonly gone: AbortSignal
  release(): void
}

export function createLineOutput(stream: Writable): LineOutput {
  const controller = new AbortController()
  const end = (): void => controller.abort()
  stream.on('error', end)
  stream.on('close', end)
  return {
    gone: controller.signal,
    async write(line) {
      if (controller.signal.aborted || stream.write(`${line}\n`)) return
      await once(stream, 'drain', { signal: controller.signal }).catch((error: unknown) => {
        if (!controller.signal.aborted) throw error
      })
    },
    release() {
      stream.off('error', end)
      stream.off('close', end)
    },
  }
}
