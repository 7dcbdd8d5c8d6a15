import { encodeAuthorizations } from '#projections/contract-results/packing.ts'
import type { EthereumRow } from '#projections/contract-results/schema.ts'
import type { EthereumTransactionBody } from '#schemas/events/types.ts'
import type { EthereumTransaction } from '#src/domain/ethereum-transaction.ts'
import { numberOf, orNull } from '#src/events/ids.ts'

export function ethereumRow(
  time: bigint,
  { callData: file }: EthereumTransactionBody,
  { authorizationList, ...transaction }: EthereumTransaction,
): EthereumRow {
  return {
    time,
    ...transaction,
    callDataId: orNull(numberOf(file)),
    authorizations: encodeAuthorizations(authorizationList),
  }
}
