import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeRange, encodeTuple, rangeBehind } from '#src/adapters/mongodb/key-text.ts'
import type { Value, ValueKind } from '#src/ports/read-store.ts'

const kinds: readonly ValueKind[] = ['int64', 'text', 'bytes', 'int32']

const anyOf: Record<ValueKind, fc.Arbitrary<Value>> = {
  int64: fc.oneof(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.bigInt({ min: -2n, max: 2n })),
  int32: fc.oneof(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), fc.integer({ min: -2, max: 2 })),
  text: fc.oneof(
    fc.string({ unit: 'binary', maxLength: 4 }),
    fc.string({
      unit: fc.constantFrom('\0', ' ', '!', '"', '#', 'a', '}', '~', '\u007f', 'é', '\uff5e', '😀'),
      maxLength: 3,
    }),
  ),
  bytes: fc.uint8Array({ maxLength: 3 }),
}

/** A tuple of the kinds above, also one that shares its beginning with others. */
const tuple = fc.tuple(...kinds.map((kind) => fc.option(anyOf[kind], { freq: 8 })))

function compareValues(left: Value, right: Value): number {
  if (left === null || right === null) return Number(right === null) - Number(left === null)
  if (typeof left === 'string') return Buffer.compare(Buffer.from(left), Buffer.from(right as string))
  if (left instanceof Uint8Array) return Buffer.compare(left, right as Uint8Array)
  return left < (right as bigint) ? -1 : left > (right as bigint) ? 1 : 0
}

function compareTuples(left: readonly Value[], right: readonly Value[]): number {
  for (const [index, value] of left.entries()) {
    const order = compareValues(value, right[index] ?? null)
    if (order !== 0) return order
  }
  return 0
}

const compareTexts = (left: string, right: string) => (left < right ? -1 : left > right ? 1 : 0)

describe('keys as text', () => {
  it('have the order of the tuples that they stand for', () => {
    fc.assert(
      fc.property(tuple, tuple, (left, right) => {
        expect(compareTexts(encodeTuple(kinds, left), encodeTuple(kinds, right))).toBe(compareTuples(left, right))
      }),
      { numRuns: 5_000 },
    )
  })

  it('have that order also where only the last part differs', () => {
    fc.assert(
      fc.property(tuple, fc.integer({ min: 0, max: 3 }), tuple, (left, place, other) => {
        const right = left.with(place, other[place] ?? null)
        expect(compareTexts(encodeTuple(kinds, left), encodeTuple(kinds, right))).toBe(compareTuples(left, right))
      }),
      { numRuns: 5_000 },
    )
  })

  it('use only characters that every server orders alike', () => {
    fc.assert(
      fc.property(tuple, (each) => {
        expect(encodeTuple(kinds, each)).toMatch(/^[ -~]*$/)
      }),
    )
  })

  it('lie in a range exactly when the tuple does', () => {
    const bound = fc.option(fc.record({ value: anyOf.text, inclusive: fc.boolean() }), { nil: undefined })
    fc.assert(
      fc.property(anyOf.int64, bound, bound, tuple, fc.boolean(), (first, lower, upper, other, same) => {
        const each = same ? other.with(0, first) : other
        const range = encodeRange(kinds, { prefix: [first], lower, upper })
        const text = encodeTuple(kinds, each)
        const within = (value: Value): boolean => {
          if (value === null) return lower === undefined && upper === undefined
          const above = lower === undefined || compareValues(value, lower.value) >= (lower.inclusive ? 0 : 1)
          return above && (upper === undefined || compareValues(value, upper.value) <= (upper.inclusive ? 0 : -1))
        }
        const isIn = range !== undefined && text >= range.lower && text < range.upper
        expect(isIn).toBe(compareValues(each[0] ?? null, first) === 0 && within(each[1] ?? null))
      }),
      { numRuns: 5_000 },
    )
  })

  it('lie behind a key exactly when the tuple does', () => {
    fc.assert(
      fc.property(tuple, tuple, (left, right) => {
        const { lower, upper } = rangeBehind(kinds, left)
        const text = encodeTuple(kinds, right)
        expect(text >= lower && text < upper).toBe(compareTuples(right, left) > 0)
      }),
      { numRuns: 3_000 },
    )
  })

  it('find nothing where an absent value is asked for', () => {
    expect(encodeRange(kinds, { prefix: [null] })).toBeUndefined()
    expect(encodeRange(kinds, { prefix: [1n], lower: { value: null, inclusive: true } })).toBeUndefined()
  })
})
