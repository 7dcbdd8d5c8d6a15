import { writeId } from '#src/importer/block/records/ids.ts'
import type { KindOfRecord } from '#src/importer/block/records/record-draft.ts'
import { claimFile } from '#src/importer/block/records/state/new-ids.ts'

export const fileCreate: KindOfRecord = ({ context, draft, warn }) => {
  const id = claimFile(context)
  if (id) draft.fileId = writeId(id)
  else warn('the id of the file that was created')
}
