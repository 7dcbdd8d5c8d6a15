import { randomInt } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { LedgerError } from '#src/domain/errors.ts'
import { Prng } from '#src/simulator/prng.ts'
import { createSimulatedLedger } from '#src/simulator/tss/simulated-ledger.ts'
import { type Ledger, readLedgerPublication } from '#src/tss/ledger.ts'
import { openPairings } from '#src/tss/pairings/open.ts'
import { createProofVerifier, type ProofJob, type Verdict } from '#src/tss/proof-verifier.ts'
import { type Damage, damage } from '#test/tss/random-damage.ts'
import { hasVectors, ledgerOf, provenBlocks } from '#test/tss/vectors.ts'

const batch = 20
/** Some 30 ms each. */
const runs = Number(process.env['LEDGER_TEST_DAMAGES'] ?? 500)
/** Set to repeat a run that failed. */
const seed = process.env['LEDGER_TEST_SEED'] ?? String(randomInt(1_000_000))

const libraries = [await openPairings('fast'), await openPairings('reference')] as const

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
