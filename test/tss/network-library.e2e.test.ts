import { hash, randomInt } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { LedgerError } from '#src/domain/errors.ts'
import { Prng } from '#src/simulator/prng.ts'
import { createSimulatedLedger, type SimulatedLedgerOptions } from '#src/simulator/tss/simulated-ledger.ts'
import { type Ledger, readLedgerPublication } from '#src/tss/ledger.ts'
import { openPairings } from '#src/tss/pairings/open.ts'
import { createProofVerifier, type ProofJob } from '#src/tss/proof-verifier.ts'
import { judge } from '#test/tss/network-library.ts'
import { damage } from '#test/tss/random-damage.ts'
import { hasVectors, provenBlocks, publicationOf } from '#test/tss/vectors.ts'
import { findNetworkLibrary } from '../../scripts/services/network-library.ts'

const library = findNetworkLibrary()
const jars = 'jars' in library ? library.jars : ''
const skipped = 'missing' in library ? ` (skipped: ${library.missing})` : ''

/** Set to repeat a run that failed. */
const seed = process.env['LEDGER_TEST_SEED'] ?? String(randomInt(1_000_000))
const damages = Number(process.env['LEDGER_TEST_DAMAGES'] ?? 200)
const damagesMs = 60_000 + damages * 200
const pairings = await openPairings('fast')

describe.skipIf(skipped !== '')(`the network's own library${skipped}`, () => {
  it.each([
    ['four nodes', [10, 20, 30, 40]],
    ['one node', [5]],
    ['seven nodes, which fill the slots', [1, 1, 1, 1, 1, 1, 1]],
    ['nodes without weight', [0, 7, 0, 2]],
    ['all nodes that a ledger can have', Array.from({ length: 128 }, (_, at) => at + 1)],
  ])('accepts what a simulated network of %s signs', async (_, weights) => {
    const { publication, jobs } = await signed({ seed, weights }, 16)
    expect(await judge(jars, publication, jobs)).toEqual(jobs.map(() => true))
  })

  it('refuses what the next release of it would sign', async () => {
    const { publication, jobs } = await signed({ seed, weights: [1, 2, 3], generation: 2 }, 3)
    expect(await judge(jars, publication, jobs)).toEqual(jobs.map(() => false))
  })

  it(
    `judges damages of a simulated network as we do (seed ${seed})`,
    async () => {
      const { publication, jobs } = await signed({ seed, weights: [3, 1, 4, 1, 5] }, 8)
      await judgesAsWeDo(publication, jobs)
    },
    damagesMs,
  )

  it.skipIf(!hasVectors)(
    `judges damages of a recorded network as we do (seed ${seed})`,
    async () => {
      const network = 'CN_0_73_TSS_WRAPS_LEGACY'
      const blocks = provenBlocks().filter((block) => block.network === network)
      const jobs = blocks.map(({ path, hash, signature }) => ({ name: path, message: hash, signature }))
      await judgesAsWeDo(publicationOf(network), jobs)
    },
    damagesMs,
  )

  async function judgesAsWeDo(publication: Uint8Array, jobs: readonly ProofJob[]): Promise<void> {
    const random = new Prng(seed)
    const changed = Array.from({ length: damages }, () => damage(random, jobs))
    const ours = judgeOurselves(
      readLedgerPublication(publication, 'block 0'),
      changed.map(({ job }) => job),
    )
    const theirs = await judge(
      jars,
      publication,
      changed.map(({ job }) => job),
    )
    expect(changed.map(({ what }, at) => `${what}: ${theirs[at]}`)).toEqual(
      changed.map(({ what }, at) => `${what}: ${ours[at]}`),
    )
    expect(ours).toContain(true)
  }
})

function judgeOurselves(ledger: Ledger, jobs: readonly ProofJob[]): boolean[] {
  const outcomes = createProofVerifier({ pairings }).verifyAll(ledger, jobs)
  return outcomes.map((outcome) => !(outcome instanceof LedgerError))
}

async function signed(
  options: SimulatedLedgerOptions,
  count: number,
): Promise<{ publication: Uint8Array; jobs: ProofJob[] }> {
  const { publication, sign } = await createSimulatedLedger(options)
  const jobs = Array.from({ length: count }, (_, number) => {
    const message = hash('sha384', `block ${number}`, 'buffer')
    return { name: `block ${number}`, message, signature: sign(message) }
  })
  return { publication, jobs }
}
