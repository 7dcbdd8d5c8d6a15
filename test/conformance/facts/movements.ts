import type { TransactionRecorded } from '#schemas/events/types.ts'
import type { CaseRow, CaseRows } from '#test/conformance/case-file.ts'
import * as read from '#test/conformance/row-values.ts'

/** Tables whose rows are parts of a transaction, found by its consensus time. */
const partTables = ['crypto_transfer', 'token_transfer', 'staking_reward_transfer', 'assessed_custom_fee'] as const

/** The rows of one consensus time, by table. */
export type Parts = Readonly<Record<(typeof partTables)[number], CaseRow[]>>

export const noParts: Parts = {
  crypto_transfer: [],
  token_transfer: [],
  staking_reward_transfer: [],
  assessed_custom_fee: [],
}

/** By consensus time in decimal digits. */
export function partsByTime(rows: CaseRows): Map<string, Parts> {
  const byTime = new Map<string, Parts>()
  for (const table of partTables) {
    for (const row of rows[table] ?? []) {
      const time = read.int64(row, 'consensus_timestamp').toString()
      const parts = byTime.get(time) ?? structuredClone(noParts)
      parts[table].push(row)
      byTime.set(time, parts)
    }
  }
  return byTime
}

/** Whoever paid for what the rows are parts of. */
export function payerOf(parts: Parts): bigint {
  const [row] = partTables.flatMap((table) => parts[table])
  return row === undefined ? 0n : read.int64(row, 'payer_account_id')
}

/** What moved with a transaction; of NFTs its own row tells. */
export function movements(row: CaseRow, parts: Parts): Partial<TransactionRecorded> {
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
