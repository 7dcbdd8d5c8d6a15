import type { TransactionRecorded } from '#schemas/events/types.ts'
import { formatEntityId } from '#src/domain/entity-id.ts'
import { idText, timeText } from '#src/domain/json-text.ts'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'
import { renderKey } from '#src/domain/public-key.ts'
import { responseCodeName } from '#src/domain/response-codes.ts'
import { sortFew } from '#src/domain/sort-few.ts'
import { transactionTypeName } from '#src/domain/transaction-types.ts'

/** Fields of the event that the rows show or are found by. */
export const transactionFields = [
  'consensusTimestamp',
  'validStartTimestamp',
  'payerAccountId',
  'nonce',
  'scheduled',
  'parentConsensusTimestamp',
  'type',
  'result',
  'nodeAccountId',
  'entityId',
  'chargedTxFee',
  'maxFee',
  'validDurationSeconds',
  'memo',
  'transactionHash',
  'batchKey',
  'highVolume',
  'highVolumePricingMultiplier',
  'maxCustomFees',
  'innerTransactions',
  'transfers',
  'tokenTransfers',
  'nftTransfers',
  'stakingRewards',
  'assessedCustomFees',
  'transactionBytes',
  'successful',
] as const satisfies readonly (keyof TransactionRecorded)[]

/** What the transaction rows are made of. */
export type TransactionFacts = Pick<TransactionRecorded, (typeof transactionFields)[number]>

/** What of them counts of a transaction, given how it ended. */
export type TokenMoves = Pick<TransactionFacts, 'tokenTransfers' | 'nftTransfers' | 'assessedCustomFees'>

/** The account that pays staking rewards; only transactions that debit it list them. */
const stakingRewardAccount = 800n

/** JSON text of the API's transaction object, without assessed_custom_fees. */
export function renderTransaction(facts: TransactionFacts, moves: TokenMoves): string {
  const { maxFee, validDurationSeconds } = facts
  const validStart = formatLedgerTime(facts.validStartTimestamp)
  return (
    `{"batch_key":${facts.batchKey === null ? 'null' : renderKey(facts.batchKey)},"bytes":${base64(facts.transactionBytes)},` +
    `"charged_tx_fee":${facts.chargedTxFee},"consensus_timestamp":"${formatLedgerTime(facts.consensusTimestamp)}",` +
    `"entity_id":${idText(facts.entityId)},"high_volume":${facts.highVolume},` +
    `"high_volume_pricing_multiplier":${facts.highVolumePricingMultiplier},"max_custom_fees":${maxCustomFees(facts.maxCustomFees)},` +
    `"max_fee":${maxFee === null ? 'null' : `"${maxFee}"`},"memo_base64":${base64(facts.memo)},` +
    `"name":"${transactionTypeName(facts.type)}","nft_transfers":${nftTransfers(moves.nftTransfers)},"node":${idText(facts.nodeAccountId)},` +
    `"nonce":${facts.nonce},"parent_consensus_timestamp":${timeText(facts.parentConsensusTimestamp)},` +
    `"result":"${responseCodeName(facts.result)}","scheduled":${facts.scheduled},` +
    `"staking_reward_transfers":${stakingRewards(facts)},"token_transfers":${tokenTransfers(moves.tokenTransfers)},` +
    `"transaction_hash":${base64(facts.transactionHash)},` +
    `"transaction_id":"${formatEntityId(facts.payerAccountId)}-${validStart.replace('.', '-')}",` +
    `"transfers":${transfers(facts.transfers)},` +
    `"valid_duration_seconds":${validDurationSeconds === null ? 'null' : `"${validDurationSeconds}"`},` +
    `"valid_start_timestamp":"${validStart}"}`
  )
}

/** JSON text of assessed_custom_fees, null when there are none: then the answer leaves the field out. */
export function renderAssessedCustomFees(fees: TransactionFacts['assessedCustomFees']): string | null {
  if (fees.length === 0) return null
  return list(
    fees,
    ({ amount, collectorAccountId, effectivePayerAccountIds, tokenId }) =>
      `{"amount":${amount},"collector_account_id":${idText(collectorAccountId)},` +
      `"effective_payer_account_ids":${list(effectivePayerAccountIds, idText)},"token_id":${idText(tokenId)}}`,
  )
}

function base64(bytes: Buffer | null): string {
  return bytes === null ? 'null' : `"${bytes.toString('base64')}"`
}

function list<T>(items: readonly T[], render: (item: T) => string): string {
  let text = '['
  for (let index = 0; index < items.length; index++)
    text += index === 0 ? render(items[index]!) : `,${render(items[index]!)}`
  return `${text}]`
}

function ascending(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Without those marked as mistakes of the record, by account then amount. */
function transfers(all: TransactionFacts['transfers']): string {
  const shown = all.filter(({ errata }) => errata !== 'DELETE')
  sortFew(shown, (a, b) => ascending(a.accountId, b.accountId) || ascending(a.amount, b.amount))
  return list(
    shown,
    ({ accountId, amount, isApproval }) =>
      `{"account":${idText(accountId)},"amount":${amount},"is_approval":${isApproval}}`,
  )
}

function tokenTransfers(all: TransactionFacts['tokenTransfers']): string {
  if (all.length === 0) return '[]'
  const sorted = sortFew([...all], (a, b) => ascending(a.tokenId, b.tokenId) || ascending(a.accountId, b.accountId))
  return list(
    sorted,
    ({ tokenId, accountId, amount, isApproval }) =>
      `{"account":${idText(accountId)},"amount":${amount},"is_approval":${isApproval},"token_id":${idText(tokenId)}}`,
  )
}

function nftTransfers(all: TransactionFacts['nftTransfers']): string {
  return list(
    all,
    ({ isApproval, receiverAccountId, senderAccountId, serialNumber, tokenId }) =>
      `{"is_approval":${isApproval},"receiver_account_id":${idText(receiverAccountId)},"sender_account_id":${idText(senderAccountId)},` +
      `"serial_number":${serialNumber},"token_id":${idText(tokenId)}}`,
  )
}

function stakingRewards({ stakingRewards: rewards, transfers: all }: TransactionFacts): string {
  if (rewards.length === 0 || !all.some(({ accountId }) => accountId === stakingRewardAccount)) return '[]'
  return list(rewards, ({ accountId, amount }) => `{"account":${idText(accountId)},"amount":${amount}}`)
}

function maxCustomFees(fees: TransactionFacts['maxCustomFees']): string {
  return list(
    fees,
    ({ accountId, amount, denominatingTokenId }) =>
      `{"account_id":${idText(accountId)},"amount":${amount},"denominating_token_id":${idText(denominatingTokenId)}}`,
  )
}
