import { fieldValue } from '#src/importer/block/records/field-values.ts'
import { numbered, readId, writeId } from '#src/importer/block/records/ids.ts'
import type { KindOfRecord } from '#src/importer/block/records/record-draft.ts'
import { contractOfAddress } from '#src/importer/block/records/state/accounts.ts'

const contractField = 1

/** An update or a deletion: the contract that the body names; by its address as far as the state tells whose it is. */
export const contractChange: KindOfRecord = ({ transaction, context, draft, fail, warn }) => {
  const named = readId(fieldValue(transaction.body.content, contractField, fail), fail)
  const id = named && numbered(named)
  const contract = id?.alias ? contractOfAddress(context, id.alias) : id
  if (contract) draft.contractId = writeId(contract)
  else warn('the id of the contract that was changed')
}
