import type { Generation } from '#src/tss/generations.ts'
import { hashToField } from '#src/tss/hash-to-field.ts'
import { type PointName, pointBytes, type ValueName, valueBytes } from '#src/tss/hints/signature.ts'
import { blsOrder } from '#src/tss/numbers.ts'
import { compress } from '#src/tss/pairings/encoding.ts'

/** What transcripts have of the key. */
export interface KeyTranscript {
  /** SK and h1, compressed. */
  readonly skH1: Uint8Array
  /** W, compressed. */
  readonly w: Uint8Array
}

const tag = 'HINTS_SIG_BLS12381:FIAT_SHAMIR'
const pointTags: Readonly<Record<Generation, string>> = { 1: tag, 2: `${tag}_HINTS` }

/** Order of what is merged into one opening; the second is W less the weight in the last slot, which no signature carries. */
export const mergedValues = ['ParSum', 'W', 'B', 'Q1', 'Q3', 'Q2', 'Q4'] as const

const committed: readonly PointName[] = ['B', 'ParSum', 'Qx', 'Qz', 'QxTau', 'Q1', 'Q2', 'Q3', 'Q4']
const batched: readonly PointName[] = ['B', 'Q1', 'Q3', 'Q2', 'Q4']

/** The number r at which polynomials are opened: known only after all of them are fixed. */
export function openingPoint(key: KeyTranscript, signature: Uint8Array, generation: Generation): bigint {
  const transcript = Buffer.concat([
    key.skH1,
    compressed(signature, 'aggPk'),
    valueBytes(signature, 'weight'),
    key.w,
    ...committed.map((name) => compressed(signature, name)),
  ])
  return hashToField(transcript, pointTags[generation], blsOrder)
}

/** The number whose powers merge the openings: r itself, or one of its own. `adjusted` is W less the weight in the last slot, compressed. */
export function mergingFactor(
  signature: Uint8Array,
  { generation, point, adjusted }: { generation: Generation; point: bigint; adjusted: () => Uint8Array },
): bigint {
  if (generation === 1) return point
  const transcript = Buffer.concat([
    compressed(signature, 'ParSum'),
    adjusted(),
    ...batched.map((name) => compressed(signature, name)),
    ...mergedValues.map((name: ValueName) => valueBytes(signature, name)),
  ])
  return hashToField(transcript, `${tag}_KZG_BATCH`, blsOrder)
}

function compressed(signature: Uint8Array, name: PointName): Buffer {
  return compress(pointBytes(signature, name))
}
