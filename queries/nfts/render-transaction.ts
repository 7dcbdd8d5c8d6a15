import { decodeNftTransfers } from '#projections/transactions/packing.ts'
import type { transactionsSchema } from '#projections/transactions/schema.ts'
import { formatEntityId } from '#src/domain/entity-id.ts'
import { idText, timeText } from '#src/domain/json-text.ts'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'
import { transactionType, transactionTypeName } from '#src/domain/transaction-types.ts'
import type { RowOf } from '#src/ports/read-store.ts'

export const changeFields = ['consensusTimestamp', 'type', 'nonce', 'payer', 'validStart', 'nftTransfers'] as const

export type ChangingTransaction = Pick<RowOf<typeof transactionsSchema, 'transactions'>, (typeof changeFields)[number]>

/** JSON text of a transaction as the history of an NFT shows it: of what it moved only that NFT, the first time, as established clients know it. */
export function renderNftTransaction(transaction: ChangingTransaction, token: bigint, serial: bigint): string {
  const { consensusTimestamp, type, nonce, payer, validStart, nftTransfers } = transaction
  const transfers = type === transactionType.tokenDelete ? [] : decodeNftTransfers(nftTransfers)
  const moved = transfers.find(({ tokenId, serialNumber }) => tokenId === token && serialNumber === serial)
  const id = `${formatEntityId(payer)}-${formatLedgerTime(validStart).replace('.', '-')}`
  return (
    `{"consensus_timestamp":${timeText(consensusTimestamp)},"is_approval":${moved?.isApproval ?? false},"nonce":${nonce},` +
    `"receiver_account_id":${idText(moved?.receiverAccountId ?? null)},` +
    `"sender_account_id":${idText(moved?.senderAccountId ?? null)},"transaction_id":"${id}","type":"${transactionTypeName(type)}"}`
  )
}
