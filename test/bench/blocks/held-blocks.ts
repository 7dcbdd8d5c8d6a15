import { zstdDecompressSync } from 'node:zlib'
import type { SimulatedBlock } from '#src/simulator/block-files.ts'
import type { BlockStore } from '#src/simulator/block-node/block-store.ts'

/** Blocks of a simulated network from number 0 on, of which a block node serves those that were published. */
export class HeldBlocks implements BlockStore {
  readonly #blocks: Uint8Array[] = []
  readonly #waiting = new Set<() => void>()

  publish(block: Uint8Array): void {
    this.#blocks.push(block)
    for (const resolve of this.#waiting) resolve()
  }

  range(): { readonly first: bigint; readonly last: bigint } | undefined {
    const { length } = this.#blocks
    return length === 0 ? undefined : { first: 0n, last: BigInt(length - 1) }
  }

  read(number: bigint): Uint8Array | undefined {
    return this.#blocks[Number(number)]
  }

  async changed(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.add(resolve)
    signal.addEventListener('abort', () => resolve(), { once: true })
    if (signal.aborted) resolve()
    await promise
    this.#waiting.delete(resolve)
  }
}

/** The serialized Block in the one file that a block of blocks has. */
export function bytesOf({ files }: SimulatedBlock): Uint8Array {
  const [file] = files
  if (!file) throw new Error('the block has no file')
  return zstdDecompressSync(file.bytes)
}
