import type { transactionsSchema } from '#projections/transactions/schema.ts'
import { formatEntityId } from '#src/domain/entity-id.ts'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'
import { transactionType, transactionTypeName } from '#src/domain/transaction-types.ts'
import type { RowOf } from '#src/ports/read-store.ts'

export type ChangingTransaction = Pick<
  RowOf<typeof transactionsSchema, 'transactions'>,
  'consensusTimestamp' | 'type' | 'nonce' | 'payer' | 'validStart' | 'body'
>

interface Transfer {
  readonly is_approval: boolean
  readonly receiver_account_id: string | null
  readonly sender_account_id: string | null
}

const noTransfer: Transfer = { is_approval: false, receiver_account_id: null, sender_account_id: null }

/** JSON text of a transaction as the history of an NFT shows it: of what it moved only that NFT. */
export function renderNftTransaction(transaction: ChangingTransaction, token: bigint, serial: bigint): string {
  const { consensusTimestamp, type, nonce, payer, validStart, body } = transaction
  const isDeletion = type === transactionType.tokenDelete
  const transfer = (isDeletion ? undefined : transferOf(body, token, serial)) ?? noTransfer
  const id = `${formatEntityId(payer)}-${formatLedgerTime(validStart).replace('.', '-')}`
  return (
    `{"consensus_timestamp":"${formatLedgerTime(consensusTimestamp)}","is_approval":${transfer.is_approval},"nonce":${nonce},` +
    `"receiver_account_id":${JSON.stringify(transfer.receiver_account_id)},` +
    `"sender_account_id":${JSON.stringify(transfer.sender_account_id)},"transaction_id":"${id}","type":"${transactionTypeName(type)}"}`
  )
}

/** The first of them, as established clients know it. Found in the text, since serial numbers may exceed what JSON gives. */
function transferOf(body: string, token: bigint, serial: bigint): Transfer | undefined {
  const end = `"serial_number":${serial},"token_id":"${formatEntityId(token)}"}`
  const at = body.indexOf(end)
  if (at === -1) return undefined
  return JSON.parse(body.slice(body.lastIndexOf('{', at), at + end.length)) as Transfer
}
