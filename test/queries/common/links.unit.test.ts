import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PagingColumn } from '#queries/common/links.ts'
import { nextLink } from '#queries/common/links.ts'
import type { Order } from '#queries/common/parameters.ts'
import { splitOperator } from '#queries/common/parse-query.ts'
import { parseQueryString } from '#queries/common/query-string.ts'

function column(name: string, last: string): PagingColumn {
  return { name, last, numberOf: (value) => BigInt(splitOperator(value).text) }
}

function link(text: string, order: Order, columns: readonly PagingColumn[], path = '/items') {
  return nextLink({ path, query: parseQueryString(text, 100), order, columns })
}

describe('nextLink', () => {
  it.each<[string, Order, string | null]>([
    ['', 'desc', '/items?n=lt:5'],
    ['limit=2', 'asc', '/items?limit=2&n=gt:5'],
    ['n=lt:9&limit=2', 'desc', '/items?limit=2&n=lt:5'],
    ['n=lt:9&n=lte:8&limit=2', 'desc', '/items?n=lt:5&limit=2'],
    ['n=gte:1&limit=2', 'desc', '/items?n=gte:1&n=lt:5&limit=2'],
    ['n=gte:1&n=lt:9&limit=2', 'desc', '/items?n=gte:1&n=lt:5&limit=2'],
    ['n=5&limit=1', 'desc', '/items?n=5&limit=1'],
    ['n=gte:1&n=ne:7&limit=1', 'desc', '/items?n=gte:1&n=ne:7&n=lt:5&limit=1'],
    ['n=ne:7&n=lt:9&limit=1', 'desc', '/items?n=ne:7&n=lt:5&limit=1'],
    ['n=lt:9&n=ne:7&limit=1', 'desc', '/items?n=ne:7&n=lt:5&limit=1'],
    ['n=ne:7&n=lt:9&limit=1', 'asc', '/items?n=ne:7&n=lt:9&n=gt:5&limit=1'],
    ['n=ne:7&limit=1', 'desc', '/items?n=ne:7&n=lt:5&limit=1'],
    ['n=5&n=lt:9&limit=1', 'asc', '/items?n=5&n=lt:9&n=gt:5&limit=1'],
    ['n=gt:4&limit=1', 'desc', null],
    ['n=gte:5&limit=1', 'desc', null],
    ['n=lte:5', 'asc', null],
    ['N=gte%3A1&Order=DESC', 'desc', '/items?n=gte:1&n=lt:5&order=desc'],
  ])('turns %s (%s) into %s', (text, order, expected) => {
    expect(link(text, order, [column('n', '5')])).toBe(expected)
  })

  it.each([
    ['n=7&a=%26order%3Dasc%26x:gt:1', 'a=%26order=asc%26x:gt:1'],
    ['n=7&a=%23x%2B%20y%25:gt:1', 'a=%23x%2B%20y%25:gt:1'],
    ['n=7&a=%0d%0aSet-Cookie:gt:1', 'a=%0D%0ASet-Cookie:gt:1'],
    ['n=7&a=%5B%5D%3D:gt:1', 'a=[]%3D:gt:1'],
    ['n=7&a=%zz%41:gt:1', 'a=%25zz%2541:gt:1'],
    ['n=7&a=x=y:gt:1', 'a=x=y:gt:1'],
  ])('writes the values of %s so that they are read the same again', (text, expected) => {
    const next = link(text, 'desc', [column('n', '5')])
    expect(next).toBe(`/items?n=7&${expected}`)
    expect(parseQueryString(next!.slice('/items?'.length), 100)).toEqual(parseQueryString(text, 100))
  })

  it('reads any value the same again', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'&=#%+ []5bBdé:x\0\n') }), (value) => {
        const query = [{ name: 'a', values: [value] }]
        const next = nextLink({ path: '/items', query, order: 'asc', columns: [column('n', '5')] })
        expect(parseQueryString(next!.slice('/items?'.length), 100)).toEqual([
          ...query,
          { name: 'n', values: ['gt:5'] },
        ])
      }),
      { numRuns: 2_000 },
    )
  })

  it('drops a trailing slash of the path', () => {
    expect(link('', 'asc', [column('n', '5')], '/items/')).toBe('/items?n=gt:5')
  })

  it('bounds the first of two columns inclusively unless the second is fixed', () => {
    const columns = [column('a', '5'), column('b', '7')]
    expect(link('limit=1', 'asc', columns)).toBe('/items?limit=1&a=gte:5&b=gt:7')
    expect(link('b=7&limit=1', 'asc', columns)).toBe('/items?b=7&limit=1&a=gt:5')
  })
})
