import { randomInt } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { Prng } from '#src/simulator/prng.ts'
import { bigEndianBytes, bigEndianOf, blsOrder, blsPrime } from '#src/tss/numbers.ts'
import { openPairings } from '#src/tss/pairings/open.ts'
import type { G1Point, Pairings } from '#src/tss/pairings/pairings.ts'
import { type Field, generatorG1, generatorG2, infinity, strayPoint } from '#test/tss/damage.ts'

const seed = process.env['LEDGER_TEST_SEED'] ?? String(randomInt(1_000_000))
const random = new Prng(seed)
const fast = await openPairings('fast')
const reference = await openPairings('reference')
const both = [fast, reference] as const

const fail = (reason: string): never => {
  throw new Error(reason)
}
const g1: Field = { name: 'it', at: 0, kind: 'g1' }
const g2: Field = { name: 'it', at: 0, kind: 'g2' }

function scalar(): bigint {
  return bigEndianOf(random.bytes(40)) % blsOrder
}

function multipleOfG1(pairings: Pairings, factor: bigint): G1Point {
  return pairings.sumG1([pairings.readG1(generatorG1, 'it', fail)], [factor])
}

function multipleOfG2(pairings: Pairings, factor: bigint) {
  return pairings.sumG2([pairings.readG2(generatorG2, 'it', fail)], [factor])
}

describe(`both libraries (seed ${seed})`, () => {
  it.each([0, 1, 2, 3, 17, 127, 128, 129, 300])('add up %i points alike', (count) => {
    const multiples = Array.from({ length: count }, (_, at) => (at % 7 === 3 ? 0n : scalar()))
    const factors = multiples.map((_, at) => (at % 5 === 2 ? 0n : scalar()))
    const expected = multiples.reduce((sum, multiple, at) => (sum + multiple * (factors[at] as bigint)) % blsOrder, 0n)
    const sums = both.map((pairings) => {
      const points = multiples.map((multiple) => multipleOfG1(pairings, multiple))
      return hexOf(pairings.writeG1(pairings.sumG1(points, factors)))
    })
    expect(sums).toEqual(both.map((pairings) => hexOf(pairings.writeG1(multipleOfG1(pairings, expected)))))
    const few = Math.min(count, 20)
    const sums2 = both.map((pairings) => {
      const points = multiples.slice(0, few).map((multiple) => multipleOfG2(pairings, multiple))
      return hexOf(pairings.writeG2(pairings.sumG2(points, factors.slice(0, few))))
    })
    expect(sums2[0]).toBe(sums2[1])
  })

  it('hash to the same points', () => {
    for (const length of [0, 1, 32, 48, 64, 200]) {
      const message = random.bytes(length)
      const [one, two] = both.map((pairings) => hexOf(pairings.writeG2(pairings.hashToG2(message))))
      expect(one).toBe(two)
    }
  })

  it.each(both)('pair as groups do: $name', (pairings) => {
    const [a, b] = [scalar(), scalar()]
    const [p, q] = [multipleOfG1(pairings, a), multipleOfG2(pairings, b)]
    const [product, one] = [multipleOfG1(pairings, blsOrder - ((a * b) % blsOrder)), multipleOfG2(pairings, 1n)]
    expect(
      pairings.isProductOne([
        [p, q],
        [product, one],
      ]),
    ).toBe(true)
    expect(
      pairings.isProductOne([
        [p, q],
        [multipleOfG1(pairings, 1n), one],
      ]),
    ).toBe(false)
    const nothing = pairings.readG1(infinity(g1), 'it', fail)
    expect(pairings.isInfinity(nothing)).toBe(true)
    expect(pairings.isProductOne([])).toBe(true)
    expect(
      pairings.isProductOne([
        [nothing, q],
        [p, pairings.readG2(infinity(g2), 'it', fail)],
      ]),
    ).toBe(true)
    expect(
      pairings.isProductOne([
        [p, q],
        [nothing, q],
        [product, one],
      ]),
    ).toBe(true)
  })

  it('read and write the same bytes', () => {
    for (const bytes of [generatorG1, infinity(g1), fast.writeG1(multipleOfG1(fast, scalar()))]) {
      expect(both.map((pairings) => hexOf(pairings.writeG1(pairings.readG1(bytes, 'it', fail))))).toEqual(twice(bytes))
    }
    for (const bytes of [generatorG2, infinity(g2), fast.writeG2(multipleOfG2(fast, scalar()))]) {
      expect(both.map((pairings) => hexOf(pairings.writeG2(pairings.readG2(bytes, 'it', fail))))).toEqual(twice(bytes))
    }
  })

  it.each<[string, Field, Uint8Array, string]>([
    ['the flag of compression', g1, withByte(generatorG1, 0, 0x80), 'it has flags of the compressed form'],
    ['the flag of a sign', g1, withByte(generatorG1, 0, 0x20), 'it has flags of the compressed form'],
    ['infinity with a coordinate', g1, withByte(generatorG1, 0, 0x40), 'it is marked as infinity and has other bytes'],
    ['infinity with another flag', g1, withByte(infinity(g1), 0, 0x60), 'it has flags of the compressed form'],
    ['x beyond its field', g1, beyond(generatorG1, 0), 'it has a coordinate beyond its field'],
    ['y beyond its field', g1, beyond(generatorG1, 48), 'it has a coordinate beyond its field'],
    ['zeros, which are no infinity', g1, Buffer.alloc(96), 'it is no point of the curve'],
    ['another y', g1, withByte(generatorG1, 95, 1), 'it is no point of the curve'],
    ['a point of another group', g1, strayPoint(g1), 'it is outside the prime subgroup'],
    ['the flag of compression', g2, withByte(generatorG2, 0, 0x80), 'it has flags of the compressed form'],
    ['infinity with a coordinate', g2, withByte(infinity(g2), 191, 1), 'it is marked as infinity and has other bytes'],
    ['the last part beyond its field', g2, beyond(generatorG2, 144), 'it has a coordinate beyond its field'],
    ['zeros, which are no infinity', g2, Buffer.alloc(192), 'it is no point of the curve'],
    ['another y', g2, withByte(generatorG2, 191, 1), 'it is no point of the curve'],
    ['a point of another group', g2, strayPoint(g2), 'it is outside the prime subgroup'],
  ])('refuse %s in the same words', (_, { kind }, bytes, words) => {
    for (const pairings of both) {
      expect(() => (kind === 'g1' ? pairings.readG1 : pairings.readG2)(bytes, 'it', fail)).toThrow(words)
    }
  })
})

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}

function twice(bytes: Uint8Array): string[] {
  return [hexOf(bytes), hexOf(bytes)]
}

function withByte(bytes: Uint8Array, at: number, bits: number): Buffer {
  const changed = Buffer.from(bytes)
  changed[at] = (changed[at] as number) ^ bits
  return changed
}

/** The same coordinate, written as a number that is too large. */
function beyond(bytes: Uint8Array, at: number): Buffer {
  const changed = Buffer.from(bytes)
  changed.set(bigEndianBytes(blsPrime, 48), at)
  return changed
}
