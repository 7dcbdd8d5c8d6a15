import { asBuffer } from '#src/domain/bytes.ts'
import { singleObjectHeader } from '#src/events/framing.ts'
import { currentSchema } from '#src/events/schemas.ts'
import { notPlain } from '#src/events/transcode/wire-values.ts'
import type { BlockInput, ItemInput } from '#src/importer/decode/block-input.ts'
import type { Family, TransactionHead } from '#src/importer/decode/family.ts'
import { type Column, plainColumns } from '#src/importer/decode/plain-columns.ts'
import { PlainSource } from '#src/importer/decode/plain-source.ts'

/** A transaction that went from the bytes of its block to those of its event at once. */
export interface PlainTransaction extends Readonly<TransactionHead> {
  readonly transactionIndex: number
  /** The encoded TransactionRecorded. */
  readonly value: Buffer
}

/** Events are written into pieces of this size, one after the other. */
const pieceBytes = 256 << 10
/** No message becomes more than so many times as long: what is absent takes a byte. */
const growthMax = 16

// For the life of the process: each transaction is encoded in one synchronous step, and blocks may be small.
let source: PlainSource | undefined
let piece = Buffer.allocUnsafeSlow(pieceBytes)
let used = 0
let layout: { readonly header: Buffer; readonly columns: Column } | undefined

/**
 * Encodes the transactions of a block that are of the most frequent kinds and have nothing unusual about them, without
 * building the objects of messages and event, which takes twice as long. What it does not take has to go the general way,
 * which gives the same bytes.
 */
export class PlainEncoder {
  readonly #block: BlockInput
  readonly #family: Family
  readonly #after: bigint

  /** Takes no transaction up to the time `after`. */
  constructor(block: BlockInput, family: Family, after: bigint) {
    this.#block = block
    this.#family = family
    this.#after = after
  }

  encode(
    { transaction, record, congestionMultiplier, isAmendment }: ItemInput,
    index: number,
  ): PlainTransaction | undefined {
    if (congestionMultiplier || isAmendment) return undefined
    const lengthMax = (transaction.length + record.length) * growthMax
    if (lengthMax > pieceBytes) return undefined
    if (used + lengthMax > pieceBytes) startPiece()
    source ??= new PlainSource()
    try {
      source.open(this.#block, this.#after)
      source.read(asBuffer(transaction), asBuffer(record), index)
      this.#family.succeed(source)
      return written(source)
    } catch (error) {
      if (error === notPlain) return undefined
      throw error
    }
  }
}

function written(from: PlainSource): PlainTransaction {
  layout ??= { header: singleObjectHeader(currentSchema('TransactionRecorded')), columns: plainColumns() }
  const { consensusTimestamp, parentConsensusTimestamp, nonce, type, result, successful, transactionIndex } = from
  const start = used
  let to = start
  for (const byte of layout.header) piece[to++] = byte
  to = layout.columns(from, piece, to)
  if (to > pieceBytes) throw notPlain
  used = to
  const value = piece.subarray(start, to)
  return { consensusTimestamp, parentConsensusTimestamp, nonce, type, result, successful, transactionIndex, value }
}

function startPiece(): void {
  piece = Buffer.allocUnsafeSlow(pieceBytes)
  used = 0
}
