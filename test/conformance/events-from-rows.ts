import type { BlockRecorded, TransactionRecorded } from '#schemas/events/types.ts'
import { encodeEvent } from '#src/events/codec.ts'
import type { LogRecord } from '#src/ports/message-log.ts'
import type { CaseFile, CaseRow } from '#test/conformance/case-file.ts'
import { decodeCustomFeeLimit } from '#test/conformance/custom-fee-limit.ts'
import * as read from '#test/conformance/row-values.ts'

/** Tables whose rows are parts of a transaction, found by its consensus time. */
const partTables = ['crypto_transfer', 'token_transfer', 'staking_reward_transfer', 'assessed_custom_fee'] as const
type PartTable = (typeof partTables)[number]
type Parts = Readonly<Record<PartTable, readonly CaseRow[]>>

export interface CaseEvents {
  /** Lists of events as an importer would append them: the snapshot, then block by block. */
  readonly blocks: readonly (readonly LogRecord[])[]
  /** Rows that belong to no transaction of the case, so that no event carries them. */
  readonly orphans: number
}

/** The events that say what a case's rows say. They are facts without bodies, and often without blocks. */
export function eventsOfCase({ name, rows }: CaseFile): CaseEvents {
  const parts = groupParts(rows)
  const transactions = (rows['transaction'] ?? []).map((row) => transactionRecord(row, parts))
  const blocks = (rows['record_file'] ?? []).map(blockRecord)
  const known = new Set((rows['transaction'] ?? []).map((row) => row['consensus_timestamp'] as string))
  const orphans = partTables
    .flatMap((table) => rows[table] ?? [])
    .filter((row) => !known.has(row['consensus_timestamp'] as string))
  return { blocks: [snapshotRecords(name), ...intoBlocks(transactions, blocks)], orphans: orphans.length }
}

function snapshotRecords(network: string): LogRecord[] {
  return [
    { type: 'SnapshotStarted', key: 'started', time: 0n, value: encodeEvent('SnapshotStarted', { network, asOf: 0n }) },
    { type: 'SnapshotCompleted', key: 'completed', time: 0n, value: encodeEvent('SnapshotCompleted', { count: 0n }) },
  ]
}

/** In consensus order; a block closes what precedes its end. What no block closes follows as one more append. */
function intoBlocks(transactions: readonly LogRecord[], blocks: readonly LogRecord[]): LogRecord[][] {
  const rank = ({ type }: LogRecord) => (type === 'BlockRecorded' ? 1 : 0)
  const sorted = [...transactions, ...blocks].sort((a, b) =>
    a.time < b.time ? -1 : a.time > b.time ? 1 : rank(a) - rank(b),
  )
  const appends: LogRecord[][] = []
  let open: LogRecord[] = []
  for (const record of sorted) {
    open.push(record)
    if (record.type !== 'BlockRecorded') continue
    appends.push(open)
    open = []
  }
  return open.length > 0 ? [...appends, open] : appends
}

type PartsByTime = ReadonlyMap<string, Readonly<Record<PartTable, CaseRow[]>>>

function groupParts(rows: CaseFile['rows']): PartsByTime {
  const byTime = new Map<string, Record<PartTable, CaseRow[]>>()
  for (const table of partTables) {
    for (const row of rows[table] ?? []) {
      const time = row['consensus_timestamp'] as string
      const parts = byTime.get(time) ?? noParts()
      parts[table].push(row)
      byTime.set(time, parts)
    }
  }
  return byTime
}

function noParts(): Record<PartTable, CaseRow[]> {
  return { crypto_transfer: [], token_transfer: [], staking_reward_transfer: [], assessed_custom_fee: [] }
}

function transactionRecord(row: CaseRow, partsByTime: PartsByTime): LogRecord {
  const time = read.int64(row, 'consensus_timestamp')
  const parts = partsByTime.get(time.toString()) ?? noParts()
  const event = { ...headerFacts(row), ...movements(row, parts) }
  return { type: 'TransactionRecorded', key: time.toString(), time, value: encodeEvent('TransactionRecorded', event) }
}

