import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LedgerError } from '#src/domain/errors.ts'
import { FieldReader } from '#src/domain/field-reader.ts'

/** A message of one number, in groups of seven bits, the lowest first. */
function message(groups: readonly number[]): Buffer {
  return Buffer.from([8, ...groups.map((bits, at) => (at < groups.length - 1 ? bits | 0x80 : bits))])
}

function readerOf(groups: readonly number[]): FieldReader {
  const fields = new FieldReader(message(groups), (reason) => new LedgerError('file_malformed', reason))
  expect(fields.next()).toBe(true)
  return fields
}

const groups = fc.array(fc.integer({ min: 0, max: 0x7f }), { minLength: 1, maxLength: 10 })
const sumOf = (all: readonly number[]) => all.reduce((sum, bits, at) => sum + (BigInt(bits) << BigInt(7 * at)), 0n)

describe('numbers of a message', () => {
  it('are the low 64 bits of their groups, signed, however many groups there are', () => {
    fc.assert(
      fc.property(groups, (all) => {
        expect(readerOf(all).int64()).toBe(BigInt.asIntN(64, sumOf(all)))
      }),
    )
  })

  it('are the low 32 bits, signed, where they are read as such', () => {
    fc.assert(
      fc.property(groups, (all) => {
        expect(BigInt(readerOf(all).int32())).toBe(BigInt.asIntN(32, sumOf(all)))
      }),
    )
  })

  it('have their sign in the lowest bit where that is how they are written', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
        const zigzag = BigInt.asUintN(64, (value << 1n) ^ (value >> 63n))
        const all = Array.from({ length: 10 }, (_, at) => Number((zigzag >> BigInt(7 * at)) & 0x7fn))
        expect(readerOf(all).sint64()).toBe(value)
      }),
    )
  })
})
