import { blockItem, firstTreeLeaf, lastTreeLeaf } from '#src/domain/block-items.ts'
import { type Fail, FieldReader } from '#src/domain/field-reader.ts'
import { hashBytes } from '#src/domain/merkle-tree.ts'

/** An item of which only the hash is there. */
export interface HashItem {
  /** The leaf of the block whose tree it belongs to. */
  readonly leaf: number
  readonly hash: Buffer
}

/**
 * Reads a redacted item, of which the network keeps the hash alone. Anybody can say that an item is one, or that a whole tree is: its hash is
 * taken as it is. So is that of a filtered one, which whoever serves the block has left out: history without it has holes.
 */
export function readHashItem(number: number, content: Buffer, fail: Fail): HashItem {
  if (number === blockItem.filteredSingleItem)
    throw fail('items of it have been filtered out; take it from a source of whole blocks')
  const fields = new FieldReader(content, fail)
  let leaf = 0
  let hash: Buffer | undefined
  while (fields.next()) {
    if (fields.field === 1) hash = fields.bytes()
    else if (fields.field === 3) leaf = fields.int32()
  }
  if (hash?.length !== hashBytes)
    throw fail(`a hidden item has ${hash?.length ?? 0} bytes of hash instead of ${hashBytes}`)
  if (leaf < firstTreeLeaf || leaf > lastTreeLeaf)
    throw fail(`a hidden item is of the tree ${leaf}, which has no items`)
  return { leaf, hash }
}
