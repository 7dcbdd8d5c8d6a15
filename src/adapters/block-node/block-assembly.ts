import { findBlockHeader } from '#src/domain/block-header.ts'
import { blockName } from '#src/domain/block-name.ts'
import type { LedgerError } from '#src/domain/errors.ts'
import { FieldReader } from '#src/domain/field-reader.ts'
import type { BlockNodeReason, SourceBlock, StreamOddity } from '#src/ports/block-node.ts'

export type FailBecause = (reason: BlockNodeReason, what: string) => LedgerError

export interface AssemblyOptions {
  /** The block that was asked for. */
  readonly number: bigint
  readonly origin: string
  readonly itemsMax: number
  readonly bytesMax: number
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly fail: FailBecause
  readonly onOddity: (oddity: StreamOddity) => void
}

const headerItem = 1
/** Messages without use are let pass, but not for ever. */
const odditiesMax = 1_000

/** Puts a block together from the sets in which it arrives; the bytes stay where they are. */
export class BlockAssembly {
  readonly #options: AssemblyOptions
  readonly #pieces: Buffer[] = []
  #bytes = 0
  #items = 0
  #oddities = 0
  #headerAt: number | undefined

  constructor(options: AssemblyOptions) {
    this.#options = options
  }

  get open(): boolean {
    return this.#headerAt !== undefined
  }

  /** A BlockItemSet, whose bytes are those of a part of a Block. */
  add(set: Buffer): void {
    const { bytesMax, fail, now } = this.#options
    this.#bytes += set.length
    if (this.#bytes > bytesMax) throw fail('too_large', `sends a block of more than ${bytesMax} bytes`)
    this.#look(set)
    if (set.length === 0) this.odd('empty_set')
    else {
      this.#headerAt ??= now()
      this.#pieces.push(set)
    }
  }

  /** The block, when its end came; undefined where there is nothing to end. */
  end(number: bigint): SourceBlock | undefined {
    const [first] = this.#pieces
    if (first === undefined) this.odd('end_without_block')
    else if (findBlockHeader(first)?.number !== number) this.odd('end_of_other_block')
    return this.#finish()
  }

  /** The block of a single serialized Block. */
  whole(block: Buffer): SourceBlock | undefined {
    this.add(block)
    return this.#finish()
  }

  odd(oddity: StreamOddity): void {
    const { onOddity, fail } = this.#options
    if (++this.#oddities > odditiesMax) throw fail('protocol', `sends more than ${odditiesMax} messages without use`)
    onOddity(oddity)
  }

  #finish(): SourceBlock | undefined {
    const { number, origin, now } = this.#options
    if (this.#headerAt === undefined) return undefined
    return {
      number,
      name: blockName(number),
      pieces: this.#pieces,
      size: undefined,
      origin,
      headerAt: this.#headerAt,
      completeAt: now(),
    }
  }

  /** Counts items; a header stands at the beginning of a block and nowhere else. */
  #look(set: Buffer): void {
    const { itemsMax, fail } = this.#options
    const items = new FieldReader(set, (reason) => fail('protocol', `sends a malformed set of items: ${reason}`))
    for (let atBeginning = !this.open; items.next(); atBeginning = false) {
      if (++this.#items > itemsMax) throw fail('too_large', `sends a block of more than ${itemsMax} items`)
      if (items.field !== 1) throw fail('protocol', `sends a set with the field ${items.field}, which is no item`)
      const item = items.message()
      const isHeader = item.next() && item.field === headerItem
      if (isHeader && !atBeginning) throw fail('protocol', 'begins a block before the end of the one before it')
      if (!isHeader && atBeginning) throw fail('protocol', 'begins a block with something else than its header')
    }
  }
}
