import { decodeNftTransfers } from '#projections/transactions/packing.ts'
import type { transactionsSchema } from '#projections/transactions/schema.ts'
import { defineObject } from '#queries/common/define-object.ts'
import { nullableText, text } from '#queries/common/object-schema.ts'
import { formatEntityId } from '#src/domain/entity-id.ts'
import { idText, timeText } from '#src/domain/json-text.ts'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'
import { transactionType, transactionTypeName } from '#src/domain/transaction-types.ts'
import type { RowOf } from '#src/ports/read-store.ts'

export const changeFields = ['consensusTimestamp', 'type', 'nonce', 'payer', 'validStart', 'nftTransfers'] as const

export type ChangingTransaction = Pick<RowOf<typeof transactionsSchema, 'transactions'>, (typeof changeFields)[number]>

interface NftChange {
  readonly transaction: ChangingTransaction
  readonly moved: ReturnType<typeof decodeNftTransfers>[number] | undefined
}

export const nftTransactionObject = defineObject<NftChange>(
  {
    consensus_timestamp: [
      { ...text, description: 'Seconds and nanoseconds' },
      ({ transaction }) => timeText(transaction.consensusTimestamp),
    ],
    is_approval: [{ type: 'boolean' }, ({ moved }) => moved?.isApproval ?? false],
    nonce: [{ type: 'integer', minimum: 0 }, ({ transaction }) => transaction.nonce],
    receiver_account_id: [nullableText, ({ moved }) => idText(moved?.receiverAccountId ?? null)],
    sender_account_id: [nullableText, ({ moved }) => idText(moved?.senderAccountId ?? null)],
    transaction_id: [text, ({ transaction }) => transactionIdText(transaction)],
    type: [
      { ...text, description: 'Name of the transaction type' },
      ({ transaction }) => `"${transactionTypeName(transaction.type)}"`,
    ],
  },
  { title: 'NftTransaction' },
)

/** A transaction as the history of an NFT shows it: of what it moved only that NFT, the first time, as established clients know it. */
export function nftChange(transaction: ChangingTransaction, token: bigint, serial: bigint): NftChange {
  const { type, nftTransfers } = transaction
  const transfers = type === transactionType.tokenDelete ? [] : decodeNftTransfers(nftTransfers)
  const moved = transfers.find(({ tokenId, serialNumber }) => tokenId === token && serialNumber === serial)
  return { transaction, moved }
}

function transactionIdText({ payer, validStart }: ChangingTransaction): string {
  return `"${formatEntityId(payer)}-${formatLedgerTime(validStart).replace('.', '-')}"`
}
