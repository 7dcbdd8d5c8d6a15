import { expect, it } from 'vitest'
import { exactJson } from '#src/cli/exact-json.ts'

it('prints 64-bit integers with all their digits', () => {
  expect(exactJson({ number: -9_223_372_036_854_775_797n, small: 3, text: '1' })).toBe(
    '{"number":-9223372036854775797,"small":3,"text":"1"}',
  )
})
