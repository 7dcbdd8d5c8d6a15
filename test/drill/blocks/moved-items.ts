import { leafOfItem } from '#src/domain/block-items.ts'
import type { Item } from '#test/drill/blocks/block-items.ts'
import type { Dice } from '#test/drill/blocks/damage.ts'

/** The tree that an item is a leaf of; 0 where of none. */
export const treeOf = ({ number }: Item): number => leafOfItem(number) ?? 0

/** Where an item of a block may stand without a change of the block's hash: between its neighbours in its own tree. */
function placesOf(items: readonly Item[], at: number): [from: number, to: number] {
  const isBound = (other: Item) => treeOf(other) === treeOf(items[at]!) || treeOf(other) === 0
  let [from, to] = [at, at]
  while (from > 1 && !isBound(items[from - 1]!)) from--
  while (to < items.length - 1 && !isBound(items[to + 1]!)) to++
  return [from, to]
}

/** The items with one of them elsewhere, by chance, such that the block's hash stays; undefined where it has no other place. */
export function movedItem(items: readonly Item[], dice: Dice, isWanted: (item: Item) => boolean): Item[] | undefined {
  const movable = items.flatMap((one, at) => (at > 0 && treeOf(one) !== 0 && isWanted(one) ? [at] : []))
  const at = dice.pick(movable)
  if (at === undefined) return undefined
  const [from, to] = placesOf(items, at)
  if (from === to) return undefined
  return items.toSpliced(at, 1).toSpliced(from + dice.below(to - from + 1), 0, items[at]!)
}

/** The same items, those of each tree in their order, otherwise by chance. */
export function mixedItems(items: readonly Item[], dice: Dice): Item[] {
  const [header, ...rest] = items as [Item, ...Item[]]
  const trees = new Map<number, Item[]>()
  for (const one of rest) trees.set(treeOf(one), [...(trees.get(treeOf(one)) ?? []), one])
  const tail = trees.get(0) ?? []
  trees.delete(0)
  const mixed: Item[] = [header]
  const waiting = [...trees.values()]
  while (waiting.length > 0) {
    const at = dice.below(waiting.length)
    mixed.push(waiting[at]!.shift()!)
    if (waiting[at]!.length === 0) waiting.splice(at, 1)
  }
  return [...mixed, ...tail]
}
