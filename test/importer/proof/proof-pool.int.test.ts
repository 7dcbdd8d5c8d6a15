import { execFile } from 'node:child_process'
import { hash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import { LedgerError } from '#src/domain/errors.ts'
import { ProofPool, type ProofPoolOptions, type ProofRequest } from '#src/importer/proof/proof-pool.ts'
import { createSimulatedLedger } from '#src/simulator/tss/simulated-ledger.ts'
import { readLedgerPublication } from '#src/tss/ledger.ts'
import type { Verdict } from '#src/tss/proof-verifier.ts'

const network = await createSimulatedLedger({ seed: 'pool', weights: [1, 2, 3, 4] })
const other = await createSimulatedLedger({ seed: 'another pool', weights: [1, 1, 1], generation: 2 })
const ledger = readLedgerPublication(network.publication, 'block 0')
const otherLedger = readLedgerPublication(other.publication, 'block 0')
const hostile = new URL('./hostile-worker.ts', import.meta.url)

const pools: ProofPool[] = []
const warnings: { fields: object; message: string }[] = []

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()))
  warnings.length = 0
})

function open(options: Partial<ProofPoolOptions> = {}): ProofPool {
  const warn = (fields: object, message: string) => warnings.push({ fields, message })
  const logger = { error: warn, warn, info: () => {}, debug: () => {} }
  const pool = new ProofPool({ logger, threads: 2, ...options })
  pools.push(pool)
  return pool
}

function request(number: number, from = network, of = ledger): ProofRequest {
  const message = hash('sha384', `block ${number}`, 'buffer')
  return { ledger: of, name: `block ${number}`, message, signature: from.sign(message) }
}

function named(name: string): ProofRequest {
  return { ledger, name, message: Buffer.alloc(48), signature: Buffer.alloc(2_920) }
}

/** How many were checked together, or the error. */
async function outcomeOf(promise: Promise<Verdict>): Promise<number | LedgerError> {
  return await promise.then(
    ({ generation }) => generation,
    (error: LedgerError) => error,
  )
}

function codeOf(outcome: number | LedgerError): unknown {
  return outcome instanceof LedgerError ? outcome.code : outcome
}

