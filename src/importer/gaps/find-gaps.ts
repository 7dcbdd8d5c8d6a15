import type { BlockRecorded } from '#schemas/events/types.ts'
import { findBlockHeader } from '#src/domain/block-header.ts'
import { type ErrorCode, isLedgerError } from '#src/domain/errors.ts'
import { createEventReader, decodeEvent } from '#src/events/codec.ts'
import type { BlockSupply } from '#src/importer/block-sources/block-supply.ts'
import { transactionEvents } from '#src/importer/decode/transaction-event.ts'
import type { BlockRef, Gap } from '#src/importer/gaps/gap.ts'
import type { SourceListing } from '#src/importer/gaps/source-files.ts'
import { zeroHash } from '#src/importer/record/hash.ts'
import type { ImporterSettings } from '#src/importer/settings.ts'
import { foldRecord } from '#src/importer/state/fold-record.ts'
import { ImportState } from '#src/importer/state/import-state.ts'
import { blockStreamVersion, type LastBlock } from '#src/importer/state/last-block.ts'
import { missingBetween } from '#src/importer/succession-gap.ts'
import type { MessageLog, Position, StoredRecord } from '#src/ports/message-log.ts'

const readUnparsed = createEventReader('TransactionRecorded', ['unparsed'])

const readCountMax = 5_000
const readBytesMax = 8 << 20
/** At the live edge an importer takes this long at most to bring what it has just been given. */
const lateGraceMs = 10_000
/** A log that grows while the rest of the source is listed is asked again so often. */
const tailLooksMax = 3

const damageCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['log_gap', 'log_damaged', 'schema_unknown'])

export interface FindGapsOptions {
  readonly log: MessageLog
  /** undefined: only the log itself is looked at. */
  readonly listing: SourceListing | undefined
  /** The source of blocks, which are never listed; undefined: it is not asked. */
  readonly blocks?: Pick<BlockSupply, 'fetch'> | undefined
  /** Files of the source that are outside of its dates are not missed. */
  readonly settings: Pick<ImporterSettings, 'shard' | 'realm' | 'startTime' | 'endTime'>
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly signal?: AbortSignal
  /** Told after each batch how far it is. */
  readonly onProgress: (position: Position, head: Position) => void
}

export interface GapSummary {
  readonly events: Position
  readonly blocks: bigint
  /** Where the last block ends, and its consensus time (ns); undefined in a log without any. */
  readonly lastBlock: { readonly position: Position; readonly time: bigint } | undefined
}

/**
 * Reads a log from its beginning and tells what is missing, as it is found: whether the sequence is dense and the parts of
 * each event are whole (what reading it proves), whether each block continues the one before and has its transactions,
 * whether this release understands more of them, and, beside a source, whether that has files before the log's first
 * block, where blocks are missing, or behind the last. Memory does not grow with the log. Returns what it has looked at.
 */
export function findGaps(options: FindGapsOptions): AsyncGenerator<Gap, GapSummary, undefined> {
  return new GapSearch(options).run()
}

class GapSearch {
  readonly #options: FindGapsOptions
  readonly #state: ImportState
  #position: Position = 0
  /** Transactions since the last block. */
  #transactions = 0n
  #lastBlockEnd: Position = 0
  #understoodNow = 0
  #firstUnderstoodNow: Position = 0
  #damaged = false

  constructor(options: FindGapsOptions) {
    this.#options = options
    this.#state = new ImportState(options.settings)
  }

