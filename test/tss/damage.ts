import { Buffer } from 'node:buffer'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { pointAt, valueAt } from '#src/tss/hints/signature.ts'
import { bigEndianBytes, blsOrder, littleEndianBytes, littleEndianOf } from '#src/tss/numbers.ts'
import { openReference } from '#src/tss/pairings/reference.ts'

export const keyBytes = 1_096
const g1Bytes = 96
const g2Bytes = 192

/** A field of a block signature: where it is, counted from the key's first byte. */
export interface Field {
  readonly name: string
  readonly at: number
  readonly kind: 'g1' | 'g2' | 'scalar' | 'count'
}

const keyFields: readonly Field[] = [
  { name: 'vk.n', at: 0, kind: 'count' },
  { name: 'vk.totalWeight', at: 8, kind: 'scalar' },
  { name: 'vk.g0', at: 40, kind: 'g1' },
  { name: 'vk.h0', at: 136, kind: 'g2' },
  { name: 'vk.h1', at: 328, kind: 'g2' },
  { name: 'vk.Ln1', at: 520, kind: 'g1' },
  { name: 'vk.W', at: 616, kind: 'g1' },
  { name: 'vk.SK', at: 712, kind: 'g2' },
  { name: 'vk.Z', at: 904, kind: 'g2' },
]

const valueNames: Readonly<Record<string, string>> = {
  weight: 'aggWeight',
  ParSum: 'parsum_r',
  ParSumBefore: 'parsum_rw',
  W: 'w_r',
  B: 'b_r',
  Q1: 'q1_r',
  Q3: 'q3_r',
  Q2: 'q2_r',
  Q4: 'q4_r',
}

export const fields: readonly Field[] = [
  ...keyFields,
  ...Object.entries(pointAt).map(([name, at]): Field => ({ name: `sig.${name}`, at: keyBytes + at, kind: 'g1' })),
  { name: 'sig.aggSig', at: keyBytes + 128, kind: 'g2' },
  ...Object.entries(valueAt).map(
    ([name, at]): Field => ({ name: `sig.${valueNames[name]}`, at: keyBytes + at, kind: 'scalar' }),
  ),
]

export function fieldNamed(name: string): Field {
  const field = fields.find((one) => one.name === name)
  if (!field) throw new Error(`a signature has no field ${name}`)
  return field
}

function lengthOf({ kind }: Field): number {
  return { g1: g1Bytes, g2: g2Bytes, scalar: 32, count: 8 }[kind]
}

export function bytesIn(signature: Uint8Array, field: Field): Uint8Array {
  return signature.subarray(field.at, field.at + lengthOf(field))
}

/** The signature with other bytes in one field. */
export function withField(signature: Uint8Array, field: Field, bytes: Uint8Array): Buffer {
  const changed = Buffer.from(signature)
  changed.set(bytes, field.at)
  return changed
}

const library = openReference()
const fail = (reason: string): never => {
  throw new Error(reason)
}
export const generatorG1 = Buffer.from(bls12_381.G1.Point.BASE.toBytes(false))
export const generatorG2 = Buffer.from(bls12_381.G2.Point.BASE.toBytes(false))

/** A point plus the generator, a number plus 1. */
export function next(field: Field, bytes: Uint8Array): Uint8Array {
  if (field.kind === 'g1') {
    const points = [bytes, generatorG1].map((one) => library.readG1(one, 'it', fail))
    return library.writeG1(library.sumG1(points, [1n, 1n]))
  }
  if (field.kind === 'g2') {
    const points = [bytes, generatorG2].map((one) => library.readG2(one, 'it', fail))
    return library.writeG2(library.sumG2(points, [1n, 1n]))
  }
  return littleEndianBytes((littleEndianOf(bytes) + 1n) % blsOrder, bytes.length)
}

export function infinity(field: Field): Uint8Array {
  const bytes = Buffer.alloc(lengthOf(field))
  if (field.kind === 'g1' || field.kind === 'g2') bytes[0] = 0x40
  return bytes
}

let stray: { readonly g1: Uint8Array; readonly g2: Uint8Array } | undefined

/** On the curve, outside the prime subgroup. */
export function strayPoint(field: Field): Uint8Array {
  stray ??= { g1: strayG1(), g2: strayG2() }
  return field.kind === 'g2' ? stray.g2 : stray.g1
}

function strayG1(): Uint8Array {
  const { Fp } = bls12_381.fields
  for (let x = 1n; ; x++) {
    const y = rootOf(() => Fp.sqrt(Fp.add(Fp.pow(x, 3n), 4n)))
    if (y === undefined) continue
    if (!bls12_381.G1.Point.fromAffine({ x, y }).isTorsionFree()) {
      return Buffer.concat([x, y].map((one) => bigEndianBytes(one, 48)))
    }
  }
}

function strayG2(): Uint8Array {
  const { Fp2 } = bls12_381.fields
  const b = Fp2.fromBigTuple([4n, 4n])
  for (let real = 1n; ; real++) {
    const x = Fp2.fromBigTuple([real, 1n])
    const y = rootOf(() => Fp2.sqrt(Fp2.add(Fp2.pow(x, 3n), b)))
    if (y === undefined) continue
    if (!bls12_381.G2.Point.fromAffine({ x, y }).isTorsionFree()) {
      return Buffer.concat([x.c1, x.c0, y.c1, y.c0].map((one) => bigEndianBytes(one, 48)))
    }
  }
}

function rootOf<T>(find: () => T): T | undefined {
  try {
    return find()
  } catch {
    // The library throws where there is no root; the next x may have one.
    return undefined
  }
}
