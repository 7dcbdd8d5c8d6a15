import type { Filter, Order } from '#queries/common/parameters.ts'
import { splitOperator } from '#queries/common/parse-query.ts'
import type { QueryParameters } from '#queries/common/query-string.ts'
import { isEmpty, selectionOf } from '#queries/common/range.ts'
import { minInt64 } from '#src/domain/ledger-time.ts'

/** A parameter that carries the position of the last row to the next page. */
export interface PagingColumn {
  readonly name: string
  /** The last row's value as it is written into the link; undefined where it has none. */
  readonly last: string | undefined
  /** The number that a value of this parameter (with or without operator) stands for; undefined when it is none. */
  readonly numberOf: (value: string) => bigint | undefined
}

export interface NextLinkOptions {
  /** Path of the request as sent; a trailing slash is dropped. */
  readonly path: string
  readonly query: QueryParameters
  readonly order: Order
  /** In the order of the sort: all but the last are bounded inclusively. */
  readonly columns: readonly PagingColumn[]
}

/**
 * The address of the next page: the request's own parameters in their order, as read, with bounds in the direction of
 * travel replaced by the position of the last row. Null when what remains of the first column is an empty range.
 */
export function nextLink({ path, query, order, columns }: NextLinkOptions): string | null {
  const entries = query.map(({ name, values }) => ({ name, values }))
  columns.forEach((column, index) => {
    const inclusive = columns.slice(index + 1).some(({ name }) => !isFixed(query, name))
    setPosition(entries, column, `${operatorOf(order, inclusive)}:${column.last}`, order)
  })
  const [first] = columns
  if (first !== undefined && isEmptyRange(entries, first)) return null
  return writeLink(path, entries)
}

/** An address with these parameters, their values as read. */
export function writeLink(path: string, query: QueryParameters): string {
  const text = query.flatMap(({ name, values }) => values.map((value) => `${name}=${written(value)}`)).join('&')
  return `${trimSlash(path)}?${text}`
}

/** What would end a value or the address, or be read as something else; `=` only where it follows a bracket. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not stand in an address
const misread = /[\x00-\x20\x7f#%&+]|(?<=\])=/g

/** A value as the next request must write it to be read the same. Everything else stays as established clients see it. */
function written(value: string): string {
  return value.replace(misread, encodeURIComponent)
}

interface Entry {
  readonly name: string
  values: readonly string[]
}

function setPosition(entries: Entry[], column: PagingColumn, position: string, order: Order): void {
  const index = entries.findIndex(({ name }) => name === column.name)
  const entry = entries[index]
  if (entry === undefined) {
    entries.push({ name: column.name, values: [position] })
    return
  }
  const kept = entry.values.filter((value) => !isForward(value, order))
  if (kept.length > 0) {
    // Values that were all to be equalled leave nothing to move on to: the link repeats the request.
    if (!isFixed(entries, column.name)) entry.values = [...kept, position]
    return
  }
  // A name given once loses its place together with its value; a repeated one keeps it.
  if (entry.values.length === 1) entries.push(...entries.splice(index, 1))
  entry.values = [position]
}

function operatorOf(order: Order, inclusive: boolean): string {
  return `${order === 'asc' ? 'gt' : 'lt'}${inclusive ? 'e' : ''}`
}

function isForward(value: string, order: Order): boolean {
  const { operator } = splitOperator(value)
  return order === 'asc' ? operator === 'gt' || operator === 'gte' : operator === 'lt' || operator === 'lte'
}

function isFixed(query: QueryParameters, name: string): boolean {
  const given = query.find((parameter) => parameter.name === name)
  return given?.values.every((value) => splitOperator(value).operator === 'eq') ?? false
}

function isEmptyRange(entries: readonly Entry[], { name, numberOf }: PagingColumn): boolean {
  const values = entries.find((entry) => entry.name === name)?.values ?? []
  const filters = values.flatMap((given) => {
    const { operator } = splitOperator(given)
    const value = numberOf(given)
    return operator === undefined || value === undefined ? [] : [{ operator, value }]
  })
  return hasNothing(filters)
}

/** Whether bounds on both sides leave nothing between them. */
export function hasNothing(filters: readonly Filter<bigint>[]): boolean {
  const range = selectionOf(filters, minInt64)
  return range.hasLower && range.hasUpper && isEmpty(range)
}

function trimSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}
