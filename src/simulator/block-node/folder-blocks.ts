import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import type { BlockStore } from '#src/simulator/block-node/block-store.ts'
import { blockFolder, blockSuffix, bucketPath } from '#src/simulator/blocks/block-name.ts'

/** The blocks that a simulated network has written into its folder. */
export class FolderBlocks implements BlockStore {
  readonly #folder: string
  readonly #network: string
  readonly #waiting = new Set<() => void>()

  constructor(folder: string, network: string) {
    this.#folder = folder
    this.#network = network
  }

  range(): { readonly first: bigint; readonly last: bigint } | undefined {
    const first = this.#outermost(0)
    const last = this.#outermost(-1)
    return first === undefined || last === undefined ? undefined : { first, last }
  }

  read(number: bigint): Uint8Array | undefined {
    const file = join(this.#folder, bucketPath(this.#network, Number(number)))
    return existsSync(file) ? zstdDecompressSync(readFileSync(file)) : undefined
  }

  async changed(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.add(resolve)
    signal.addEventListener('abort', () => resolve(), { once: true })
    if (signal.aborted) resolve()
    await promise
    this.#waiting.delete(resolve)
  }

  /** To be told when a block was written. */
  added(): void {
    for (const resolve of this.#waiting) resolve()
  }

  /** Number of the first (0) or the last (-1) block: folders and files of the names' width sort as their numbers do. */
  #outermost(end: 0 | -1): bigint | undefined {
    let path = join(this.#folder, blockFolder(this.#network))
    let digits = ''
    while (existsSync(path) && !path.endsWith(blockSuffix)) {
      const name = readdirSync(path)
        .filter((entry) => /^\d+(?:\.blk\.zstd)?$/.test(entry))
        .sort()
        .at(end)
      if (name === undefined) return undefined
      digits += name.replace(blockSuffix, '')
      path = join(path, name)
    }
    return digits === '' ? undefined : BigInt(digits)
  }
}
