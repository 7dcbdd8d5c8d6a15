import type { TransactionRecorded } from '#schemas/events/types.ts'
import { encodeEvent } from '#src/events/codec.ts'
import type { LogRecord } from '#src/ports/message-log.ts'
import type { CaseRow, CaseRows } from '#test/conformance/case-file.ts'
import { decodeCustomFeeLimit } from '#test/conformance/custom-fee-limit.ts'
import { movements, noParts, type Parts, partsByTime, payerOf } from '#test/conformance/facts/movements.ts'
import * as read from '#test/conformance/row-values.ts'

const cryptoTransfer = 14
const success = 22

export interface CaseTransactions {
  readonly records: readonly LogRecord[]
  /** How many of them were made for rows whose transaction the case does not have. */
  readonly made: number
}

/** The transactions of a case with what moved, without bodies. What moved at a time without one gets one made for it. */
export function transactionRecords(rows: CaseRows): CaseTransactions {
  const parts = partsByTime(rows)
  const records = (rows['transaction'] ?? []).map((row) => transactionRecord(row, parts))
  const known = new Set(records.map(({ key }) => key))
  const made = [...parts].filter(([time]) => !known.has(time)).map(([time, lone]) => madeRecord(BigInt(time), lone))
  return { records: [...records, ...made], made: made.length }
}

function transactionRecord(row: CaseRow, parts: ReadonlyMap<string, Parts>): LogRecord {
  const time = read.int64(row, 'consensus_timestamp')
  return record(time, { ...headerFacts(row), ...movements(row, parts.get(time.toString()) ?? noParts) })
}

/**
 * A transfer that succeeded, paid by whom the rows name: no more is known. A nonce without a parent keeps it from the payer's
 * list, where the recorded service, which has no such transaction, cannot show it.
 */
function madeRecord(time: bigint, parts: Parts): LogRecord {
  return record(time, {
    consensusTimestamp: time,
    validStartTimestamp: time,
    payerAccountId: payerOf(parts),
    nonce: 1,
    type: cryptoTransfer,
    result: success,
    ...movements({}, parts),
  })
}

function record(time: bigint, event: Partial<TransactionRecorded>): LogRecord {
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
