import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { base64Of, hexOf } from '#src/domain/bytes.ts'

const longest = 10_000

describe('bytes as text', () => {
  it('are the same of a buffer, and of an array that is part of another, whatever their length', () => {
    const whole = Uint8Array.from({ length: longest + 2 }, (_, index) => index * 7)
    fc.assert(
      fc.property(fc.nat(longest), fc.nat(longest), fc.nat(longest), (length, a, b) => {
        const part = whole.subarray(2, 2 + length)
        const [from, to] = [Math.min(a, b, length), Math.min(Math.max(a, b), length)]
        const expected = Buffer.from(part)
        expect(hexOf(part, from, to)).toBe(expected.toString('hex', from, to))
        expect(base64Of(part, from, to)).toBe(expected.toString('base64', from, to))
        expect(hexOf(expected)).toBe(hexOf(part))
        expect(base64Of(expected, from)).toBe(base64Of(part, from))
      }),
    )
  })
})
