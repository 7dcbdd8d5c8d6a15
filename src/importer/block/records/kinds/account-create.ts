import { asBuffer } from '#src/domain/bytes.ts'
import { evmAddressOfAlias } from '#src/domain/evm-address.ts'
import { fieldValue } from '#src/importer/block/records/field-values.ts'
import { readId, writeId } from '#src/importer/block/records/ids.ts'
import { output, outputOf } from '#src/importer/block/records/outputs.ts'
import type { KindOfRecord } from '#src/importer/block/records/record-draft.ts'
import { readTransactionId } from '#src/importer/block/records/transaction-id.ts'

const aliasField = 18
const evmAddressBytes = 20

export const accountCreate: KindOfRecord = ({ transaction, draft, fail, warn }) => {
  const created = outputOf(transaction, output.accountCreate, fail)
  const id = created && readId(fieldValue(created, 1, fail), fail)
  if (id) draft.accountId = writeId(id)
  else warn('the id of the account that was created')
  const alias = fieldValue(transaction.body.content, aliasField, fail)
  const address = alias && evmAddressOfAlias(alias)
  // An alias that is an address needs no saying.
  if (address && address !== alias) draft.evmAddress = asBuffer(address)
  // The record of one that nobody submitted names the alias; an address is none.
  const isSubmitted = readTransactionId(transaction.body.transactionId, fail).nonce === 0
  if (alias && !isSubmitted && alias.length !== evmAddressBytes) draft.alias = alias
}
