import { emptyTransactionRecorded } from '#schemas/events/defaults.ts'
import type {
  AssessedCustomFeeEntry,
  CustomFeeLimit,
  MaxCustomFeeEntry,
  TransactionID,
  TransactionRecorded,
} from '#schemas/events/types.ts'
import { asBuffer } from '#src/domain/bytes.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { transactionType } from '#src/domain/transaction-types.ts'
import { type FullRecord, messageTypes, type TransactionBody } from '#src/events/decode/messages.ts'
import { decodeMessage } from '#src/events/decode/protobuf.ts'
import { accountNumber, losesAccount, losesTime, numberOf, orNull, timeOf } from '#src/events/ids.ts'
import type { BlockInput, ItemInput } from '#src/importer/decode/block-input.ts'
import { type ExtractedBody, extractBody } from '#src/importer/decode/body.ts'
import { entityOf } from '#src/importer/decode/entity.ts'
import { Family, type TransactionHead } from '#src/importer/decode/family.ts'
import { PlainEncoder, type PlainTransaction } from '#src/importer/decode/plain-transaction.ts'
import { SidecarQueue } from '#src/importer/decode/sidecars.ts'
import {
  hbarTransfers,
  lastErroneousTime,
  markErroneousTransfers,
  nftTransfers,
  tokenTransfers,
} from '#src/importer/decode/transfers.ts'

export type BlockTransaction = TransactionRecorded | PlainTransaction

export function isPlain(one: BlockTransaction): one is PlainTransaction {
  return 'value' in one
}

/**
 * Decodes a block into its events, in order, each as soon as it is whole, so that a caller need not hold them all: an
 * event waits for the next one, which ends its sidecar records, and a batch for its last inner transaction. What is not
 * understood, whatever it is, travels as raw bytes in `unparsed`. Only a record that cannot be read at all is fatal
 * (`file_malformed`): it would have no consensus time.
 */
export function* transactionEvents(block: BlockInput): Generator<TransactionRecorded, void, undefined> {
  for (const one of inOrder(block, new Family())) if (!isPlain(one)) yield one
}

/** The same, with what is plain encoded already. */
export function encodedTransactions(block: BlockInput): Generator<BlockTransaction, void, undefined> {
  const family = new Family()
  return inOrder(block, family, new PlainEncoder(block, family, isMainnet(block) ? lastErroneousTime : 0n))
}

function* inOrder(
  block: BlockInput,
  family: Family,
  encoder?: PlainEncoder,
): Generator<BlockTransaction, void, undefined> {
  const sidecars = new SidecarQueue(block.sidecarRecords)
  block.letGo?.sidecarRecords()
  const held: BlockTransaction[] = []
  for (let index = 0; index < block.items.length; index++) {
    const one = encoder?.encode(block.items[index]!, index) ?? relatedEvent(block, index, family)
    if (held.length > 0 && !mayBelongTo(one, held)) {
      for (let at = 0; at < held.length; at++) yield whole(block, held, at, one.consensusTimestamp, sidecars)
      for (let at = index - held.length; at < index; at++) block.letGo?.item(at)
      held.length = 0
    }
    held.push(one)
  }
  for (let at = 0; at < held.length; at++) yield whole(block, held, at, undefined, sidecars)
  if (block.items.length === 0) sidecars.assertEmpty()
}

function relatedEvent(block: BlockInput, index: number, family: Family): TransactionRecorded {
  const event = buildEvent(block, block.items[index]!, index)
  family.relate(event)
  if (isMainnet(block) && event.cryptoTransfer) markErroneousTransfers(event, event.cryptoTransfer)
  return event
}

function isMainnet({ network }: BlockInput): boolean {
  return network?.split('-')[0] === 'mainnet'
}

/**
 * What follows a batch and has a parent may be an inner transaction, or a child of one. A child that precedes its parent
 * names none, but has a nonce.
 */
function mayBelongTo(one: TransactionHead, held: readonly TransactionHead[]): boolean {
  if (held[0]?.type !== transactionType.atomicBatch) return false
  return one.parentConsensusTimestamp !== null || one.nonce > 0
}

