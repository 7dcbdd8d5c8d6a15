import { describe, expect, it } from 'vitest'
import { accountBalanceParameter, publicKeyParameter } from '#queries/common/account-parameters.ts'
import { accountPath } from '#queries/common/account-path.ts'
import { dialectOf } from '#queries/common/dialects.ts'
import { type ColumnOfB, nextLinkOfB } from '#queries/common/links-of-b.ts'
import { limitParameter, orderParameter } from '#queries/common/parameters.ts'
import {
  entityParameterOfB,
  limitParameterOfB,
  numberParameterOfB,
  orderParameterOfB,
  timestampParameterOfB,
} from '#queries/common/parameters-of-b.ts'
import { defaultQuerySettings as settings } from '#queries/common/settings.ts'
import { decodeBase32, encodeBase32 } from '#src/domain/base32.ts'
import { messages } from '#test/queries/common/refusals.ts'

const parameters = {
  'hook.id': numberParameterOfB({ name: 'hook.id', description: '', most: { field: 'hookId', count: 3 } }),
  'token.id': entityParameterOfB({ name: 'token.id', description: '', most: { field: 'tokenIds', count: 2 } }),
  limit: limitParameterOfB(),
  order: orderParameterOfB('asc'),
  timestamp: timestampParameterOfB(),
}

function read(name: 'B' | 'B-object', text: string) {
  const dialect = dialectOf(name)
  return dialect.parseQuery(dialect.parseQueryString(text, settings), parameters, settings)
}

describe('a query of dialect B', () => {
  it('reads operators, order and numbers, and passes over names that it does not know, in their case', () => {
    const filters = read('B', 'hook.id=GTE:5&ORDER=x&order=DESC&limit=7&token.id=lt:0.0.9&timestamp=1.1&unknown=y')
    expect(filters).toEqual({
      'hook.id': [{ operator: 'gte', value: 5n }],
      'token.id': [{ operator: 'lt', value: 9n }],
      limit: [{ operator: 'eq', value: 7 }],
      order: [{ operator: 'eq', value: 'desc' }],
      timestamp: [{ operator: 'eq', value: 1_000_000_001n }],
    })
  })

  it.each([
    ['limit=0', 'limit must be greater than 0'],
    ['limit=-1', 'limit must be greater than 0'],
    ['limit=101', 'limit must be less than or equal to 100'],
    ['limit=eq:5', "Failed to convert 'limit'"],
    ['limit=abc', "Failed to convert 'limit'"],
    ['order=foo', "Failed to convert 'order'"],
    ['hook.id=9223372036854775808', "Failed to convert 'hook.id'"],
    ['hook.id=x:1', "Failed to convert 'hook.id'"],
    ['hook.id=gt:gt:1', "Failed to convert 'hook.id'"],
    ['hook.id=', "Failed to convert 'hook.id'"],
    ['timestamp=ne:1', "Failed to convert 'timestamp'"],
    ['timestamp=1&timestamp=2&timestamp=3', 'timestamp size must be between 0 and 2'],
    ['hook.id=1&hook.id=2&hook.id=3&hook.id=4', 'hookId size must be between 0 and 3'],
    ['limit=0&order=foo', "Failed to convert 'order'"],
  ])('refuses %s', (text, message) => {
    expect(messages(() => read('B', text))).toEqual([message])
  })

  it('takes the first of values of which there may be one, and an empty one for none', () => {
    expect(read('B', 'limit=3&limit=x').limit).toEqual([{ operator: 'eq', value: 3 }])
    expect(read('B', 'limit=').limit).toEqual([])
  })

  it('names what it cannot read in the message where all parameters are bound to one object', () => {
    expect(messages(() => read('B-object', 'hook.id=x'))).toEqual(['Invalid parameter: hook.id'])
  })
})

describe('an exact query of dialect A', () => {
  const dialect = dialectOf('A-exact')
  const declared = { limit: limitParameter(), order: orderParameter('asc') }
  const parse = (text: string) => dialect.parseQuery(dialect.parseQueryString(text, settings), declared, settings)

  it('reports unknown names and invalid values in their order, and refuses more than two pieces', () => {
    expect(messages(() => parse('z=1&limit=0&y=2'))).toEqual([
      'Unknown query parameter: z',
      'Invalid parameter: limit',
      'Unknown query parameter: y',
    ])
    expect(messages(() => parse('limit=x:eq:5'))).toEqual(['Invalid parameter: limit'])
  })

  it('takes an order that is given twice for none', () => {
    expect(parse('order=desc&order=desc').order).toEqual([])
    expect(parse('order=desc').order).toHaveLength(1)
  })
})

