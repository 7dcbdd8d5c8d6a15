import type { Prng } from '#src/simulator/prng.ts'
import type { ProofJob } from '#src/tss/proof-verifier.ts'
import { bytesIn, fields, infinity, next, strayPoint, withField } from '#test/tss/damage.ts'

/** A proof with a change, or with none where it says so. */
export interface Damage {
  readonly what: string
  readonly job: ProofJob
}

/** A change of one of `jobs`, of a random kind. */
export function damage(random: Prng, jobs: readonly ProofJob[]): Damage {
  const job = random.pick(jobs)
  const [what, change] = random.pick(changes)
  const changed = change(random, job, jobs)
  return changed === undefined
    ? { what: 'nothing', job }
    : { what: `${what} of ${job.name}`, job: { ...job, ...changed } }
}

type Change = (random: Prng, job: ProofJob, jobs: readonly ProofJob[]) => Partial<ProofJob> | undefined

/** Undefined where a change would change nothing. */
const changes: readonly (readonly [string, Change])[] = [
  ['nothing', () => undefined],
  ['a bit of the signature', (random, { signature }) => ({ signature: flipped(random, signature) })],
  ['a bit of the hash', (random, { message }) => ({ message: flipped(random, message) })],
  [
    'two fields of one kind',
    (random, { signature }) => {
      const one = random.pick(fields)
      const two = random.pick(fields.filter(({ kind }) => kind === one.kind))
      const [first, second] = [bytesIn(signature, one), bytesIn(signature, two)]
      if (Buffer.compare(first, second) === 0) return undefined
      return { signature: withField(withField(signature, one, second), two, first) }
    },
  ],
  [
    'a field of another block',
    (random, { signature }, jobs) => {
      const field = random.pick(fields)
      const bytes = bytesIn(random.pick(jobs).signature, field)
      return Buffer.compare(bytes, bytesIn(signature, field)) === 0
        ? undefined
        : { signature: withField(signature, field, bytes) }
    },
  ],
  [
    'the hash of another block',
    (random, { message }, jobs) => {
      const other = random.pick(jobs).message
      return Buffer.compare(other, message) === 0 ? undefined : { message: other }
    },
  ],
  ['infinity or zero in a field', (random, { signature }) => withOther(random, signature, infinity)],
  ['a point outside the subgroup', (random, { signature }) => withOther(random, signature, strayPoint)],
  ['a field and one more', (random, { signature }) => withOther(random, signature, next)],
  ['a byte less', (_, { signature }) => ({ signature: signature.subarray(1) })],
  ['a byte more', (_, { signature }) => ({ signature: Buffer.concat([signature, Buffer.of(0)]) })],
]

function flipped(random: Prng, bytes: Uint8Array): Buffer {
  const changed = Buffer.from(bytes)
  const at = random.below(changed.length)
  changed[at] = (changed[at] as number) ^ (1 << random.below(8))
  return changed
}

function withOther(random: Prng, signature: Uint8Array, make: typeof next): Partial<ProofJob> | undefined {
  const field = random.pick(fields)
  if (make === strayPoint && field.kind !== 'g1' && field.kind !== 'g2') return undefined
  const [before, after] = [bytesIn(signature, field), make(field, bytesIn(signature, field))]
  return Buffer.compare(before, after) === 0 ? undefined : { signature: withField(signature, field, after) }
}