/** One of those that are held, with the sidecar records up to the next one. */
function whole(
  block: BlockInput,
  held: readonly BlockTransaction[],
  index: number,
  nextTime: bigint | undefined,
  sidecars: SidecarQueue,
): BlockTransaction {
  const end = held[index + 1]?.consensusTimestamp ?? nextTime
  const event = sidecars.hasBefore(end) ? wholeEvent(block, held[index]!) : held[index]!
  if (!isPlain(event)) sidecars.attach(event, end)
  return event
}

/** What was encoded already, but has sidecar records to carry. */
function wholeEvent(block: BlockInput, one: BlockTransaction): TransactionRecorded {
  if (!isPlain(one)) return one
  const event = buildEvent(block, block.items[one.transactionIndex]!, one.transactionIndex)
  event.successful = one.successful
  return event
}

function buildEvent(block: BlockInput, item: ItemInput, index: number): TransactionRecorded {
  const { record, losses } = readRecord(item.record, index)
  const extracted = extractBody(item.transaction)
  const { body, type, field } = extracted
  losses.push(...extracted.losses)
  const event = emptyTransactionRecorded()
  event.blockNumber = block.blockNumber ?? null
  event.transactionIndex = index
  event.congestionPricingMultiplier = item.congestionMultiplier || null
  event.errata = item.isAmendment ? 'INSERT' : null
  event.type = type
  event.signatures = extracted.signatures
  fillIdentity(event, body?.transactionID ?? record.transactionID, losses)
  fillFromRecord(event, record, body, losses)
  if (body) fillFromBody(event, body, losses)
  if (body && field) fillFromKind(event, body, record, extracted)
  if (block.keepRawBytes || isNodeTransaction(type)) {
    event.transactionBytes = asBuffer(item.transaction)
    event.recordBytes = asBuffer(item.record)
  }
  if (losses.length > 0) {
    const reason = [...new Set(losses)].join('; ')
    event.unparsed = { transaction: asBuffer(item.transaction), record: asBuffer(item.record), sidecars: [], reason }
  }
  return event
}

function readRecord(bytes: Uint8Array, index: number): { record: FullRecord; losses: string[] } {
  try {
    const { message, unknown } = decodeMessage<FullRecord>(messageTypes().record, bytes)
    if (message.consensusTimestamp !== null)
      return { record: message, losses: unknown ? ['unknown fields in the record'] : [] }
  } catch (error) {
    throw unreadableRecord(index, (error as Error).message, error)
  }
  throw unreadableRecord(index, 'it has no consensus time')
}

function unreadableRecord(index: number, reason: string, cause?: unknown): LedgerError {
  const message = `The record of item ${index} cannot be read: ${reason}; get the file again, or another node's copy`
  return new LedgerError('file_malformed', message, { index }, cause)
}

function fillIdentity(event: TransactionRecorded, id: TransactionID | null, losses: string[]): void {
  if (id === null) {
    losses.push('no transaction id')
    return
  }
  if (losesAccount(id.accountID)) losses.push('a payer that is an alias or out of range')
  event.payerAccountId = accountNumber(id.accountID)
  if (losesTime(id.transactionValidStart)) losses.push('a valid start out of range')
  event.validStartTimestamp = id.transactionValidStart === null ? 0n : timeOf(id.transactionValidStart)
  event.nonce = id.nonce
  event.transactionIdScheduled = id.scheduled
}

