import type { BlockNumbersShifted, BlockRecorded, EventOf, TransactionRecorded } from '#schemas/events/types.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { encodeEvent } from '#src/events/codec.ts'
import type { EventType } from '#src/events/event-types.ts'
import { blockTotals } from '#src/importer/decode/block-totals.ts'
import { buildTransactionEvents, type DecodedBlockInput } from '#src/importer/decode/transaction-event.ts'
import { numberBlock } from '#src/importer/publish/block-number.ts'
import { malformed } from '#src/importer/record/malformed.ts'
import type { ImportState } from '#src/importer/state.ts'
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
  const { file, sidecarRecords } = verified
  const { network, keepRawBytes, startBlockNumber, endTime } = options
  const numbering = numberBlock(file.blockNumber, state.lastBlock, startBlockNumber)
  const { number, shift } = numbering
  const { hapiVersion } = file
  const built = decodedItems(verified, {
    items: file.items,
    sidecarRecords,
    blockNumber: number,
    ...(hapiVersion ? { hapiVersion } : {}),
    keepRawBytes,
    network,
  })
  assertOrder(built, file.name)
  const block = blockRecorded(verified, built, numbering)
  const wanted = endTime === undefined ? built : built.filter(({ consensusTimestamp }) => consensusTimestamp <= endTime)
  const batch = new RecordBatch()
  if (shift !== undefined && state.lastBlock) {
    const event: BlockNumbersShifted = {
      shift,
      throughNumber: state.lastBlock.number,
      name: file.name,
      consensusTimestamp: file.consensusStart,
    }
    batch.add('BlockNumbersShifted', event, file.name, file.consensusStart)
  }
  for (const event of wanted) {
    batch.add('TransactionRecorded', event, event.consensusTimestamp.toString(), event.consensusTimestamp)
  }
  batch.add('BlockRecorded', block, file.chainHash.toString('hex'), file.consensusEnd)
  batch.fold(state)
  return { number, records: batch.records, bytes: batch.bytes, transactionCount: wanted.length }
}

/** A record that can not be decoded is a fault of the file, so it is said with the file's name. */
function decodedItems({ file, sourceNodeId }: VerifiedFile, input: DecodedBlockInput): TransactionRecorded[] {
  try {
    return buildTransactionEvents(input)
  } catch (error) {
    if (error instanceof LedgerError) throw malformed(`${file.name} of node ${sourceNodeId}`, error.message, error)
    throw error
  }
}

/** The opening of a fresh log: which network it is of and whom to believe at first. */
export function openingRecords(network: string, fileId: bigint, contents: Buffer, state: ImportState): LogRecord[] {
  const batch = new RecordBatch()
  batch.add('SnapshotStarted', { network, asOf: 0n }, 'snapshot/started', 0n)
  batch.add('AddressBookSnapshotted', { fileId, contents, asOf: 0n }, `snapshot/address-book/${fileId}`, 0n)
  batch.add('SnapshotCompleted', { count: 1n }, 'snapshot/completed', 0n)
  batch.fold(state)
  return batch.records
}

class RecordBatch {
  readonly records: LogRecord[] = []
  bytes = 0
  readonly #folds: ((state: ImportState) => void)[] = []

  add<T extends EventType>(type: T, event: EventOf<T>, key: string, time: bigint): void {
    const value = encodeEvent(type, event)
    this.records.push({ type, key, time, value })
    this.bytes += value.length
    this.#folds.push((state) => state.apply(type, event))
  }

  /** Comes last, so that an event that can not be encoded leaves the state as it was. */
  fold(state: ImportState): void {
    for (const fold of this.#folds) fold(state)
  }
}

/** Consensus times identify transactions, so they have to rise within a file. */
function assertOrder(events: readonly TransactionRecorded[], name: string): void {
  for (let index = 1; index < events.length; index++) {
    const before = (events[index - 1] as TransactionRecorded).consensusTimestamp
    const { consensusTimestamp } = events[index] as TransactionRecorded
    if (consensusTimestamp > before) continue
    throw malformed(
      name,
      `item ${index} has the consensus time ${consensusTimestamp}, not after the one before, ${before}`,
    )
  }
}

function blockRecorded(
  { file, signedBy, sourceNodeId }: VerifiedFile,
  events: readonly TransactionRecorded[],
  { number, provisional }: { number: bigint; provisional: boolean },
): BlockRecorded {
  const { major = null, minor = null, patch = null } = file.hapiVersion ?? {}
  const { gasUsed, logsBloom } = blockTotals(events)
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