  async *run(): AsyncGenerator<Gap, GapSummary, undefined> {
    yield* this.#readOn()
    if (!this.#damaged) yield* this.#tail()
    if (!this.#damaged) yield* this.#blockTail()
    const [first, transactions] = [this.#firstUnderstoodNow, this.#understoodNow]
    if (transactions > 0) yield { kind: 'decoding', first, transactions }
    const lastBlock =
      this.#lastBlockEnd === 0 ? undefined : { position: this.#lastBlockEnd, time: this.#state.lastBlock?.time ?? 0n }
    return { events: this.#position, blocks: this.#state.blocks, lastBlock }
  }

  async *#readOn(): AsyncGenerator<Gap, void, undefined> {
    const { log, signal, onProgress } = this.#options
    const read = { after: this.#position, countMax: readCountMax, bytesMax: readBytesMax, follow: false }
    try {
      for await (const { records, head } of log.read(signal ? { ...read, signal } : read)) {
        for (const record of records) {
          yield* this.#take(record)
          this.#position = record.sequence
        }
        onProgress(this.#position, head)
      }
      signal?.throwIfAborted()
    } catch (error) {
      if (!isLedgerError(error) || !damageCodes.has(error.code)) throw error
      this.#damaged = true
      yield { kind: 'damage', after: this.#last, position: this.#position, reason: error.message }
    }
  }

  async *#take(record: StoredRecord): AsyncGenerator<Gap, void, undefined> {
    if (record.type === 'BlockRecorded') yield* this.#check(decodeEvent({ ...record, type: 'BlockRecorded' }))
    else if (record.type === 'TransactionRecorded') this.#takeTransaction(record)
    foldRecord(this.#state, record)
    if (record.type === 'BlockRecorded') this.#lastBlockEnd = record.sequence
  }

  #takeTransaction({ sequence, value }: StoredRecord): void {
    this.#transactions += 1n
    if (!isUnderstoodNow(value)) return
    this.#understoodNow += 1
    this.#firstUnderstoodNow ||= sequence
  }

  /** Before the block is folded: the state still ends with the one before it. */
  async *#check(block: BlockRecorded): AsyncGenerator<Gap, void, undefined> {
    const { lastBlock } = this.#state
    if (lastBlock === undefined) yield* this.#head(block)
    const missing = missingBetween(lastBlock, block)
    if (lastBlock && missing !== undefined) {
      // Files between blocks cannot be told by their names.
      const listing = isRecordFile(lastBlock) && isRecordFile(block) ? this.#options.listing : undefined
      const files = await listing?.count({ after: lastBlock.name, before: block.name }, this.#state)
      yield { kind: 'middle', after: refOf(lastBlock), before: refOf(block), blocks: missing, files }
    }
    const found = this.#transactions
    this.#transactions = 0n
    if (found !== block.count) yield { kind: 'transactions', block: refOf(block), expected: block.count, found }
  }

  /** A first block that continues nothing has nothing before it. */
  async *#head(block: BlockRecorded): AsyncGenerator<Gap, void, undefined> {
    const { listing, settings } = this.#options
    if (listing === undefined || !isRecordFile(block) || block.previousHash.equals(zeroHash)) return
    const { startTime: afterInstant } = settings
    const files = await listing.count({ after: undefined, before: block.name, afterInstant }, this.#state)
    if (files.count > 0) yield { kind: 'head', before: refOf(block), files }
  }

  async *#tail(): AsyncGenerator<Gap, void, undefined> {
    const { listing, settings } = this.#options
    if (listing === undefined || this.#state.document('book/102') === undefined) return
    if (this.#state.lastBlock && !isRecordFile(this.#state.lastBlock)) return
    const untilInstant = this.#settledUntil(settings.endTime)
    for (let look = 1; ; look++) {
      const after = this.#last
      const files = await listing.count({ after: after?.name, before: undefined, untilInstant }, this.#state)
      if (files.count === 0) return
      yield* this.#readOn()
      // What an importer has brought meanwhile is no gap; one that brings on and on has none.
      const hasGrown = this.#last?.name !== after?.name
      if (!hasGrown) {
        const problem = await listing.successorProblem(this.#state, untilInstant)
        if (after && problem) yield { kind: 'source', after, files, reason: problem.message }
        else yield { kind: 'tail', after, files }
      }
      if (!hasGrown || look === tailLooksMax) return
    }
  }

  /** The same of blocks: the next one is asked for. */
  async *#blockTail(): AsyncGenerator<Gap, void, undefined> {
    const { blocks, settings, signal } = this.#options
    const after = this.#last
    if (blocks === undefined || after === undefined) return
    const next = await blocks.fetch(after.number + 1n, signal)
    const time = next?.pieces[0] && findBlockHeader(next.pieces[0])?.time
    if (next === undefined || time === undefined || time > this.#settledUntil(settings.endTime)) return
    yield* this.#readOn()
    if (this.#last?.name === after.name)
      yield { kind: 'tail', after, files: { count: 1, first: next.name, last: next.name } }
  }

  /** Consensus time (ns) up to which an importer has had time to bring what there is. */
  #settledUntil(endTime: bigint | undefined): bigint {
    const settled = BigInt(this.#options.now() - lateGraceMs) * 1_000_000n
    return endTime !== undefined && endTime < settled ? endTime : settled
  }

  get #last(): BlockRef | undefined {
    const { lastBlock } = this.#state
    return lastBlock && refOf(lastBlock)
  }
}

function isRecordFile({ version }: Pick<LastBlock, 'version'>): boolean {
  return version < blockStreamVersion
}

function refOf({ name, number }: BlockRef): BlockRef {
  return { name, number }
}

/** Whether a TransactionRecorded carries bytes that were not understood when it was written, and now all of them are. */
function isUnderstoodNow(value: Uint8Array): boolean {
  const { unparsed } = readUnparsed(value)
  if (!unparsed?.transaction || !unparsed.record) return false
  const { transaction, record, sidecars } = unparsed
  const items = [{ transaction, record }]
  try {
    const [event] = transactionEvents({
      items,
      sidecarRecords: sidecars,
      blockNumber: undefined,
      keepRawBytes: false,
    })
    return event?.unparsed === null
  } catch (error) {
    // A record that another release could read, and this one cannot.
    if (isLedgerError(error, 'file_malformed')) return false
    throw error
  }
}
