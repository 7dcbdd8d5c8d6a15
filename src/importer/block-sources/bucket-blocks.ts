import { blockName, blockPath } from '#src/domain/block-name.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { unpackBlockFile } from '#src/importer/block/unpack-block-file.ts'
import type { BlockRequest, BlockSupply } from '#src/importer/block-sources/block-supply.ts'
import type { SourceBlock } from '#src/ports/block-node.ts'
import type { StreamSource } from '#src/ports/stream-source.ts'

export interface BucketBlocksOptions {
  readonly source: StreamSource
  readonly network: string
  /** Folder that holds `block/`; undefined: the newest run of the network. */
  readonly folder: string | undefined
  /** Of a block, unpacked. */
  readonly blockBytesMax: number
  /** Blocks fetched ahead of the one that is asked for. */
  readonly aheadMax: number
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/** Forms in which buckets keep blocks, the network's own first. */
const extensions = ['.zstd', '', '.gz'] as const
const runsMax = 1_000

/**
 * Blocks as files in a bucket or a folder that is laid out like one. Nothing is listed but its top folders, once: the next
 * number is asked for, and what is not there is not there yet.
 */
export class BucketBlocks implements BlockSupply {
  readonly #options: BucketBlocksOptions
  #folder: string | undefined
  /** That the last block had; the others are asked for too only where it is not known. */
  #extension: string | undefined

  constructor(options: BucketBlocksOptions) {
    this.#options = options
    this.#folder = options.folder
  }

  async *blocks({ from, through, signal }: BlockRequest): AsyncGenerator<SourceBlock, void, undefined> {
    const ahead: Promise<SourceBlock | undefined>[] = []
    let next = from
    for (let wanted = from; through === undefined || wanted <= through; wanted++) {
      // One at first: most often it is the newest, and nothing is behind it.
      const count = wanted === from ? 1 : this.#options.aheadMax
      for (; ahead.length < count && (through === undefined || next <= through); next++)
        ahead.push(this.#begin(next, signal))
      const block = await ahead.shift()
      if (block === undefined) return
      yield block
    }
  }

  async fetch(number: bigint, signal?: AbortSignal): Promise<SourceBlock | undefined> {
    const { source, blockBytesMax, now } = this.#options
    const folder = await this.#foundFolder(signal)
    if (folder === undefined) throw noBlockFolder(source.description, this.#options.network)
    const headerAt = now()
    for (const extension of this.#extension === undefined ? extensions : [this.#extension]) {
      const path = `${folder}/block/${blockPath(number)}.blk${extension}`
      const bytes = await source.fetch(path, { bytesMax: blockBytesMax, signal })
      // One that is still being copied comes as an empty file first.
      if (!bytes || bytes.length === 0) continue
      this.#extension = extension
      const piece = unpackBlockFile(`${path} of ${source.description}`, bytes, blockBytesMax)
      const name = `${blockName(number)}${extension}`
      return {
        number,
        name,
        pieces: [piece],
        size: bytes.length,
        origin: source.description,
        headerAt,
        completeAt: now(),
      }
    }
    return undefined
  }

  get description(): string {
    return this.#options.source.description
  }

  /** It ends where there are no more. */
  async newest(): Promise<undefined> {}

  async waitForChange(maxMs: number, signal?: AbortSignal): Promise<void> {
    await this.#options.source.waitForChange(maxMs, signal)
  }

  /** There is no other copy in a bucket; another form may come where this one is taken away. */
  refused(): boolean {
    this.#extension = undefined
    return false
  }

  accepted(): void {}

  /** Awaited later, or never: a failure must not count as unhandled meanwhile. */
  #begin(number: bigint, signal: AbortSignal | undefined): Promise<SourceBlock | undefined> {
    const fetching = this.fetch(number, signal)
    fetching.catch(() => undefined)
    return fetching
  }

  async #foundFolder(signal: AbortSignal | undefined): Promise<string | undefined> {
    if (this.#folder !== undefined) return this.#folder
    const { source, network } = this.#options
    const folders = await source.listFolders('', runsMax, signal)
    this.#folder = newestRun(network, folders)
    return this.#folder
  }
}

/** A network that is reset goes on in a folder `<network>-<time>`; the greatest name is the newest run. */
export function newestRun(network: string, folders: readonly string[]): string | undefined {
  const runs = folders.filter(
    (name) => name === network || (name.startsWith(`${network}-`) && name.length > network.length + 1),
  )
  return runs.sort().at(-1)
}

function noBlockFolder(source: string, network: string): LedgerError {
  return new LedgerError(
    'source_unavailable',
    `${source} has no folder of blocks of the network "${network}"; check --block-source, --network, or name the folder with --block-folder`,
    { source, network },
  )
}
