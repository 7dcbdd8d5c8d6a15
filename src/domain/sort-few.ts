/**
 * Sorts in place, keeping the order of equals: by insertion, which beats the general sort for the handful of entries that a
 * transaction has.
 */
export function sortFew<T>(items: T[], compare: (a: T, b: T) => number): T[] {
  if (items.length > manyItems) return items.sort(compare)
  for (let index = 1; index < items.length; index++) {
    const item = items[index]!
    let at = index
    for (; at > 0 && compare(items[at - 1]!, item) > 0; at--) items[at] = items[at - 1]!
    items[at] = item
  }
  return items
}

/** From here on the general sort is faster. */
const manyItems = 24