function headerFacts(row: CaseRow): Partial<TransactionRecorded> {
  return {
    consensusTimestamp: read.int64(row, 'consensus_timestamp'),
    validStartTimestamp: read.int64(row, 'valid_start_ns'),
    payerAccountId: read.int64(row, 'payer_account_id'),
    nonce: read.int32(row, 'nonce'),
    scheduled: read.flag(row, 'scheduled'),
    parentConsensusTimestamp: read.int64OrNull(row, 'parent_consensus_timestamp'),
    transactionIndex: read.int32OrNull(row, 'index'),
    type: read.int32(row, 'type'),
    result: read.int32(row, 'result'),
    nodeAccountId: read.int64OrNull(row, 'node_account_id'),
    entityId: read.int64OrNull(row, 'entity_id'),
    chargedTxFee: read.int64(row, 'charged_tx_fee'),
    maxFee: read.int64OrNull(row, 'max_fee'),
    validDurationSeconds: read.int64OrNull(row, 'valid_duration_seconds'),
    initialBalance: read.int64(row, 'initial_balance'),
    memo: read.bytesOrNull(row, 'memo'),
    transactionHash: read.bytesOrNull(row, 'transaction_hash'),
    batchKey: read.bytesOrNull(row, 'batch_key'),
    highVolume: read.flag(row, 'high_volume'),
    highVolumePricingMultiplier: read.int64OrNull(row, 'high_volume_pricing_multiplier'),
    congestionPricingMultiplier: read.int64OrNull(row, 'congestion_pricing_multiplier'),
    maxCustomFees: read
      .textsOf(row, 'max_custom_fees')
      .flatMap((bytes) => decodeCustomFeeLimit(read.parseBytes(bytes))),
    innerTransactions: innerTransactions(read.textsOf(row, 'inner_transactions')),
    errata: read.textOrNull(row, 'errata'),
    transactionBytes: read.bytesOrNull(row, 'transaction_bytes'),
    recordBytes: read.bytesOrNull(row, 'transaction_record_bytes'),
  }
}

/** Payers and valid starts in turn. */
function innerTransactions(numbers: readonly string[]): TransactionRecorded['innerTransactions'] {
  return numbers.flatMap((payer, index) =>
    index % 2 === 0 ? [{ payerAccountId: BigInt(payer), validStartTimestamp: BigInt(numbers[index + 1] ?? 0) }] : [],
  )
}

function movements(row: CaseRow, parts: Parts): Partial<TransactionRecorded> {
  return {
    transfers: parts.crypto_transfer.map((transfer) => ({
      accountId: read.int64(transfer, 'entity_id'),
      amount: read.int64(transfer, 'amount'),
      isApproval: read.flag(transfer, 'is_approval'),
      errata: read.textOrNull(transfer, 'errata'),
    })),
    tokenTransfers: parts.token_transfer.map((transfer) => ({
      tokenId: read.int64(transfer, 'token_id'),
      accountId: read.int64(transfer, 'account_id'),
      amount: read.int64(transfer, 'amount'),
      isApproval: read.flag(transfer, 'is_approval'),
    })),
    nftTransfers: read.rowsOf(row, 'nft_transfer').map((transfer) => ({
      tokenId: read.int64(transfer, 'token_id'),
      serialNumber: read.int64(transfer, 'serial_number'),
      senderAccountId: read.int64OrNull(transfer, 'sender_account_id'),
      receiverAccountId: read.int64OrNull(transfer, 'receiver_account_id'),
      isApproval: read.flag(transfer, 'is_approval'),
    })),
    stakingRewards: parts.staking_reward_transfer.map((reward) => ({
      accountId: read.int64(reward, 'account_id'),
      amount: read.int64(reward, 'amount'),
    })),
    assessedCustomFees: parts.assessed_custom_fee.map((fee) => ({
      amount: read.int64(fee, 'amount'),
      collectorAccountId: read.int64OrNull(fee, 'collector_account_id'),
      tokenId: read.int64OrNull(fee, 'token_id'),
      effectivePayerAccountIds: read.textsOf(fee, 'effective_payer_account_ids').map(BigInt),
    })),
  }
}

function blockRecord(row: CaseRow): LogRecord {
  const time = read.int64(row, 'consensus_end')
  const event: Partial<BlockRecorded> = {
    number: read.int64(row, 'index'),
    name: read.textOrNull(row, 'name') ?? '',
    hash: read.bytesOrNull(row, 'hash') ?? Buffer.alloc(0),
    previousHash: read.bytesOrNull(row, 'prev_hash') ?? Buffer.alloc(0),
    fileHash: read.bytesOrNull(row, 'file_hash'),
    version: read.int32(row, 'version'),
    digestAlgorithm: read.int32(row, 'digest_algorithm'),
    consensusStart: read.int64(row, 'consensus_start'),
    consensusEnd: time,
    count: read.int64(row, 'count'),
    size: read.int32OrNull(row, 'size'),
    gasUsed: read.int64(row, 'gas_used') === -1n ? null : read.int64OrNull(row, 'gas_used'),
    logsBloom: read.bytesOrNull(row, 'logs_bloom'),
    hapiVersionMajor: read.int32OrNull(row, 'hapi_version_major'),
    hapiVersionMinor: read.int32OrNull(row, 'hapi_version_minor'),
    hapiVersionPatch: read.int32OrNull(row, 'hapi_version_patch'),
    softwareVersionMajor: read.int32OrNull(row, 'software_version_major'),
    softwareVersionMinor: read.int32OrNull(row, 'software_version_minor'),
    softwareVersionPatch: read.int32OrNull(row, 'software_version_patch'),
    sidecarCount: read.int32(row, 'sidecar_count'),
    roundStart: read.int64OrNull(row, 'round_start'),
    roundEnd: read.int64OrNull(row, 'round_end'),
  }
  return {
    type: 'BlockRecorded',
    key: read.textOrNull(row, 'hash') ?? '',
    time,
    value: encodeEvent('BlockRecorded', event),
  }
}
