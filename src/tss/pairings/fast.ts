import type { Fp, Fp2, Fr, G1, G2, GT } from 'mcl-wasm'
import type { Fail } from '#src/domain/field-reader.ts'
import { bigEndianBytes, scalarBytes } from '#src/tss/numbers.ts'
import { g1Bytes, g2Bytes, infinityBytes, readCoordinates } from '#src/tss/pairings/encoding.ts'
import type { G1Point, G2Point, Pair, Pairings } from '#src/tss/pairings/pairings.ts'

type Mcl = typeof import('mcl-wasm')
/** Terms of a sum that are handed over at once: they lie on the library's stack of 1 MiB. */
const termsMax = 128

let opened: Promise<Pairings> | undefined

/**
 * mcl as WebAssembly, some six times as fast as JavaScript. Its settings belong to the thread, so every part of the program that
 * wants it has to come here. Rejects where WebAssembly does not load.
 */
export function openFast(): Promise<Pairings> {
  opened ??= load()
  return opened
}

async function load(): Promise<Pairings> {
  const { default: mcl } = await import('mcl-wasm')
  await mcl.init(mcl.BLS12_381)
  // Numbers big-endian, as on the wire; hashing to points as in RFC 9380, for which its tag is the network's.
  mcl.setETHserialization(true)
  mcl.setMapToMode(mcl.IRTF)
  // Asked for by itself: it takes most of the time of reading a point.
  mcl.verifyOrderG1(false)
  mcl.verifyOrderG2(false)
  return pairingsOf(mcl)
}

function pairingsOf(mcl: Mcl): Pairings {
  return {
    name: 'mcl-wasm',
    ...readersOf(mcl),
    writeG1: (point) => (ofG1(point).isZero() ? infinityBytes(g1Bytes) : Buffer.concat(partsOfG1(mcl, ofG1(point)))),
    writeG2: (point) => (ofG2(point).isZero() ? infinityBytes(g2Bytes) : Buffer.concat(partsOfG2(mcl, ofG2(point)))),
    isInfinity: (point) => (point as unknown as G1 | G2).isZero(),
    hashToG2: (message) => asG2(mcl.hashAndMapToG2(message)),
    sumG1: (points, factors) => asG1(sumOf(mcl, new mcl.G1(), points.map(ofG1), factors)),
    sumG2: (points, factors) => asG2(sumOf(mcl, new mcl.G2(), points.map(ofG2), factors)),
    isProductOne: (pairs) => isProductOne(mcl, pairs),
  }
}

function readersOf(mcl: Mcl): Pick<Pairings, 'readG1' | 'readG2'> {
  const one = new mcl.Fp()
  one.setInt(1)
  const one2 = new mcl.Fp2()
  one2.setInt(1, 0)
  return {
    readG1: (bytes, what, fail) => {
      const point = new mcl.G1()
      const coordinates = readCoordinates(bytes, what, fail)
      if (!coordinates) return asG1(point)
      const [x, y] = coordinates.map((part) => fieldElement(mcl, part)) as [Fp, Fp]
      point.setX(x)
      point.setY(y)
      point.setZ(one)
      return asG1(checked(point, what, fail))
    },
    readG2: (bytes, what, fail) => {
      const point = new mcl.G2()
      const coordinates = readCoordinates(bytes, what, fail)
      if (!coordinates) return asG2(point)
      const [x1, x0, y1, y0] = coordinates.map((part) => fieldElement(mcl, part)) as [Fp, Fp, Fp, Fp]
      point.setX(complex(mcl, x0, x1))
      point.setY(complex(mcl, y0, y1))
      point.setZ(one2)
      return asG2(checked(point, what, fail))
    },
  }
}

function fieldElement(mcl: Mcl, bytes: Uint8Array): Fp {
  const element = new mcl.Fp()
  element.deserialize(bytes)
  return element
}

function complex(mcl: Mcl, real: Fp, imaginary: Fp): Fp2 {
  const element = new mcl.Fp2()
  element.set_a(real)
  element.set_b(imaginary)
  return element
}

function checked<P extends G1 | G2>(point: P, what: string, fail: Fail): P {
  if (!point.isValid()) throw fail(`${what} is no point of the curve`)
  if (!point.isValidOrder()) throw fail(`${what} is outside the prime subgroup`)
  return point
}

function partsOfG1(mcl: Mcl, point: G1): Uint8Array[] {
  const affine = mcl.normalize(point)
  return [affine.getX().serialize(), affine.getY().serialize()]
}

function partsOfG2(mcl: Mcl, point: G2): Uint8Array[] {
  const affine = mcl.normalize(point)
  return [affine.getX(), affine.getY()].flatMap((part) => [part.get_b().serialize(), part.get_a().serialize()])
}

function sumOf<P extends G1 | G2>(mcl: Mcl, none: P, points: readonly P[], factors: readonly bigint[]): P {
  let sum = none
  for (let from = 0; from < points.length; from += termsMax) {
    const scalars = factors.slice(from, from + termsMax).map((factor) => scalar(mcl, factor))
    sum = mcl.add(sum, mcl.mulVec(points.slice(from, from + termsMax), scalars))
  }
  return sum
}

function scalar(mcl: Mcl, value: bigint): Fr {
  const element = new mcl.Fr()
  element.deserialize(bigEndianBytes(value, scalarBytes))
  return element
}

function isProductOne(mcl: Mcl, pairs: readonly Pair[]): boolean {
  let product: GT | undefined
  for (const [left, right] of pairs) {
    const [p, q] = [ofG1(left), ofG2(right)]
    if (p.isZero() || q.isZero()) continue
    const term = mcl.millerLoop(p, q)
    product = product ? mcl.mul(product, term) : term
  }
  return product === undefined || mcl.finalExp(product).isOne()
}

function asG1(point: G1): G1Point {
  return point as unknown as G1Point
}

function asG2(point: G2): G2Point {
  return point as unknown as G2Point
}

function ofG1(point: G1Point): G1 {
  return point as unknown as G1
}

function ofG2(point: G2Point): G2 {
  return point as unknown as G2
}
