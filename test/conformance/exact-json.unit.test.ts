import { expect, it } from 'vitest'
import { differencesOf, parseExactJson } from '#test/conformance/exact-json.ts'

it('keeps every digit of an integer', () => {
  expect(parseExactJson('{"a":9007199254740993,"b":[1.5,2]}')).toEqual({ a: 9_007_199_254_740_993n, b: [1.5, 2] })
})

it('finds a difference in the last digit', () => {
  const [expected, actual] = ['9007199254740993', '9007199254740992'].map((digits) => parseExactJson(`{"a":${digits}}`))
  expect(differencesOf(expected, actual)).toEqual(['body.a: expected "9007199254740993n", got "9007199254740992n"'])
})

it('minds the order of arrays and missing keys, not the order of keys', () => {
  expect(differencesOf({ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 })).toEqual([])
  expect(differencesOf({ b: [1, 2] }, { b: [2, 1] })).toHaveLength(2)
  expect(differencesOf({ a: null }, {})).toEqual(['body.a: expected null, but the key is missing'])
  expect(differencesOf({}, { a: null })).toEqual(['body.a: unexpected, got null'])
})
