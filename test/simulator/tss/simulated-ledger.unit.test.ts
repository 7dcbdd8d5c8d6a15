import { hash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { isLedgerError } from '#src/domain/errors.ts'
import { aggregateOf } from '#src/simulator/tss/aggregate.ts'
import { openScheme, signatureBy } from '#src/simulator/tss/signing-scheme.ts'
import { createSimulatedLedger, majority } from '#src/simulator/tss/simulated-ledger.ts'
import { type Generation, generations } from '#src/tss/generations.ts'
import { hintsKeyBytes } from '#src/tss/hints/key.ts'
import { pointBytes, signatureAt, valueBytes } from '#src/tss/hints/signature.ts'
import { readLedgerPublication } from '#src/tss/ledger.ts'
import { littleEndianOf } from '#src/tss/numbers.ts'
import { openPairings } from '#src/tss/pairings/open.ts'
import { createProofVerifier } from '#src/tss/proof-verifier.ts'

const fast = await openPairings('fast')
const reference = await openPairings('reference')
const weights = [10, 20, 30, 40]

function blockHash(number: number): Buffer {
  return hash('sha384', `block ${number}`, 'buffer')
}

describe('a simulated ledger', () => {
  it.each(generations)('signs what both libraries accept, in generation %i', async (generation) => {
    const ledger = await createSimulatedLedger({ seed: 'one', weights, generation })
    const published = readLedgerPublication(ledger.publication, 'block 0')
    expect(published.nodes.map(({ nodeId, weight }) => [nodeId, weight])).toEqual([
      [0n, 10n],
      [1n, 20n],
      [2n, 30n],
      [3n, 40n],
    ])
    for (const pairings of [fast, reference]) {
      const verifier = createProofVerifier({ pairings })
      for (let number = 0; number < 5; number++) {
        const message = blockHash(number)
        const signature = ledger.sign(message)
        expect(signature).toHaveLength(2_920)
        expect(verifier.verify(published, { name: 'it', message, signature })).toEqual({ form: 'schnorr', generation })
      }
    }
  })

  it('makes equal bytes of equal seeds with either library, and others of others', async () => {
    const make = async (seed: string, pairings = fast) => {
      const { publication, sign } = await createSimulatedLedger({ seed, weights, pairings })
      return [publication, sign(blockHash(1)), sign(blockHash(2)), sign(blockHash(1))].map((bytes) => hexOf(bytes))
    }
    const one = await make('one')
    expect(one[1]).toBe(one[3])
    expect(one[1]).not.toBe(one[2])
    expect(await make('one')).toEqual(one)
    expect(await make('one', reference)).toEqual(one)
    const two = await make('two')
    expect(two.map((bytes, at) => bytes === one[at])).toEqual([false, false, false, false])
  })

  it('has keys one after the other, all bound to the one ledger', async () => {
    const ledger = await createSimulatedLedger({ seed: 'one', weights })
    const published = readLedgerPublication(ledger.publication, 'block 0')
    const message = blockHash(1)
    const signatures = [0, 1, 2].map((key) => ledger.sign(message, key))
    expect(signatures[0]).toEqual(ledger.sign(message))
    expect(new Set(signatures.map((bytes) => hexOf(bytes.subarray(0, hintsKeyBytes)))).size).toBe(3)
    const verifier = createProofVerifier({ pairings: fast })
    for (const signature of signatures)
      expect(verifier.verify(published, { name: 'it', message, signature }).form).toBe('schnorr')
  })

  it('lets as many groups of nodes take turns as it is told', async () => {
    const groupsOf = async (groups: number) => {
      const { sign } = await createSimulatedLedger({ seed: 'one', weights: Array(12).fill(1), groups })
      const signatures = Array.from({ length: 12 }, (_, number) => sign(blockHash(number)).subarray(hintsKeyBytes))
      return new Set(signatures.map((bytes) => hexOf(pointBytes(bytes, 'aggPk')))).size
    }
    expect(await groupsOf(1)).toBe(1)
    expect(await groupsOf(1_000_000)).toBeGreaterThan(8)
  })

  it('lets different nodes sign, always with more than half of the weight', async () => {
    const { sign } = await createSimulatedLedger({ seed: 'one', weights })
    const signed = new Set(
      Array.from({ length: 60 }, (_, number) =>
        Number(littleEndianOf(valueBytes(sign(blockHash(number)).subarray(1_096), 'weight'))),
      ),
    )
    expect(Math.min(...signed)).toBeGreaterThan(50)
    expect(signed.size).toBeGreaterThan(2)
  })

  it.each([
    ['one node', [5]],
    ['seven nodes, which fill the slots', [1, 1, 1, 1, 1, 1, 1]],
    ['eight nodes', [3, 1, 4, 1, 5, 9, 2, 6]],
    ['nodes without weight', [0, 7, 0, 2]],
    ['all nodes that a ledger can have', Array.from({ length: 128 }, (_, at) => at + 1)],
  ])('works with %s', async (_, some) => {
    const { publication, sign } = await createSimulatedLedger({ seed: 'sizes', weights: some })
    const ledger = readLedgerPublication(publication, 'block 0')
    const jobs = [1, 2, 3].map((number) => {
      const message = blockHash(number)
      return { name: `block ${number}`, message, signature: sign(message) }
    })
    const verdict = { form: 'schnorr', generation: 1 }
    expect(createProofVerifier({ pairings: fast }).verifyAll(ledger, jobs)).toEqual([verdict, verdict, verdict])
  })

  it.each([[[]], [[0, 0]], [[1.5]], [[-1, 3]], [Array(129).fill(1)]])('refuses weights like %j', async (some) => {
    await expect(createSimulatedLedger({ seed: 'one', weights: some })).rejects.toThrow('a ledger has 1 to 128 nodes')
  })
})

describe('a signature by exactly half of the weight', () => {
  it.each(generations)('is refused, in generation %i', async (generation) => {
    const founded = await createSimulatedLedger({ seed: 'one', weights: [1, 1], generation })
    const ledger = readLedgerPublication(founded.publication, 'block 0')
    const message = blockHash(1)
    const whole = founded.sign(message)
    // The same network: only who signs differs.
    const half = signedBy(whole, [0], message, generation)
    const error = refusedBy(() =>
      createProofVerifier({ pairings: fast }).verify(ledger, { name: 'it', message, signature: half }),
    )
    expect(error).toMatch(/it is signed by weight 1 of 2, and more than half is needed/)
  })

  function signedBy(whole: Uint8Array, slots: readonly number[], message: Uint8Array, generation: Generation): Buffer {
    const scheme = openScheme({ slots: 8, tau: 5n, secrets: [11n, 13n], weights: [1n, 1n] }, fast)
    const { bytes, secret } = aggregateOf(scheme, slots, generation)
    const signature = Buffer.concat([scheme.key, bytes, whole.subarray(-192)])
    signature.set(signatureBy(secret, message, fast), scheme.key.length + signatureAt)
    return signature
  }
})

describe('a majority', () => {
  it('is more than half of any weights', () => {
    for (let run = 0; run < 200; run++) {
      const some = Array.from({ length: 1 + (run % 20) }, (_, at) => (at * run * 7_919) % 100)
      some[0] = 1
      const chosen = majority(some, `seed ${run}`)
      const sum = chosen.reduce((weight, node) => weight + (some[node] as number), 0)
      expect(2 * sum).toBeGreaterThan(some.reduce((total, weight) => total + weight, 0))
      expect(chosen).toEqual([...new Set(chosen)].sort((a, b) => a - b))
    }
  })
})

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}

function refusedBy(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (isLedgerError(error, 'proof_invalid')) return error.message
    throw error
  }
  throw new Error('nothing was refused')
}
