/** Numbers of the items that a block consists of; see schemas/protobuf/block-stream.proto. */
export const blockItem = {
  header: 1,
  eventHeader: 2,
  roundHeader: 3,
  signedTransaction: 4,
  transactionResult: 5,
  transactionOutput: 6,
  stateChanges: 7,
  filteredSingleItem: 8,
  proof: 9,
  recordFile: 10,
  traceData: 11,
  footer: 12,
  redactedItem: 19,
} as const

/** The trees that items are leaves of, by their place among the leaves of the block: each has one, from 1. */
export const blockTree = { consensusHeaders: 4, input: 5, output: 6, stateChanges: 7, trace: 8 } as const
export type BlockTreeLeaf = number

/** The first leaf that is the root of a tree of items, and the last one, kept for what is still to come. */
export const firstTreeLeaf = 4
export const lastTreeLeaf = 16

/** An item that is no leaf of any tree. */
export const notHashed = 0
/** Its tree is named in the item itself, which is a hash. */
export const namedInItem = -1

const leafOfKnown: Readonly<Record<number, number>> = {
  [blockItem.header]: blockTree.output,
  [blockItem.eventHeader]: blockTree.consensusHeaders,
  [blockItem.roundHeader]: blockTree.consensusHeaders,
  [blockItem.signedTransaction]: blockTree.input,
  [blockItem.transactionResult]: blockTree.output,
  [blockItem.transactionOutput]: blockTree.output,
  [blockItem.stateChanges]: blockTree.stateChanges,
  [blockItem.filteredSingleItem]: namedInItem,
  [blockItem.proof]: notHashed,
  [blockItem.recordFile]: blockTree.output,
  [blockItem.traceData]: blockTree.trace,
  [blockItem.footer]: notHashed,
  [blockItem.redactedItem]: namedInItem,
}

/** Numbers from here on are kept for items to come, so many for each tree that one tells the tree. */
const reservedFrom = 20

/**
 * The leaf of the block whose tree an item with this number belongs to, `notHashed` or `namedInItem`. Undefined where nothing says
 * it: leaving such an item out would give another hash without a word.
 */
export function leafOfItem(number: number): BlockTreeLeaf | undefined {
  if (number < reservedFrom) return leafOfKnown[number]
  const place = number % reservedFrom
  if (place === 0 || place === reservedFrom - 1) return notHashed
  const leaf = place + 1
  return leaf >= firstTreeLeaf && leaf <= lastTreeLeaf ? leaf : undefined
}
