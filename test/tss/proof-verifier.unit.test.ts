import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { LedgerError } from '#src/domain/errors.ts'
import { createSimulatedLedger } from '#src/simulator/tss/simulated-ledger.ts'
import { type Ledger, readLedgerPublication } from '#src/tss/ledger.ts'
import { blsOrder } from '#src/tss/numbers.ts'
import { openPairings } from '#src/tss/pairings/open.ts'
import type { Pairings } from '#src/tss/pairings/pairings.ts'
import { createProofVerifier, type ProofJob, type Verdict } from '#src/tss/proof-verifier.ts'
import { bytesIn, fieldNamed, generatorG2, next, withField } from '#test/tss/damage.ts'

const libraries = [await openPairings('fast'), await openPairings('reference')]
const first = await createSimulatedLedger({ seed: 'one', weights: [1, 2, 3, 4] })
const second = await createSimulatedLedger({ seed: 'one', weights: [1, 2, 3, 4], generation: 2 })
const ledger = readLedgerPublication(first.publication, 'block 0')

function jobOf(number: number, signer = first): ProofJob {
  const message = hash('sha384', `block ${number}`, 'buffer')
  return { name: `block ${number}`, message, signature: signer.sign(message) }
}

/** Block hashes that the same group of nodes signs. */
function jobsOfOneGroup(count: number): ProofJob[] {
  const groups = Map.groupBy(
    Array.from({ length: 16 * count }, (_, number) => jobOf(number)),
    ({ signature }) => hash('sha1', signature.subarray(1_096, 1_224)),
  )
  const found = [...groups.values()].find(({ length }) => length >= count)
  if (!found) throw new Error('no group signs so often')
  return found.slice(0, count)
}

describe.each(libraries)('several proofs at once with $name', (pairings) => {
  const accepted: Verdict = { form: 'schnorr', generation: 1 }

  it('find the bad ones among the good', () => {
    const jobs = Array.from({ length: 6 }, (_, number) => jobOf(number))
    jobs[1] = { ...(jobs[1] as ProofJob), message: Buffer.alloc(48, 1) }
    jobs[4] = changed(jobs[4] as ProofJob, 'sig.piR')
    const outcomes = createProofVerifier({ pairings }).verifyAll(ledger, jobs)
    expect(outcomes.map(checkOf)).toEqual([accepted, 'signature', accepted, accepted, 'aggregate', accepted])
    expect((outcomes[1] as LedgerError).message).toBe(
      'block 1: its signature is not of this hash by those who signed. Either the block or its proof was changed: take it from' +
        ' another source; where all have it so, its publisher has to correct it',
    )
    expect((outcomes[4] as LedgerError).details).toMatchObject({ block: 'block 4', failed: 'openR' })
  })

  it('find two signatures whose errors cancel each other', () => {
    const field = fieldNamed('sig.aggSig')
    const shifted = (job: ProofJob, factor: bigint): ProofJob => {
      const points = [bytesIn(job.signature, field), generatorG2].map((one) => pairings.readG2(one, 'it', impossible))
      const point = pairings.writeG2(pairings.sumG2(points, [1n, factor]))
      return { ...job, signature: withField(job.signature, field, point) }
    }
    const jobs = [shifted(jobOf(0), 1n), jobOf(1), shifted(jobOf(2), blsOrder - 1n)]
    const outcomes = createProofVerifier({ pairings }).verifyAll(ledger, jobs)
    expect(outcomes.map(checkOf)).toEqual(['signature', accepted, 'signature'])
  })

  it('follow a network from one release of its library to the next', () => {
    const jobs = [jobOf(0), jobOf(1), jobOf(2, second), jobOf(3, second), jobOf(4)]
    const outcomes = createProofVerifier({ pairings }).verifyAll(ledger, jobs)
    expect(outcomes.map((one) => (one as Verdict).generation)).toEqual([1, 1, 2, 2, 1])
  })

  it('do not take what says who signed from one release and the binding from another', () => {
    const [one, two] = [jobOf(0), jobOf(0, second)]
    const mixed = Buffer.concat([one.signature.subarray(0, -192), two.signature.subarray(-192)])
    const outcomes = createProofVerifier({ pairings }).verifyAll(ledger, [{ ...one, signature: mixed }])
    expect(outcomes.map(checkOf)).toEqual(['binding'])
  })

  it('know signers again', () => {
    const counted = countingCalls(pairings)
    const verifier = createProofVerifier({ pairings: counted.pairings })
    const [one, two, three] = jobsOfOneGroup(3) as [ProofJob, ProofJob, ProofJob]
    verifier.verify(ledger, one)
    expect(counted.take()).toEqual({ readG1: 15, readG2: 5, pairs: 6 })
    verifier.verify(ledger, two)
    expect(counted.take()).toEqual({ readG1: 0, readG2: 1, pairs: 2 })
    // Not by what is theirs alone: the signature of the message counts as ever.
    expect(checkOf(verifier.verifyAll(ledger, [{ ...three, message: one.message }])[0])).toBe('signature')
    expect(checkOf(verifier.verifyAll(ledger, [changed(three, 'sig.b_r')])[0])).toBe('aggregate')
  })

  it('pair once for signers that are the same', () => {
    const counted = countingCalls(pairings)
    const outcomes = createProofVerifier({ pairings: counted.pairings }).verifyAll(ledger, jobsOfOneGroup(4))
    expect(outcomes).toEqual([accepted, accepted, accepted, accepted])
    expect(counted.take()).toEqual({ readG1: 15, readG2: 8, pairs: 6 })
  })

  it('belong to their ledger', async () => {
    const { publication } = await createSimulatedLedger({ seed: 'two', weights: [1, 2, 3, 4] })
    const verifier = createProofVerifier({ pairings })
    expect(verifier.verify(ledger, jobOf(0))).toEqual(accepted)
    const other: Ledger = readLedgerPublication(publication, 'block 0')
    expect(verifier.verifyAll(other, [jobOf(0)]).map(checkOf)).toEqual(['binding'])
  })

  it.each([0, 48, 1_096, 2_536, 2_919, 2_921, 3_048, 3_433, 13_584])('have no form with %i bytes', (length) => {
    const job = { name: 'block 7', message: Buffer.alloc(48), signature: Buffer.alloc(length) }
    const error = createProofVerifier({ pairings }).verifyAll(ledger, [job])[0] as LedgerError
    expect([error.code, error.details['check']]).toEqual(['proof_invalid', 'form'])
    expect(error.message).toBe(
      `block 7: unsupported proof form, length ${length}; known are 2920 and 3432 bytes. Take the block from another source;` +
        ' where all have it so, the network signs in a new way that this version does not know',
    )
  })

  it('throw for one alone', () => {
    const verifier = createProofVerifier({ pairings })
    expect(() => verifier.verify(ledger, changed(jobOf(0), 'sig.aggSig'))).toThrow('its signature is not of this hash')
    expect(verifier.verifyAll(ledger, [])).toEqual([])
  })
})

