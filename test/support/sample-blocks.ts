import type { BlockStore } from '#src/simulator/block-node/block-store.ts'
import { encode } from '#src/simulator/codec.ts'

export interface SampleBlock {
  readonly number: bigint
  /** Milliseconds since the epoch of its header. */
  readonly time?: number
  readonly transactions?: number
  readonly transactionBytes?: number
  /** Makes blocks of the same number differ. */
  readonly chain?: string
}

/** A small serialized block: header, transactions, footer. It proves nothing. */
export function sampleBlock({
  number,
  time = 1_700_000_000_000 + Number(number) * 2_000,
  transactions = 3,
  transactionBytes = 40,
  chain = 'main',
}: SampleBlock): Buffer {
  const blockTimestamp = { seconds: Math.floor(time / 1_000), nanos: (time % 1_000) * 1_000_000 }
  const signed = (index: number) => ({
    signedTransaction: Buffer.alloc(transactionBytes, `${chain} ${number} ${index}`),
  })
  const items = [
    { blockHeader: { hapiProtoVersion: { minor: 78 }, number: Number(number), blockTimestamp } },
    ...Array.from({ length: transactions }, (_, index) => signed(index)),
    { blockFooter: { previousBlockRootHash: Buffer.alloc(48, `${chain} ${number}`) } },
  ]
  return Buffer.from(encode('com.hedera.hapi.block.stream.Block', { items }))
}

/** Blocks in memory, as a simulated block node serves them. */
export class SampleStore implements BlockStore {
  readonly #blocks = new Map<bigint, Buffer>()
  readonly #waiting = new Set<() => void>()
  readonly #template: Partial<SampleBlock>

  constructor(template: Partial<SampleBlock> = {}) {
    this.#template = template
  }

  /** Numbers from the first to the last. */
  fill(first: bigint, last: bigint): this {
    for (let number = first; number <= last; number++) this.add(sampleBlock({ ...this.#template, number }), number)
    return this
  }

  add(block: Buffer, number: bigint): void {
    this.#blocks.set(number, block)
    for (const wake of this.#waiting) wake()
  }

  get(number: bigint): Buffer {
    const block = this.#blocks.get(number)
    if (!block) throw new Error(`there is no sample block ${number}`)
    return block
  }

  range() {
    const numbers = [...this.#blocks.keys()]
    const [first] = numbers
    const last = numbers.at(-1)
    return first === undefined || last === undefined ? undefined : { first, last }
  }

  read(number: bigint): Buffer | undefined {
    return this.#blocks.get(number)
  }

  changed(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#waiting.delete(wake)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      this.#waiting.add(wake)
      signal.addEventListener('abort', wake)
      if (signal.aborted) wake()
    })
  }
}
