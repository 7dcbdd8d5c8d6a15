import { emptyAddressBookSnapshotted } from '#schemas/events/defaults.ts'
import type { BlockNumbersShifted, BlockRecorded, EventOf, TransactionRecorded } from '#schemas/events/types.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { encodeEvent } from '#src/events/codec.ts'
import type { EventType } from '#src/events/event-types.ts'
import type { BlockInput } from '#src/importer/decode/block-input.ts'
import { BlockTotals } from '#src/importer/decode/block-totals.ts'
import type { PlainTransaction } from '#src/importer/decode/plain-transaction.ts'
import { type BlockTransaction, encodedTransactions, isPlain } from '#src/importer/decode/transaction-event.ts'
import { numberBlock } from '#src/importer/publish/block-number.ts'
import { malformed } from '#src/importer/record/malformed.ts'
import type { ImportState } from '#src/importer/state/import-state.ts'
import type { VerifiedFile } from '#src/importer/verify/verify-file.ts'
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

/** Turns a verified file into the events of its block, ready to append, and folds them into the state. */
export function blockRecords(verified: VerifiedFile, state: ImportState, options: BlockEventsOptions): BlockRecords {
  const { file } = verified
  const numbering = numberBlock(file.blockNumber, state.lastBlock, options.startBlockNumber)
  const batch = new RecordBatch(state)
  if (numbering.shift !== undefined && state.lastBlock) {
    const event: BlockNumbersShifted = {
      shift: numbering.shift,
      throughNumber: state.lastBlock.number,
      name: file.name,
      consensusTimestamp: file.consensusStart,
    }
    batch.add('BlockNumbersShifted', event, file.name, file.consensusStart)
  }
  const totals = addTransactions(batch, verified, numbering.number, options)
  const block = blockRecorded(verified, totals, numbering)
  batch.add('BlockRecorded', block, file.chainHash.toString('hex'), file.consensusEnd)
  batch.fold()
  return { number: numbering.number, records: batch.records, bytes: batch.bytes, transactionCount: batch.transactions }
}

/** Encodes each transaction as soon as it is decoded, so that only the bytes of a block are held. */
function addTransactions(
  batch: RecordBatch,
  verified: VerifiedFile,
  blockNumber: bigint,
  { network, keepRawBytes, endTime }: BlockEventsOptions,
): BlockTotals {
  const { file, sidecarRecords } = verified
  const totals = new BlockTotals()
  const input = { items: file.items, sidecarRecords, blockNumber, keepRawBytes, network }
  let before: bigint | undefined
  for (const one of decodedItems(verified, input)) {
    const { consensusTimestamp } = one
    assertLater(one, before, file.name)
    before = consensusTimestamp
    if (!isPlain(one)) totals.add(one)
    if (endTime !== undefined && consensusTimestamp > endTime) continue
    if (isPlain(one)) batch.addEncoded(one)
    else batch.addTransaction(one)
  }
  return totals
}

/** A record that cannot be decoded is a fault of the file, so it is said with the file's name. */
function* decodedItems(
  { file, sourceNodeId }: VerifiedFile,
  input: BlockInput,
): Generator<BlockTransaction, void, undefined> {
  try {
    yield* encodedTransactions(input)
  } catch (error) {
    if (error instanceof LedgerError) throw malformed(`${file.name} of node ${sourceNodeId}`, error.message, error)
    throw error
  }
}

/** The opening of a fresh log: which network it is of and whom to believe at first. */
export function openingRecords(network: string, fileId: bigint, contents: Buffer, state: ImportState): LogRecord[] {
  const batch = new RecordBatch(state)
  batch.add('SnapshotStarted', { network, asOf: 0n }, 'snapshot/started', 0n)
  const book = { ...emptyAddressBookSnapshotted(), fileId, contents }
  batch.add('AddressBookSnapshotted', book, `snapshot/address-book/${fileId}`, 0n)
  batch.add('SnapshotCompleted', { count: 1n }, 'snapshot/completed', 0n)
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

  /** Keeps the event itself only where the state needs its body. */
  addTransaction(event: TransactionRecorded): void {
    const { consensusTimestamp } = event
    this.#encode('TransactionRecorded', event, consensusTimestamp.toString(), consensusTimestamp)
    this.transactions += 1
    if (this.#state.needsBody(event)) this.#folds.push(() => this.#state.applyTransaction(event))
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

/** Consensus times identify transactions, so they have to rise within a file. */
function assertLater(
  { consensusTimestamp, transactionIndex }: BlockTransaction,
  before: bigint | undefined,
  name: string,
): void {
  if (before === undefined || consensusTimestamp > before) return
  throw malformed(
    name,
    `item ${transactionIndex} has the consensus time ${consensusTimestamp}, not after the one before, ${before}`,
  )
}

function blockRecorded(
  { file, signedBy, sourceNodeId }: VerifiedFile,
  { gasUsed, logsBloom }: BlockTotals,
  { number, provisional }: { number: bigint; provisional: boolean },
): BlockRecorded {
  const { major = null, minor = null, patch = null } = file.hapiVersion ?? {}
  return {
    number,
    name: file.name,
    hash: file.chainHash,
    previousHash: file.previousHash,
    fileHash: file.fileHash,
    metadataHash: file.metadataHash ?? null,
    version: file.version,
    digestAlgorithm: 0,
    consensusStart: file.consensusStart,
    consensusEnd: file.consensusEnd,
    // Like gas and size a fact of the block, whatever of it an end date leaves out here.
    count: BigInt(file.items.length),
    size: file.size,
    gasUsed,
    logsBloom,
    hapiVersionMajor: major,
    hapiVersionMinor: minor,
    hapiVersionPatch: patch,
    // Record files give one version for both.
    softwareVersionMajor: major,
    softwareVersionMinor: minor,
    softwareVersionPatch: patch,
    sidecarCount: file.sidecars.length,
    numberProvisional: provisional,
    signedBy: [...signedBy],
    sourceNodeId,
    roundStart: null,
    roundEnd: null,
  }
}
