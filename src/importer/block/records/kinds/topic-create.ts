import { writeId } from '#src/importer/block/records/ids.ts'
import type { KindOfRecord } from '#src/importer/block/records/record-draft.ts'
import { claimTopic } from '#src/importer/block/records/state/new-ids.ts'

export const topicCreate: KindOfRecord = ({ context, draft, warn }) => {
  const id = claimTopic(context)
  if (id) draft.topicId = writeId(id)
  else warn('the id of the topic that was created')
}
