import { expect, it } from 'vitest'
import { ByFields, formOf, hasForm } from '#src/adapters/sqlite/query-forms.ts'
import type { RowQuery } from '#src/ports/read-store.ts'

const query: RowQuery = {
  collection: 'rows',
  index: ['kind', 'time'],
  prefix: [1],
  lower: { value: 5n, inclusive: true },
  filters: [{ field: 'state', op: 'in', value: [1, 2] }],
  limit: 25,
  select: ['time'],
}

it('is the same for queries that differ in values only', () => {
  const others: Partial<RowQuery>[] = [
    { prefix: [2], limit: 1 },
    { lower: { value: 6n, inclusive: true } },
    { filters: [{ field: 'state', op: 'in', value: [3, null] }] },
    { descending: false, index: ['kind', 'time'] },
  ]
  for (const other of others) expect(hasForm({ ...query, ...other }, formOf(query))).toBe(true)
})

it('differs with whatever makes another statement', () => {
  const { lower: _lower, filters: _filters, prefix: _prefix, ...without } = query
  const others: RowQuery[] = [
    { ...query, index: ['kind', 'label'] },
    { ...query, index: ['kind', 'time', 'label'] },
    { ...query, prefix: [] },
    { ...query, prefix: [1, 2n] },
    { ...query, lower: { value: 5n, inclusive: false } },
    { ...query, upper: { value: 5n, inclusive: true } },
    { ...query, descending: true },
    { ...query, filters: [{ field: 'state', op: 'in', value: [1] }] },
    { ...query, filters: [{ field: 'state', op: 'ne', value: 1 }] },
    { ...query, filters: [] },
    without,
  ]
  for (const other of others) expect(hasForm(other, formOf(query))).toBe(false)
  for (const [index, other] of others.entries())
    expect(others.findIndex((each) => hasForm(each, formOf(other)))).toBe(index)
})

it('keeps what belongs to a collection and the fields selected of it apart', () => {
  const entries = new ByFields<string>()
  entries.of('rows', ['a', 'b']).push('first')
  expect(entries.of('rows', ['a', 'b'])).toEqual(['first'])
  for (const [collection, select] of [
    ['rows', ['b', 'a']],
    ['rows', ['a']],
    ['others', ['a', 'b']],
  ] as const)
    expect(entries.of(collection, select)).toEqual([])
})
