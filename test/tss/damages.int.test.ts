import { randomInt } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { LedgerError } from '#src/domain/errors.ts'
import { Prng } from '#src/simulator/prng.ts'
import { createSimulatedLedger } from '#src/simulator/tss/simulated-ledger.ts'
import { type Ledger, readLedgerPublication } from '#src/tss/ledger.ts'
import { openPairings } from '#src/tss/pairings/open.ts'
import { createProofVerifier, type ProofJob, type Verdict } from '#src/tss/proof-verifier.ts'
import { bytesIn, fields, infinity, next, strayPoint, withField } from '#test/tss/damage.ts'
import { hasVectors, ledgerOf, provenBlocks } from '#test/tss/vectors.ts'

const batch = 20
/** Some 30 ms each. */
const runs = Number(process.env['LEDGER_TEST_DAMAGES'] ?? 500)
/** Set to repeat a run that failed. */
const seed = process.env['LEDGER_TEST_SEED'] ?? String(randomInt(1_000_000))

const libraries = [await openPairings('fast'), await openPairings('reference')] as const

interface Damage {
  readonly what: string
  readonly job: ProofJob
}

describe('damaged signatures', () => {
  it(
    `are refused by both libraries for the same reason (seed ${seed})`,
    async () => {
      const random = new Prng(seed)
      const { ledger, jobs } = await signedBlocks()
      const damages = Array.from({ length: runs }, () => damage(random, jobs))
      const [fast, reference] = libraries.map((pairings) => outcomesOf(ledger, damages, pairings)) as [
        string[],
        string[],
      ]
      const whats = damages.map(({ what }, at) => `${what}: ${fast[at]}`)
      expect(reference.map((outcome, at) => `${damages[at]?.what}: ${outcome}`)).toEqual(whats)
      const accepted = whats.filter((_, at) => fast[at] === accepts)
      // What is undamaged is accepted in the midst of what is not.
      expect(accepted.every((what) => what.startsWith('nothing'))).toBe(true)
      expect(accepted.length).toBe(damages.filter(({ what }) => what === 'nothing').length)
    },
    60_000 + runs * 200,
  )
})

const accepts = 'accepted'

/** Each alone by the one library, in batches by the other, so that batches are held against single checks, too. */
function outcomesOf(ledger: Ledger, damages: readonly Damage[], pairings: (typeof libraries)[number]): string[] {
  const verifier = createProofVerifier({ pairings })
  const size = pairings === libraries[0] ? batch : 1
  const outcomes: string[] = []
  for (let from = 0; from < damages.length; from += size) {
    const jobs = damages.slice(from, from + size).map(({ job }) => job)
    outcomes.push(...verifier.verifyAll(ledger, jobs).map(textOf))
  }
  return outcomes
}

function textOf(outcome: Verdict | LedgerError): string {
  return outcome instanceof LedgerError ? `${outcome.code} ${outcome.message}` : accepts
}

async function signedBlocks(): Promise<{ ledger: Ledger; jobs: ProofJob[] }> {
  const real = hasVectors ? provenBlocks().filter(({ network }) => network === 'CN_0_73_TSS_WRAPS_LEGACY') : []
  if (real.length > 0) {
    const jobs = real.map(({ path, hash, signature }) => ({ name: path, message: hash, signature }))
    return { ledger: ledgerOf('CN_0_73_TSS_WRAPS_LEGACY'), jobs }
  }
  const { publication, sign } = await createSimulatedLedger({ seed, weights: [1, 2, 3] })
  const jobs = Array.from({ length: 5 }, (_, at) => {
    const message = Buffer.alloc(48, at)
    return { name: `block ${at}`, message, signature: sign(message) }
  })
  return { ledger: readLedgerPublication(publication, 'block 0'), jobs }
}

function damage(random: Prng, jobs: readonly ProofJob[]): Damage {
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
