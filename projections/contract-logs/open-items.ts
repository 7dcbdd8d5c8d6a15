import type { ResultContracts } from '#projections/contract-logs/contract-result.ts'
import type { OpenItemRow } from '#projections/contract-logs/schema.ts'

/** The contract that stands for a hook while it runs. */
const hooksContract = 365n

const nowhere = -1

/** Finds an item of the open block. */
export type FindItem = (place: number) => OpenItemRow | undefined

interface NewItem extends Pick<ResultContracts, 'resultContract'> {
  readonly place: number
  readonly parent: bigint | null
  readonly transactionIndex: number | null
}

export type Relations = Pick<OpenItemRow, 'parentPlace' | 'hookPlace' | 'hostPlace'>

/**
 * What an item belongs to. Its parent is the item before it, or that one's parent or grandparent: those come directly after.
 * What is made for it is shown with the hook that ran last for the same parent, where only parts of calls came between, else
 * with its parent, where this is a call.
 */
export function relationsOf(item: NewItem, find: FindItem): Relations {
  const { place, parent, resultContract } = item
  const before = place === 0 ? undefined : find(place - 1)
  if (parent === null || before === undefined) return { parentPlace: nowhere, hookPlace: nowhere, hostPlace: place }
  const parentPlace = parentAmong(before, parent, find)
  const hookPlace = before.parent === parent ? hookBefore(item, before) : nowhere
  const isOfHook = hookPlace !== nowhere && resultContract !== null && !isHook(resultContract)
  if (isOfHook) return { parentPlace, hookPlace, hostPlace: hookPlace }
  const isOfCall = parentPlace !== nowhere && find(parentPlace)?.resultContract !== null
  return { parentPlace, hookPlace, hostPlace: isOfCall ? parentPlace : place }
}

function parentAmong(before: OpenItemRow, parent: bigint, find: FindItem): number {
  for (let item: OpenItemRow | undefined = before; item !== undefined; ) {
    if (item.time === parent) return item.place
    item = item.parentPlace === nowhere ? undefined : find(item.parentPlace)
  }
  return nowhere
}

/** The last hook that ran for the same parent, unless something that is no part of a call came after it. */
function hookBefore({ transactionIndex }: NewItem, before: OpenItemRow): number {
  const isNext =
    transactionIndex === null || before.transactionIndex === null || before.transactionIndex + 1 === transactionIndex
  if (!isNext || before.resultContract === null) return nowhere
  return isHook(before.resultContract) ? before.place : before.hookPlace
}

function isHook(contract: bigint): boolean {
  return (contract & 0x3fffffffffn) === hooksContract
}
