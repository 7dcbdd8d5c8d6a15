import type { Bound, RowFilter, RowQuery } from '#src/ports/read-store.ts'

/** What makes a statement of a query, beside its collection and the fields it selects: all that is not a value. */
export interface QueryForm {
  readonly index: readonly string[]
  readonly prefixLength: number
  readonly lower: BoundForm
  readonly upper: BoundForm
  readonly descending: boolean
  readonly filters: string
}

type BoundForm = 'inclusive' | 'exclusive' | 'none'

export function formOf({ index, prefix = [], lower, upper, descending = false, filters }: RowQuery): QueryForm {
  return {
    index: [...index],
    prefixLength: prefix.length,
    lower: boundForm(lower),
    upper: boundForm(upper),
    descending,
    filters: filtersForm(filters),
  }
}

/** The same as comparing both forms, without making one: a text of all of it costs as much as reading a row. */
export function hasForm(query: RowQuery, form: QueryForm): boolean {
  const { index, prefix, lower, upper, descending = false, filters } = query
  return (
    form.prefixLength === (prefix === undefined ? 0 : prefix.length) &&
    form.descending === descending &&
    form.lower === boundForm(lower) &&
    form.upper === boundForm(upper) &&
    areEqual(form.index, index) &&
    form.filters === filtersForm(filters)
  )
}

function boundForm(bound: Bound | undefined): BoundForm {
  if (bound === undefined) return 'none'
  return bound.inclusive ? 'inclusive' : 'exclusive'
}

function filtersForm(filters: readonly RowFilter[] | undefined): string {
  if (filters === undefined || filters.length === 0) return ''
  return filters.map(({ field, op, value }) => `${field} ${op} ${Array.isArray(value) ? value.length : 1}`).join()
}

function areEqual(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false
  return true
}

/** From so many fields on, a list is likely to be a constant of its query, whose text is worth knowing. */
const longList = 6
const texts = new WeakMap<readonly string[], string>()

function textOf(fields: readonly string[]): string {
  if (fields.length < longList) return fields.join()
  const known = texts.get(fields)
  if (known !== undefined) return known
  const text = fields.join()
  texts.set(fields, text)
  return text
}

/** Entries of a collection for the fields that are selected of it. */
export class ByFields<T> {
  readonly #byCollection = new Map<string, Map<string, T[]>>()

  of(collection: string, select: readonly string[]): T[] {
    const ofCollection = this.#byCollection.get(collection) ?? new Map<string, T[]>()
    if (ofCollection.size === 0) this.#byCollection.set(collection, ofCollection)
    const text = textOf(select)
    const known = ofCollection.get(text)
    if (known !== undefined) return known
    const entries: T[] = []
    ofCollection.set(text, entries)
    return entries
  }
}
