import { hash, randomInt } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { LedgerError } from '#src/domain/errors.ts'
import { Prng } from '#src/simulator/prng.ts'
import { createSimulatedLedger, type SimulatedLedgerOptions } from '#src/simulator/tss/simulated-ledger.ts'
import { schnorrBytes } from '#src/tss/binding/schnorr.ts'
import { hintsKeyBytes } from '#src/tss/hints/key.ts'
import { hintsSignatureBytes, pointAt } from '#src/tss/hints/signature.ts'
import { type Ledger, readLedgerPublication } from '#src/tss/ledger.ts'
import { ledgerNodesMax } from '#src/tss/node-list-hash.ts'
import { openPairings } from '#src/tss/pairings/open.ts'
import { createProofVerifier, type ProofJob } from '#src/tss/proof-verifier.ts'
import { fields } from '#test/tss/damage.ts'
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
/** Where the marks of a Schnorr signature begin, from the end: one byte per node, the others are 0. */
const marksAt = -schnorrBytes
const signatureBytes = hintsKeyBytes + hintsSignatureBytes + schnorrBytes
const signFlag = 0x20
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

  it.each([
    ['marks of signers beyond the nodes', marksAt + 3, 0x01],
    ['the sign in the flags of a point with both coordinates', hintsKeyBytes - signatureBytes + pointAt.Qz, signFlag],
  ])('does not look at %s, which we refuse', async (_, fromEnd, bit) => {
    const { publication, jobs } = await signed({ seed, weights: [1, 2, 3] }, 1)
    const respelled = jobs.map((job) => ({ ...job, signature: withBit(job.signature, fromEnd, bit) }))
    expect(respelled.every((job) => isRespelled(job, 3))).toBe(true)
    expect(await judge(jars, publication, respelled)).toEqual([true])
    expect(judgeOurselves(readLedgerPublication(publication, 'block 0'), respelled)).toEqual([false])
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
    const ledger = readLedgerPublication(publication, 'block 0')
    const changed = Array.from({ length: damages }, () => damage(random, jobs)).filter(
      ({ job }) => !isRespelled(job, ledger.nodes.length),
    )
    const changedJobs = changed.map(({ job }) => job)
    const ours = judgeOurselves(ledger, changedJobs)
    const theirs = await judge(jars, publication, changedJobs)
    expect(changed.map(({ what }, at) => `${what}: ${theirs[at]}`)).toEqual(
      changed.map(({ what }, at) => `${what}: ${ours[at]}`),
    )
    expect(ours).toContain(true)
  }
})

/** Whether bits are set that mean nothing: the library does not look at them, we take a proof in one spelling only. */
function isRespelled({ signature }: ProofJob, nodes: number): boolean {
  const marks = signature.subarray(marksAt).subarray(0, ledgerNodesMax)
  const points = fields.filter(({ kind }) => kind === 'g1' || kind === 'g2')
  return marks.subarray(nodes).some(Boolean) || points.some(({ at }) => ((signature[at] as number) & signFlag) !== 0)
}

function withBit(signature: Uint8Array, fromEnd: number, bit: number): Buffer {
  const changed = Buffer.from(signature)
  const at = changed.length + fromEnd
  changed[at] = (changed[at] as number) | bit
  return changed
}

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
