import type { KindOfRecord } from '#src/importer/block/records/record-draft.ts'
import { claimNode } from '#src/importer/block/records/state/new-ids.ts'

export const nodeCreate: KindOfRecord = ({ context, draft, warn }) => {
  const id = claimNode(context)
  if (id !== undefined) draft.nodeId = id
  else warn('the id of the node that was created')
}