describe('proofs on threads', () => {
  it('answers each with its own verdict, of several networks, good and bad', async () => {
    const pool = open()
    const requests = Array.from({ length: 40 }, (_, number) =>
      number % 5 === 4 ? request(number, other, otherLedger) : request(number),
    )
    requests[7] = { ...(requests[7] as ProofRequest), message: Buffer.alloc(48) }
    requests[20] = { ...(requests[20] as ProofRequest), signature: Buffer.alloc(48) }
    const outcomes = await Promise.all(requests.map((one) => outcomeOf(pool.check(one))))
    const generations = requests.map((_, number) => (number % 5 === 4 ? 2 : 1))
    expect(outcomes.map(codeOf)).toEqual(
      generations.map((generation, at) => (at === 7 || at === 20 ? 'proof_invalid' : generation)),
    )
    const [changed, unknown] = [outcomes[7], outcomes[20]] as [LedgerError, LedgerError]
    expect(changed).toMatchObject({ code: 'proof_invalid', details: { block: 'block 7', check: 'signature' } })
    expect(unknown.message).toMatch(/^block 20: unsupported proof form, length 48/)
    expect(warnings).toEqual([])
  })

  it('works with the slower library as well', async () => {
    const pool = open({ pairings: 'reference' })
    expect(await pool.check(request(1))).toEqual({ form: 'schnorr', generation: 1 })
  })

  it('checks a lone one at once, and what waits together in fair shares of at most 20', async () => {
    const pool = open({ entry: hostile })
    const sizes = await Promise.all(Array.from({ length: 72 }, (_, at) => outcomeOf(pool.check(named(`block ${at}`)))))
    // Two alone on idle threads; 70 are left, of which a thread takes 20, the other 20, and half of the rest by turns.
    expect(sizes.slice(0, 2)).toEqual([1, 1])
    expect(sizes.slice(2, 42)).toEqual(Array(40).fill(20))
    expect(sizes.slice(42).every((size) => Number(size) <= 15)).toBe(true)
  })

  it('says once that it uses the slower library', async () => {
    const pool = open({ entry: hostile })
    await Promise.all([1, 2, 3, 4].map((at) => pool.check(named(`block ${at}`))))
    expect(warnings).toEqual([
      { fields: { library: 'none', reason: 'it is a test' }, message: 'proofs are checked by the slower library' },
    ])
  })

  it('replaces a thread that ends, and checks what it had once more, each alone', async () => {
    const pool = open({ entry: hostile, threads: 1 })
    const names = ['block 1', 'block 2', 'exit in company', 'block 4']
    const outcomes = await Promise.all(names.map((name) => outcomeOf(pool.check(named(name)))))
    expect(outcomes).toEqual([1, 1, 1, 1])
    expect(warnings.at(-1)).toEqual({
      fields: { reason: 'it ended with code 3 without saying why', proofs: 3 },
      message: 'a thread that checks proofs ended',
    })
  })

  it.each([
    ['exit', 'it ended with code 3 without saying why', 30_000],
    ['throw', 'out of luck', 30_000],
    ['hang', 'it took longer than 300 ms', 300],
    ['grow', 'memory', 30_000],
  ])('gives up one that ends its thread twice: %s', async (name, reason, batchMs) => {
    const pool = open({ entry: hostile, threads: 1, batchMs })
    const outcomes = await Promise.all(['block 1', name, 'block 3'].map((one) => outcomeOf(pool.check(named(one)))))
    expect(outcomes.map(codeOf)).toEqual([1, 'unavailable', 1])
    expect((outcomes[1] as LedgerError).message).toMatch(
      new RegExp(`^${name}: its proof could not be checked, the thread that did ended twice: .*${reason}`),
    )
    expect(await outcomeOf(pool.check(named('block 4')))).toBe(1)
  })

  it('gives up a thread that cannot be started', async () => {
    const pool = open({ entry: new URL('./nothing-here.ts', import.meta.url) })
    expect(await outcomeOf(pool.check(named('block 1')))).toMatchObject({ code: 'unavailable' })
  })

  it('refuses more than may wait', async () => {
    const pool = open({ entry: hostile, threads: 1, waitingMax: 3 })
    const outcomes = await Promise.all([1, 2, 3, 4, 5, 6].map((at) => outcomeOf(pool.check(named(`block ${at}`)))))
    expect(outcomes.map(codeOf)).toEqual([1, 3, 3, 3, 'overloaded', 'overloaded'])
    expect((outcomes[4] as LedgerError).message).toContain('3 proofs wait to be checked already, which is the limit')
    expect(await outcomeOf(pool.check(named('block 7')))).toBe(1)
  })

  it('leaves out what nobody waits for any more', async () => {
    const pool = open({ entry: hostile, threads: 1 })
    const left = new AbortController()
    const asked = Array.from({ length: 12 }, (_, at) =>
      outcomeOf(pool.check({ ...named(`block ${at}`), signal: at < 10 ? left.signal : undefined })),
    )
    left.abort()
    const outcomes = await Promise.all(asked)
    expect(outcomes.map(codeOf)).toEqual([1, ...Array(9).fill('interrupted'), 2, 2])
  })

  it('interrupts what is asked when it is closed, and takes nothing more', async () => {
    const pool = open({ entry: hostile, threads: 1 })
    const asked = ['hang', 'block 2'].map((name) => outcomeOf(pool.check(named(name))))
    await pool.close()
    expect((await Promise.all(asked)).map(codeOf)).toEqual(['interrupted', 'interrupted'])
    expect(codeOf(await outcomeOf(pool.check(named('block 3'))))).toBe('interrupted')
    expect(warnings).toEqual([])
  })

  it('lets the process end when nothing is asked of it any more', async () => {
    const script = new URL('./forgotten-pool.ts', import.meta.url)
    const { stdout } = await promisify(execFile)(process.execPath, [fileURLToPath(script)], { timeout: 30_000 })
    expect(stdout.trim()).toBe('schnorr')
  })

  it('is closed by its signal', async () => {
    const stop = new AbortController()
    const pool = open({ entry: hostile, threads: 1, signal: stop.signal })
    const asked = outcomeOf(pool.check(named('hang')))
    stop.abort()
    expect(codeOf(await asked)).toBe('interrupted')
    expect(codeOf(await outcomeOf(open({ signal: AbortSignal.abort() }).check(named('block 2'))))).toBe('interrupted')
  })
})
