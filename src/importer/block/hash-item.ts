import { blockItem, firstTreeLeaf, lastTreeLeaf } from '#src/domain/block-items.ts'
import { type Fail, FieldReader } from '#src/domain/field-reader.ts'
import { hashBytes } from '#src/importer/record/hash.ts'

/** An item of which only the hash is there. */
export interface HashItem {
  /** The leaf of the block whose tree it belongs to. */
  readonly leaf: number
  readonly hash: Buffer
}

/**
 * Reads a filtered or a redacted item. Of what somebody filtered out only consensus headers are no loss: history without the
 * others would have holes, so such a block is refused. What the network itself has redacted stays away for good.
 */
export function readHashItem(number: number, content: Buffer, fail: Fail): HashItem {
  const isRedacted = number === blockItem.redactedItem
  const treeField = isRedacted ? 3 : 2
  const fields = new FieldReader(content, fail)
  let leaf = 0
  let hash: Buffer | undefined
  while (fields.next()) {
    if (fields.field === 1) hash = fields.bytes()
    else if (fields.field === treeField) leaf = fields.int32()
  }
  if (hash?.length !== hashBytes)
    throw fail(`a hidden item has ${hash?.length ?? 0} bytes of hash instead of ${hashBytes}`)
  if (leaf < firstTreeLeaf || leaf > lastTreeLeaf)
    throw fail(`a hidden item is of the tree ${leaf}, which has no items`)
  if (!isRedacted && leaf !== firstTreeLeaf)
    throw fail('items of it have been filtered out; take it from a source of whole blocks')
  return { leaf, hash }
}