function fillFromRecord(
  event: TransactionRecorded,
  record: FullRecord,
  body: TransactionBody | undefined,
  losses: string[],
): void {
  event.consensusTimestamp = timeOf(record.consensusTimestamp!)
  event.parentConsensusTimestamp = record.parentConsensusTimestamp && timeOf(record.parentConsensusTimestamp)
  event.scheduled = record.scheduleRef !== null
  event.result = record.receipt?.status ?? 0
  event.chargedTxFee = record.transactionFee
  event.transactionHash = record.transactionHash.length > 0 ? record.transactionHash : null
  event.highVolumePricingMultiplier = record.highVolumePricingMultiplier
  const transfer = body?.cryptoTransfer
  event.transfers = hbarTransfers(record.transferList?.accountAmounts ?? [], transfer, losses)
  if (record.tokenTransferLists.length > 0) {
    event.tokenTransfers = tokenTransfers(record.tokenTransferLists, transfer, losses)
    event.nftTransfers = nftTransfers(record.tokenTransferLists, transfer, losses)
  }
  if (record.paidStakingRewards.length > 0) {
    event.stakingRewards = record.paidStakingRewards.map(({ accountID, amount }) => ({
      accountId: accountNumber(accountID),
      amount,
    }))
  }
  if (record.assessedCustomFees.length > 0) event.assessedCustomFees = record.assessedCustomFees.map(assessedFee)
  event.record = record
  noteDifferences(event, record, body, losses)
}

function assessedFee(fee: FullRecord['assessedCustomFees'][number]): AssessedCustomFeeEntry {
  return {
    amount: fee.amount,
    collectorAccountId: orNull(accountNumber(fee.feeCollectorAccountId)),
    tokenId: orNull(numberOf(fee.tokenId)),
    effectivePayerAccountIds: fee.effectivePayerAccountId.map(accountNumber),
  }
}

/** The event has one memo and one transaction id, which body and record repeat. */
function noteDifferences(
  event: TransactionRecorded,
  record: FullRecord,
  body: TransactionBody | undefined,
  losses: string[],
): void {
  if (body && !record.memo.equals(body.memo)) losses.push('a memo in the record other than that of the body')
  const id = record.transactionID
  if (!id || !body) return
  const same =
    accountNumber(id.accountID) === event.payerAccountId &&
    (id.transactionValidStart === null ? 0n : timeOf(id.transactionValidStart)) === event.validStartTimestamp &&
    id.nonce === event.nonce &&
    id.scheduled === event.transactionIdScheduled
  if (!same) losses.push('a transaction id in the record other than that of the body')
}

function fillFromBody(event: TransactionRecorded, body: TransactionBody, losses: string[]): void {
  if (losesAccount(body.nodeAccountID)) losses.push('a node account that is an alias or out of range')
  event.nodeAccountId = orNull(accountNumber(body.nodeAccountID))
  event.maxFee = body.transactionFee
  event.validDurationSeconds = body.transactionValidDuration?.seconds ?? null
  event.memo = body.memo
  event.batchKey = body.batchKey.length > 0 ? body.batchKey : null
  event.highVolume = body.highVolume
  event.generateRecord = body.generateRecord
  if (body.maxCustomFees.length > 0) event.maxCustomFees = body.maxCustomFees.flatMap((limit) => maxFees(limit, losses))
}

function maxFees({ accountId, fees }: CustomFeeLimit, losses: string[]): MaxCustomFeeEntry[] {
  if (fees.length === 0) losses.push('a limit for custom fees without a fee')
  if (losesAccount(accountId)) losses.push('a limit for custom fees of an alias')
  return fees.map((fee) => ({
    accountId: orNull(accountNumber(accountId)),
    amount: fee.amount,
    denominatingTokenId: orNull(numberOf(fee.denominatingTokenId)),
  }))
}

/** The body proper and what the head tells of it. */
function fillFromKind(
  event: TransactionRecorded,
  body: TransactionBody,
  record: FullRecord,
  { type, field }: ExtractedBody,
): void {
  Object.assign(event, { [field!]: body[field!] })
  const entity = entityOf(type, { body, receipt: record.receipt, record, payerAccountId: event.payerAccountId })
  event.entityId = entity.id
  event.entityEvmAddress = entity.address
  if (type === transactionType.cryptoCreate) event.initialBalance = body.cryptoCreateAccount!.initialBalance
  if (type === transactionType.contractCreate) event.initialBalance = body.contractCreateInstance!.initialBalance
}

function isNodeTransaction(type: number): boolean {
  return type >= transactionType.nodeCreate && type <= transactionType.nodeDelete
}
