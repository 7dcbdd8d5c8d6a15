import { emptyAddressBookSnapshotted } from '#schemas/events/defaults.ts'
import type { BlockNumbersShifted, EventOf, TransactionRecorded } from '#schemas/events/types.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { maxInt64, minInt64 } from '#src/domain/ledger-time.ts'
import { encodeEvent } from '#src/events/codec.ts'
import type { EventType } from '#src/events/event-types.ts'
import type { BlockInput } from '#src/importer/decode/block-input.ts'
import { BlockTotals } from '#src/importer/decode/block-totals.ts'
import type { PlainTransaction } from '#src/importer/decode/plain-transaction.ts'
import { type BlockTransaction, encodedTransactions, isPlain } from '#src/importer/decode/transaction-event.ts'
import type { VerifiedBlock } from '#src/importer/publish/verified-block.ts'
import { timeOf } from '#src/importer/record/items.ts'
import { malformed } from '#src/importer/record/malformed.ts'
import type { ImportState } from '#src/importer/state/import-state.ts'
import type { LastBlock } from '#src/importer/state/last-block.ts'
import type { LogRecord } from '#src/ports/message-log.ts'

export interface BlockEventsOptions {
  readonly network: string
  readonly keepRawBytes: boolean
  /** Number of the very first block of a log, where its file carries none. */
  readonly startBlockNumber: bigint
  /** Transactions after this consensus time (ns) are left out. */
  readonly endTime?: bigint | undefined
}

export interface BlockRecords {
  readonly number: bigint
  readonly records: readonly LogRecord[]
  readonly bytes: number
  readonly transactionCount: number
}

/**
 * Turns a verified block into its events, ready to append, and folds them into the state. Some files of the past have transactions that
 * are not in the order of consensus; they are put into it.
 */
export function blockRecords(block: VerifiedBlock, state: ImportState, options: BlockEventsOptions): BlockRecords {
  try {
    return recordsInOrder(block, state, options)
  } catch (error) {
    if (!(error instanceof OutOfOrder)) throw error
    if (block.letGo !== undefined) throw malformed(block.facts.name, error.message)
    const ordered = inConsensusOrder(block)
    const { lastBlock } = state
    if (lastBlock !== undefined && ordered.facts.consensusStart <= lastBlock.time)
      throw malformed(
        block.facts.name,
        `it has a transaction of ${ordered.facts.consensusStart} ns, not after the end of the last block, ${lastBlock.time} ns`,
      )
    return recordsInOrder(ordered, state, options)
  }
}

function recordsInOrder(block: VerifiedBlock, state: ImportState, options: BlockEventsOptions): BlockRecords {
  const { facts } = block
  const { number, provisional, shift } = numberBlock(block.number, state.lastBlock, options.startBlockNumber)
  const batch = new RecordBatch(state)
  if (shift !== undefined && state.lastBlock) {
    const { name, consensusStart } = facts
    const event: BlockNumbersShifted = {
      shift,
      throughNumber: state.lastBlock.number,
      name,
      consensusTimestamp: consensusStart,
    }
    batch.add('BlockNumbersShifted', event, name, consensusStart)
  }
  for (const { type, event, key, time } of block.opening ?? []) batch.add(type, event, key, time)
  const { gasUsed, logsBloom } = addTransactions(batch, block, number, options)
  // Like gas and size a fact of the block, whatever of it an end date leaves out here.
  const count = BigInt(block.items.length)
  const event = { ...facts, number, numberProvisional: provisional, count, gasUsed, logsBloom }
  batch.add('BlockRecorded', event, facts.hash.toString('hex'), facts.consensusEnd)
  batch.fold()
  return { number, records: batch.records, bytes: batch.bytes, transactionCount: batch.transactions }
}

/** Encodes each transaction as soon as it is decoded, so that only the bytes of a block are held. */
function addTransactions(
  batch: RecordBatch,
  block: VerifiedBlock,
  blockNumber: bigint,
  { network, keepRawBytes, endTime }: BlockEventsOptions,
): BlockTotals {
  const { items, sidecarRecords, letGo } = block
  const totals = new BlockTotals()
  let before: bigint | undefined
  for (const one of decodedItems(block, { items, sidecarRecords, letGo, blockNumber, keepRawBytes, network })) {
    const { consensusTimestamp } = one
    assertLater(one, before, block.facts.name)
    before = consensusTimestamp
    if (!isPlain(one)) totals.add(one)
    if (endTime !== undefined && consensusTimestamp > endTime) continue
    if (isPlain(one)) batch.addEncoded(one)
    else batch.addTransaction(one)
  }
  return totals
}

