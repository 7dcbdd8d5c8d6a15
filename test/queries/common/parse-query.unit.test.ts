import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseExactQuery, parseQuery, splitOperator } from '#queries/common/parse-query.ts'
import { parseQueryString } from '#queries/common/query-string.ts'
import { defaultQuerySettings } from '#queries/common/settings.ts'
import { detailParameters, listParameters } from '#queries/transactions/params.ts'
import { messages } from '#test/queries/common/refusals.ts'

const settings = { ...defaultQuerySettings, maxRepeatedParameters: 3 }

function parseList(text: string) {
  return parseQuery(parseQueryString(text, settings.maxRepeatedParameters), listParameters, settings)
}

describe('splitOperator', () => {
  it.each([
    ['5', 'eq', '5'],
    ['gte:5', 'gte', '5'],
    ['x:gte:5', 'gte', '5'],
    ['GTE:5', undefined, '5'],
    ['x:5', undefined, '5'],
    [':5', undefined, '5'],
    ['gt:', 'gt', ''],
  ])('reads %s', (value, operator, text) => {
    expect(splitOperator(value)).toEqual({ operator, text })
  })
})

describe('parseExactQuery', () => {
  it.each([
    ['order=DESC', ['desc']],
    ['order=eq:desc', []],
    ['order=gt:desc', []],
    ['order=desc&order=desc', []],
  ])('takes %s for %j', (text, orders) => {
    const { order } = parseExactQuery(parseQueryString(text, 3), listParameters, settings)
    expect(order.map(({ value }) => value)).toEqual(orders)
  })

  it('refuses an order that is none, whatever stands before it', () => {
    expect(messages(() => parseExactQuery(parseQueryString('order=gt:up', 3), listParameters, settings))).toEqual([
      'Invalid parameter: order',
    ])
  })
})

describe('parseQuery', () => {
  it('gives typed values in the order of the query string', () => {
    const filters = parseList('timestamp=gt:1.5&timestamp=lt:2&account.id=0.0.98&limit=eq:7&order=DESC')
    expect(filters.timestamp).toEqual([
      { operator: 'gt', value: 1_500_000_000n },
      { operator: 'lt', value: 2_000_000_000n },
    ])
    expect(filters['account.id']).toEqual([{ operator: 'eq', value: { kind: 'id', id: 98n } }])
    expect(filters.limit).toEqual([{ operator: 'eq', value: 7n }])
    expect(filters.result).toEqual([])
  })

  it('reports too many values first, then invalid ones in order, unknown names last', () => {
    expect(messages(() => parseList('foo=1&limit=0&order=up&type=credit&type=debit&Type=credit&Type=debit'))).toEqual([
      'Parameter values count exceeds maximum number allowed: type count: 4 max: 3',
      'Invalid parameter: limit',
      'Invalid parameter: order',
      'Unknown query parameter: foo',
    ])
  })

  it('reports a name once per wrong value', () => {
    const parse = () => parseQuery(parseQueryString('nonce=-1&nonce=x&nonce=lt:1', 100), detailParameters, settings)
    expect(messages(parse)).toEqual(Array(3).fill('Invalid parameter: nonce'))
  })

  it('reports an unknown name once per value, and as given too often before that', () => {
    expect(messages(() => parseList('foo=1&bar=2&Foo=3'))).toEqual([
      'Unknown query parameter: foo',
      'Unknown query parameter: foo',
      'Unknown query parameter: bar',
    ])
    expect(messages(() => parseList('foo=1&foo=2&Foo=3&Foo=4'))).toEqual([
      'Parameter values count exceeds maximum number allowed: foo count: 4 max: 3',
    ])
  })

  it('reports an id beyond its limits only when nothing else is wrong', () => {
    expect(messages(() => parseList('account.id=65536.1'))).toEqual(['Invalid entity ID "0.65536.1"'])
    expect(messages(() => parseList('account.id=-1&account.id=1024.0.1'))).toEqual(['Invalid entity ID "0.0.-1"'])
    expect(messages(() => parseList('account.id=65536.1&limit=0'))).toEqual(['Invalid parameter: limit'])
  })

  it.each([
    'limit=',
    'limit=1.5',
    'limit=0x2',
    'limit=9223372036854775808',
    'timestamp=.5',
    'timestamp=1.',
    'timestamp=12345678901',
    'account.id=0.0.',
    'account.id=0.0.-1',
    'account.id=1.2.3.4',
    'transactiontype=14',
    'type=x',
    'result=gt:',
  ])('refuses %s', (text) => {
    expect(messages(() => parseList(text))).toHaveLength(1)
  })

  it('knows names that objects have of themselves only as unknown ones', () => {
    expect(messages(() => parseList('constructor=1'))).toEqual(['Unknown query parameter: constructor'])
  })

  it('answers any query string with filters or with invalid_parameter', () => {
    const name = fc.constantFrom(...Object.keys(listParameters), 'foo', 'LIMIT')
    const value = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom(...'0123456789.:xgtelqn-af') }),
    )
    const pair = fc.tuple(name, value).map(([left, right]) => `${left}=${encodeURIComponent(right.toWellFormed())}`)
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 6 }), (pairs) => {
        messages(() => parseList(pairs.join('&')))
      }),
      { numRuns: 1_000 },
    )
  })
})
