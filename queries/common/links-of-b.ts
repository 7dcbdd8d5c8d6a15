import { hasNothing, type NextLinkOptions, type PagingColumn, writeLink } from '#queries/common/links.ts'
import type { Order } from '#queries/common/parameters.ts'
import { splitOperatorOfB } from '#queries/common/parse-query-of-b.ts'

interface Entry {
  readonly name: string
  values: string[]
}

/** A parameter of dialect B that carries the position of the last row. */
export type ColumnOfB = Pick<PagingColumn, 'name' | 'last'>

interface NextLinkOfBOptions extends Omit<NextLinkOptions, 'columns'> {
  readonly columns: readonly ColumnOfB[]
}

/**
 * The address of the next page in dialect B. In every paging column, values in the direction of travel are dropped; then
 * the position is added, directly after the other values of its name or at the end, unless a value that must be equalled
 * remains. Null when what remains of the first column is an empty range of numbers: ids with dots and keys, which established
 * clients see written all the same, are none. Nothing is added where the last row has no value.
 */
export function nextLinkOfB({ path, query, order, columns: all }: NextLinkOfBOptions): string | null {
  const entries: Entry[] = query.map(({ name, values }) => ({ name, values: [...values] }))
  for (const { name } of all) {
    const entry = entries.find((each) => each.name === name)
    if (entry !== undefined) entry.values = entry.values.filter((value) => !isForward(value, order))
  }
  const columns = all.filter(({ last }) => last !== undefined)
  columns.forEach((column, index) => {
    if (isFixed(entries, column)) return
    const inclusive = columns.slice(index + 1).some((later) => !isFixed(entries, later))
    const position = `${order === 'asc' ? 'gt' : 'lt'}${inclusive ? 'e' : ''}:${column.last}`
    const entry = entries.find(({ name, values }) => name === column.name && values.length > 0)
    if (entry === undefined) entries.push({ name: column.name, values: [position] })
    else entry.values.push(position)
  })
  const [first] = columns
  return first !== undefined && isEmpty(entries, first) ? null : writeLink(path, entries)
}

function isForward(value: string, order: Order): boolean {
  const operator = splitOperatorOfB(value)?.operator
  return order === 'asc' ? operator === 'gt' || operator === 'gte' : operator === 'lt' || operator === 'lte'
}

function isFixed(entries: readonly Entry[], { name }: ColumnOfB): boolean {
  const values = entries.filter((entry) => entry.name === name).flatMap((entry) => entry.values)
  return values.some((value) => splitOperatorOfB(value)?.operator === 'eq')
}

const numberForm = /^\d+$/

function isEmpty(entries: readonly Entry[], { name }: ColumnOfB): boolean {
  const values = entries.filter((entry) => entry.name === name).flatMap((entry) => entry.values)
  const split = values.map(splitOperatorOfB).filter((each) => each !== undefined)
  const numbers = split.filter(({ text }) => numberForm.test(text))
  return hasNothing(numbers.map(({ operator, text }) => ({ operator, value: BigInt(text) })))
}
