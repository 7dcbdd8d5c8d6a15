import type { SimulatedBlock } from '#src/simulator/block-files.ts'
import type { SimulatedNetwork } from '#src/simulator/network.ts'
import type { NetworkFolder } from '#src/simulator/network-folder.ts'
import type { ResolvedOptions } from '#src/simulator/resolved-options.ts'

interface KeptBlock {
  readonly number: number
  /** Name of its record file, if it has one. */
  readonly record: string | undefined
}

/** The newest blocks of a folder, of which the oldest makes room for each that comes; 0 keeps all. */
export class KeptBlocks {
  readonly #folder: NetworkFolder
  readonly #options: ResolvedOptions
  readonly #most: number
  readonly #kept: KeptBlock[]

  constructor(folder: NetworkFolder, network: SimulatedNetwork, most: number) {
    this.#folder = folder
    this.#options = network.options
    this.#most = most
    this.#kept = most > 0 ? found(folder, network) : []
  }

  add({ number, stream, name }: SimulatedBlock): void {
    if (this.#most === 0) return
    this.#kept.push({ number, record: stream === 'records' ? name : undefined })
    while (this.#kept.length > this.#most) this.#remove(this.#kept.shift())
  }

  #remove(block: KeptBlock | undefined): void {
    if (block?.record !== undefined) this.#folder.removeRecordFile(block.record, this.#options.nodes)
    if (block) this.#folder.removeBlock(this.#options.network, block.number)
  }
}

/** Record files have no gaps and end where blocks begin, which says their numbers; some are there in both forms. */
function found(folder: NetworkFolder, { options, firstBlock, nextNumber }: SimulatedNetwork): KeptBlock[] {
  const names = folder.recordNames()
  const first = (firstBlock ?? nextNumber) - names.length
  const records = new Map(names.map((name, index) => [first + index, name]))
  const numbers = new Set([...records.keys(), ...folder.blockNumbers(options.network)])
  return [...numbers].sort((left, right) => left - right).map((number) => ({ number, record: records.get(number) }))
}