describe('the library', () => {
  it('is the fast one where it loads', () => {
    expect(libraries.map(({ name, reason }) => [name, reason])).toEqual([
      ['mcl-wasm', undefined],
      ['@noble/curves', undefined],
    ])
  })

  it('is the other one where WebAssembly does not load, and says why', () => {
    // In a process of its own, since a library that is loaded stays. Node itself reads TypeScript by WebAssembly: that comes first.
    const program = `import { openPairings } from '#src/tss/pairings/open.ts'
      delete globalThis.WebAssembly
      const { name, reason } = await openPairings('fast')
      console.log(JSON.stringify({ name, reason }))`
    const options = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', program]
    const { name, reason } = JSON.parse(execFileSync(process.execPath, options, { encoding: 'utf8' }))
    expect(name).toBe('@noble/curves')
    expect(reason).toContain('mcl-wasm does not load: ')
  })
})

function changed(job: ProofJob, name: string): ProofJob {
  const field = fieldNamed(name)
  return { ...job, signature: withField(job.signature, field, next(field, bytesIn(job.signature, field))) }
}

function checkOf(outcome: Verdict | LedgerError | undefined): unknown {
  return outcome instanceof LedgerError ? outcome.details['check'] : outcome
}

function countingCalls(pairings: Pairings) {
  const none = { readG1: 0, readG2: 0, pairs: 0 }
  let counts = { ...none }
  const counting: Pairings = {
    ...pairings,
    readG1: (...args) => {
      counts.readG1++
      return pairings.readG1(...args)
    },
    readG2: (...args) => {
      counts.readG2++
      return pairings.readG2(...args)
    },
    isProductOne: (pairs) => {
      counts.pairs += pairs.length
      return pairings.isProductOne(pairs)
    },
  }
  const take = () => {
    const taken = counts
    counts = { ...none }
    return taken
  }
  return { pairings: counting, take }
}

function impossible(reason: string): never {
  throw new Error(reason)
}