/** A record that cannot be decoded is a fault of the file, so it is said with the file's name. */
function* decodedItems({ what }: VerifiedBlock, input: BlockInput): Generator<BlockTransaction, void, undefined> {
  try {
    yield* encodedTransactions(input)
  } catch (error) {
    if (error instanceof LedgerError) throw malformed(what, error.message, error)
    throw error
  }
}

/** The opening of a fresh log: which network it is of and whom to believe at first. */
export function openingRecords(
  network: string,
  book: { readonly fileId: bigint; readonly contents: Buffer } | undefined,
  state: ImportState,
): LogRecord[] {
  const batch = new RecordBatch(state)
  batch.add('SnapshotStarted', { network, asOf: 0n }, 'snapshot/started', 0n)
  if (book) {
    const event = { ...emptyAddressBookSnapshotted(), ...book }
    batch.add('AddressBookSnapshotted', event, `snapshot/address-book/${book.fileId}`, 0n)
  }
  batch.add('SnapshotCompleted', { count: book ? 1n : 0n }, 'snapshot/completed', 0n)
  batch.fold()
  return batch.records
}

class RecordBatch {
  readonly records: LogRecord[] = []
  bytes = 0
  transactions = 0
  readonly #state: ImportState
  readonly #folds: (() => void)[] = []

  constructor(state: ImportState) {
    this.#state = state
  }

  add<T extends EventType>(type: T, event: EventOf<T>, key: string, time: bigint): void {
    this.#encode(type, event, key, time)
    this.#folds.push(() => this.#state.apply(type, event))
  }

  /** Keeps the event itself only where the state is concerned: all of a block would be many. */
  addTransaction(event: TransactionRecorded): void {
    const { consensusTimestamp } = event
    this.#encode('TransactionRecorded', event, consensusTimestamp.toString(), consensusTimestamp)
    this.transactions += 1
    if (this.#state.isConcernedBy(event)) this.#folds.push(() => this.#state.applyTransaction(event))
  }

  /** Of a kind that the state has nothing of. */
  addEncoded({ consensusTimestamp, value }: PlainTransaction): void {
    this.#push('TransactionRecorded', consensusTimestamp.toString(), consensusTimestamp, value)
    this.transactions += 1
  }

  /** Comes last, so that an event that cannot be encoded leaves the state as it was. */
  fold(): void {
    for (const fold of this.#folds) fold()
    this.#state.countTransactions(this.transactions)
  }

  #encode<T extends EventType>(type: T, event: EventOf<T>, key: string, time: bigint): void {
    this.#push(type, key, time, encodeEvent(type, event))
  }

  #push(type: EventType, key: string, time: bigint, value: Buffer): void {
    this.records.push({ type, key, time, value })
    this.bytes += value.length
  }
}

/** Consensus times identify transactions, so no two are the same. */
function assertLater(
  { consensusTimestamp, transactionIndex }: BlockTransaction,
  before: bigint | undefined,
  name: string,
): void {
  if (before === undefined || consensusTimestamp > before) return
  const reason = `item ${transactionIndex} has the consensus time ${consensusTimestamp}, not after the one before, ${before}`
  throw consensusTimestamp === before ? malformed(name, reason) : new OutOfOrder(reason)
}

/** Nothing was kept of the block yet: it may be tried in another order. */
class OutOfOrder extends Error {}

/** The block with its items by time, and from the first to the last of them. */
function inConsensusOrder(block: VerifiedBlock): VerifiedBlock {
  const { name } = block.facts
  const fail = (reason: string) => malformed(name, reason)
  const timed = block.items.map((item) => ({ item, time: timeOf(item, fail) }))
  timed.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0))
  const { consensusStart, consensusEnd } = block.facts
  const facts = {
    ...block.facts,
    consensusStart: timed[0]?.time ?? consensusStart,
    consensusEnd: timed.at(-1)?.time ?? consensusEnd,
  }
  return { ...block, facts, items: timed.map(({ item }) => item) }
}

interface BlockNumbering {
  readonly number: bigint
  /** Counted here, since the file carries no number. */
  readonly provisional: boolean
  /** What all earlier provisional numbers are off by; undefined when they are right. */
  readonly shift: bigint | undefined
}

/** Number of the next block. A file's own number counts; before the first of those, blocks are numbered one by one. */
function numberBlock(own: bigint | undefined, last: LastBlock | undefined, start: bigint): BlockNumbering {
  const expected = last === undefined ? start : last.number + 1n
  if (own === undefined) return { number: expected, provisional: true, shift: undefined }
  const shift = last?.numberProvisional === true && own !== expected ? own - expected : undefined
  return { number: own, provisional: false, shift: shift !== undefined && isInt64(shift) ? shift : undefined }
}

/** A test network's nonsense number may be so far away that no event could say it; then the old numbers stay. */
function isInt64(value: bigint): boolean {
  return value <= maxInt64 && value >= minInt64
}
