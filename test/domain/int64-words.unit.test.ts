import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { int64ToNumber, lowWordOf, readInt64, writeInt64 } from '#src/domain/int64-words.ts'

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })

describe('the words of a 64-bit integer', () => {
  it('make the number that the engine makes', () => {
    fc.assert(
      fc.property(int64, (value) => {
        expect(int64ToNumber(value)).toBe(Number(value))
      }),
    )
    for (const value of [0n, -1n, 2n ** 53n, -(2n ** 53n), 2n ** 32n, -(2n ** 32n)])
      expect(int64ToNumber(value)).toBe(Number(value))
  })

  it('have the low bits of negative values as well', () => {
    fc.assert(
      fc.property(int64, (value) => {
        expect(BigInt(lowWordOf(value))).toBe(BigInt.asUintN(32, value))
      }),
    )
  })

  it('come back from the bytes that they were written to', () => {
    const bytes = new Uint8Array(9)
    fc.assert(
      fc.property(int64, (value) => {
        writeInt64(bytes, 1, value)
        expect(readInt64(bytes, 1)).toBe(value)
        expect(new DataView(bytes.buffer).getBigInt64(1)).toBe(value)
      }),
    )
  })
})
