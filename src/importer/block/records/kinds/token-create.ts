import { writeId } from '#src/importer/block/records/ids.ts'
import type { KindOfRecord } from '#src/importer/block/records/record-draft.ts'
import { claimToken } from '#src/importer/block/records/state/new-ids.ts'

export const tokenCreate: KindOfRecord = ({ context, draft, warn }) => {
  const id = claimToken(context)
  if (id) draft.tokenId = writeId(id)
  else warn('the id of the token that was created')
}
