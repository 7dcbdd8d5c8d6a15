import { fieldValue } from '#src/importer/block/records/field-values.ts'
import { numbered, readId, writeId } from '#src/importer/block/records/ids.ts'
import type { KindOfRecord } from '#src/importer/block/records/record-draft.ts'
import { accountOfAlias } from '#src/importer/block/records/state/accounts.ts'

const accountField = 2

/** The account that the body names; by its alias as far as the state tells whose it is. */
export const accountUpdate: KindOfRecord = ({ transaction, context, draft, fail, warn }) => {
  const named = readId(fieldValue(transaction.body.content, accountField, fail), fail)
  const id = named && numbered(named)
  const account = id?.alias ? accountOfAlias(context, id.alias) : id
  if (account) draft.accountId = writeId(account)
  else warn('the id of the account that was updated')
}