describe('the next page in dialect B', () => {
  const pair = [
    { name: 'account.id', last: '0.0.7' },
    { name: 'token.id', last: '0.0.9' },
  ]
  const link = (text: string, order: 'asc' | 'desc' = 'asc', columns: readonly ColumnOfB[] = pair) =>
    nextLinkOfB({ path: '/p', query: dialectOf('B').parseQueryString(text, settings), order, columns })

  it.each([
    ['limit=1', 'limit=1&account.id=gte:0.0.7&token.id=gt:0.0.9'],
    ['limit=2&account.id=gte:0.0.5&token.id=0.0.9', 'limit=2&token.id=0.0.9&account.id=gt:0.0.7'],
    ['account.id=0.0.7&Odd=x', 'account.id=0.0.7&Odd=x&token.id=gt:0.0.9'],
  ])('of %s is %s', (text, next) => {
    expect(link(text)).toBe(`/p?${next}`)
  })

  it('puts the position after the values that stay', () => {
    const asked =
      'account.id=gte:0.0.1&account.id=lte:0.0.9&owner=true&token.id=gt:0.0.3&token.id=lt:0.0.30&limit=1&order=desc'
    expect(link(asked, 'desc')).toBe(
      '/p?account.id=gte:0.0.1&account.id=lte:0.0.7&owner=true&token.id=gt:0.0.3&token.id=lt:0.0.9&limit=1&order=desc',
    )
  })

  it('ends where no number can follow, but not by ids, which are no numbers', () => {
    const hook = [{ name: 'hook.id', last: '7' }]
    expect(link('hook.id=lt:8', 'asc', hook)).toBeNull()
    expect(link('hook.id=lt:9', 'asc', hook)).toBe('/p?hook.id=lt:9&hook.id=gt:7')
    expect(link('account.id=lt:0.0.8&token.id=9')).toBe('/p?account.id=lt:0.0.8&account.id=gt:0.0.7&token.id=9')
    expect(link('account.id=lt:8&token.id=9')).toBe('/p?account.id=lt:8&account.id=gt:0.0.7&token.id=9')
  })
})

describe('the path of an account', () => {
  const alias = 'A'.repeat(42)
  const { parse } = accountPath('A')
  const parseB = accountPath('B').parse

  it('is a number, an address or an alias', () => {
    expect(parse('7', settings)).toEqual({ kind: 'id', id: 7n })
    expect(parse('0.0.7', settings)).toEqual({ kind: 'id', id: 7n })
    expect(parse(`0x${'0'.repeat(39)}7`, settings)).toEqual({ kind: 'id', id: 7n })
    expect(parse(`0x${'AB'.repeat(20)}`, settings)).toEqual({
      kind: 'address',
      hex: 'ab'.repeat(20),
      sent: 'AB'.repeat(20),
    })
    expect(parse(`0.0.${alias}`, settings)).toEqual({ kind: 'alias', alias: Buffer.alloc(26) })
    expect(parse('ABCA', settings)).toMatchObject({ kind: 'alias' })
    expect(parse('ABCD', settings)).toBeUndefined()
    expect(parse('ABC', settings)).toBeUndefined()
    expect(parseB('ABCD', settings)).toBeUndefined()
    expect(parseB(alias, settings)).toMatchObject({ kind: 'alias' })
  })

  it.each(['-1', '9999999999999', '0.1.ABC', '1.0.ABC', 'abc', '0.0.0.1', 'A1'])('is not %s', (text) => {
    expect(parse(text, settings)).toBeUndefined()
  })

  it('writes an alias as it reads it', () => {
    const bytes = Buffer.from(Array.from({ length: 35 }, (_, index) => (index * 37) % 256))
    expect(decodeBase32(encodeBase32(bytes))).toEqual(bytes)
    expect(encodeBase32(Buffer.from('foobar'))).toBe('MZXW6YTBOI')
  })
})

it('unwraps a public key, and bounds a balance', () => {
  const { parse } = publicKeyParameter('account.publickey', '')
  expect(parse(`0x${'AB'.repeat(32)}`, settings)).toBe('ab'.repeat(32))
  expect(parse('12'.repeat(12) + 'cd'.repeat(32), settings)).toBe('cd'.repeat(32))
  expect(parse('ab', settings)).toBeUndefined()
  expect(accountBalanceParameter.parse('9223372036854775807', settings)).toBe(9_223_372_036_854_775_807n)
  expect(accountBalanceParameter.parse('9223372036854775808', settings)).toBeUndefined()
})
