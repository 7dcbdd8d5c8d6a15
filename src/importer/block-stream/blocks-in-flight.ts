import type { LedgerError } from '#src/domain/errors.ts'
import type { Block } from '#src/importer/block/block.ts'
import type { WrappedFile } from '#src/importer/block/wrapped/read-wrapped-file.ts'
import type { Proof } from '#src/importer/block-stream/prove-block.ts'
import { ledgerErrorOnly } from '#src/importer/verify/signatures.ts'
import type { SourceBlock } from '#src/ports/block-node.ts'

/** A block that was read, and waits for its proof and its turn. */
export interface BlockInFlight {
  readonly source: SourceBlock
  readonly block: Block
  /** Of a block that wraps a record file. */
  readonly wrapped: WrappedFile | undefined
  /** Undefined where the nodes' own signatures prove it, which takes no time. */
  readonly proof: Promise<Proof | LedgerError> | undefined
}

export interface FlightBounds {
  readonly blocksMax: number
  /** Of blocks as they were received; one is always allowed. */
  readonly bytesMax: number
}

/** Blocks between their source and the log, in order: proofs are checked meanwhile, on threads of their own. */
export class BlocksInFlight {
  readonly #bounds: FlightBounds
  readonly #queue: BlockInFlight[] = []
  readonly #settled = new WeakSet<BlockInFlight>()
  #bytes = 0

  constructor(bounds: FlightBounds) {
    this.#bounds = bounds
  }

  get head(): BlockInFlight | undefined {
    return this.#queue[0]
  }

  get hasRoom(): boolean {
    const { blocksMax, bytesMax } = this.#bounds
    return this.#queue.length === 0 || (this.#queue.length < blocksMax && this.#bytes < bytesMax)
  }

  /** Whether the first one can be published, or refused, without waiting. */
  get isHeadSettled(): boolean {
    const { head } = this
    return head !== undefined && (head.proof === undefined || this.#settled.has(head))
  }

  add(source: SourceBlock, block: Block, wrapped: WrappedFile | undefined, proof: Promise<Proof> | undefined): void {
    const one: BlockInFlight = { source, block, wrapped, proof: proof?.catch(ledgerErrorOnly) }
    // What is no LedgerError is thrown where the block has its turn.
    const settle = () => this.#settled.add(one)
    one.proof?.then(settle, settle)
    this.#queue.push(one)
    this.#bytes += block.sizeUnpacked
  }

  shift(): BlockInFlight | undefined {
    const head = this.#queue.shift()
    if (head) this.#bytes -= head.block.sizeUnpacked
    return head
  }
}
