import { expect, it } from 'vitest'
import { exactJson } from '#src/cli/exact-json.ts'

it('prints 64-bit integers with all their digits', () => {
  expect(exactJson({ number: -9_223_372_036_854_775_797n, small: 3, text: '1' })).toBe(
    '{"number":-9223372036854775797,"small":3,"text":"1"}',
  )
})

it('writes what a terminal would obey so that it reads the same', () => {
  const value = { text: 'a\u001b[2J\u009b2J\u202e\u2028\u{e0041}\n\u007fz \u{1f6a6}é' }
  const json = exactJson(value)
  expect(json).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u)
  expect(json).toContain('\u{1f6a6}é')
  expect(JSON.parse(json)).toEqual(value)
})
