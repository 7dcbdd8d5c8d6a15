import type { KindOfRecord } from '#src/importer/block/records/record-draft.ts'
import { claimRegisteredNode } from '#src/importer/block/records/state/new-ids.ts'

export const registeredNodeCreate: KindOfRecord = ({ context, draft, warn }) => {
  const id = claimRegisteredNode(context)
  if (id !== undefined) draft.registeredNodeId = id
  else warn('the id of the registered node that was created')
}
