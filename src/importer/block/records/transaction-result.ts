import { type Fail, FieldReader } from '#src/domain/field-reader.ts'
import type { LedgerTime } from '#src/domain/ledger-time.ts'
import { timestampOf } from '#src/domain/timestamp-message.ts'

/** What a TransactionResult says, with what a record repeats as serialized values. */
export interface TransactionResult {
  /** Number of enum ResponseCodeEnum. */
  readonly status: number
  /** ns */
  readonly time: LedgerTime
  /** Serialized Timestamp. */
  readonly timestamp: Buffer
  readonly parentTime: LedgerTime | undefined
  readonly parentTimestamp: Buffer | undefined
  /** Serialized ScheduleID. */
  readonly scheduleRef: Buffer | undefined
  /** tinybar; a uint64 as its two's complement. */
  readonly fee: bigint
  /** Serialized TransferList. */
  readonly transferList: Buffer | undefined
  /** Serialized TokenTransferLists, TokenAssociations, AccountAmounts and AssessedCustomFees. */
  readonly tokenTransferLists: readonly Buffer[]
  readonly associations: readonly Buffer[]
  readonly stakingRewards: readonly Buffer[]
  readonly customFees: readonly Buffer[]
  readonly congestionMultiplier: bigint
  readonly highVolumeMultiplier: bigint
}

type Writable<T> = { -readonly [Name in keyof T]: T[Name] }

const none: readonly Buffer[] = []

export function readTransactionResult(content: Buffer, fail: Fail): TransactionResult {
  const result: Writable<TransactionResult> = {
    status: 0,
    time: 0n as LedgerTime,
    timestamp: content.subarray(0, 0),
    parentTime: undefined,
    parentTimestamp: undefined,
    scheduleRef: undefined,
    fee: 0n,
    transferList: undefined,
    tokenTransferLists: none,
    associations: none,
    stakingRewards: none,
    customFees: none,
    congestionMultiplier: 0n,
    highVolumeMultiplier: 0n,
  }
  const fields = new FieldReader(content, fail)
  while (fields.next()) take(fields, result)
  if (result.timestamp.length === 0) throw fail('a result of a transaction has no consensus time')
  return result
}

function take(fields: FieldReader, result: Writable<TransactionResult>): void {
  switch (fields.field) {
    case 1:
      result.status = fields.int32()
      break
    case 2:
      result.timestamp = fields.bytes()
      result.time = timestampOf(fields.message())
      break
    case 3:
      result.parentTimestamp = fields.bytes()
      result.parentTime = timestampOf(fields.message())
      break
    case 5:
      result.scheduleRef = fields.bytes()
      break
    case 6:
      result.fee = fields.int64()
      break
    case 7:
      result.transferList = fields.bytes()
      break
    case 8:
      result.tokenTransferLists = [...result.tokenTransferLists, fields.bytes()]
      break
    case 9:
      result.associations = [...result.associations, fields.bytes()]
      break
    case 10:
      result.stakingRewards = [...result.stakingRewards, fields.bytes()]
      break
    case 11:
      result.congestionMultiplier = fields.int64()
      break
    case 12:
      result.customFees = [...result.customFees, fields.bytes()]
      break
    case 13:
      result.highVolumeMultiplier = fields.int64()
      break
    default:
  }
}
