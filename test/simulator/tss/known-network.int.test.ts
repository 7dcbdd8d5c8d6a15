import { describe, expect, it } from 'vitest'
import { LedgerError } from '#src/domain/errors.ts'
import { aggregateOf } from '#src/simulator/tss/aggregate.ts'
import { nodeKey, signKeyHash } from '#src/simulator/tss/node-keys.ts'
import { openScheme, signatureBy } from '#src/simulator/tss/signing-scheme.ts'
import { keyHash } from '#src/tss/binding/key-hash.ts'
import type { Generation } from '#src/tss/generations.ts'
import { signatureAt } from '#src/tss/hints/signature.ts'
import { readLedgerPublication } from '#src/tss/ledger.ts'
import { bigEndianOf } from '#src/tss/numbers.ts'
import { openPairings } from '#src/tss/pairings/open.ts'
import { createProofVerifier } from '#src/tss/proof-verifier.ts'
import { bytesOf, hasVectors, publish, vector } from '#test/tss/vectors.ts'

interface KnownNetwork {
  readonly n: number
  readonly tau: string
  readonly blsSecretKeys: readonly string[]
  readonly weights: readonly number[]
  readonly message: string
  readonly signers: readonly number[]
  readonly hintsVerificationKey: string
  readonly hintsSignature: string
  readonly generation2: { readonly hintsSignature: string }
  readonly generation3: { readonly hintsSignature: string }
  readonly negative: { readonly exactlyHalfSigners: readonly number[]; readonly hintsSignature: string }
  readonly blockSignature: string
  readonly schnorr: {
    readonly secretKeys: readonly string[]
    readonly historyProofKeys: readonly string[]
    readonly ledgerId: string
    readonly nonces: Readonly<Record<string, string>>
    readonly proof: string
  }
}

const known = hasVectors ? vector<KnownNetwork>('synthetic.json') : undefined
const libraries = [await openPairings('fast'), await openPairings('reference')]
const numberOf = (hex: string) => bigEndianOf(bytesOf(hex))

describe.skipIf(!known)('a network whose secrets are known', () => {
  const network = known as KnownNetwork

  it.each(libraries)('has the known key and signatures with $name', (pairings) => {
    const scheme = openScheme(
      {
        slots: network.n,
        tau: numberOf(network.tau),
        secrets: network.blsSecretKeys.map(numberOf),
        weights: network.weights.map(BigInt),
      },
      pairings,
    )
    const sign = (signers: readonly number[], generation: Generation) => {
      const { bytes, secret } = aggregateOf(scheme, signers, generation)
      const signature = Buffer.from(bytes)
      signature.set(signatureBy(secret, bytesOf(network.message), pairings), signatureAt)
      return signature.toString('hex')
    }
    expect(scheme.key.toString('hex')).toBe(network.hintsVerificationKey)
    expect(sign(network.signers, 1)).toBe(network.hintsSignature)
    expect(sign(network.signers, 2)).toBe(network.generation2.hintsSignature)
    expect(sign(network.negative.exactlyHalfSigners, 1)).toBe(network.negative.hintsSignature)
  })

  it('has the known signature of its key', () => {
    const signers = Object.entries(network.schnorr.nonces).map(([at, nonce]) => ({
      at: Number(at),
      key: nodeKey(numberOf(network.schnorr.secretKeys[Number(at)] as string)),
      nonce: numberOf(nonce),
    }))
    const hashed = keyHash(bytesOf(network.hintsVerificationKey), 1)
    expect(signKeyHash(bytesOf(network.schnorr.ledgerId), hashed, signers).toString('hex')).toBe(network.schnorr.proof)
  })

  it.each(libraries)('is verified by $name, and nothing else of it is', (pairings) => {
    const nodes = network.weights.map((weight, nodeId) => ({
      nodeId,
      weight,
      historyProofKey: network.schnorr.historyProofKeys[nodeId] as string,
    }))
    const ledgerId = bytesOf(network.schnorr.ledgerId)
    const ledger = readLedgerPublication(publish({ ledgerId, historyKey: Buffer.alloc(1768), nodes }), 'block 0')
    const job = (signature: string) => ({
      name: 'it',
      message: bytesOf(network.message),
      signature: bytesOf(signature),
    })
    const inBlock = (hintsSignature: string) =>
      job(network.hintsVerificationKey + hintsSignature + network.schnorr.proof)
    const outcomes = createProofVerifier({ pairings }).verifyAll(ledger, [
      job(network.blockSignature),
      inBlock(network.generation2.hintsSignature),
      inBlock(network.negative.hintsSignature),
      inBlock(network.generation3.hintsSignature),
    ])
    expect(outcomes.map((one) => (one instanceof LedgerError ? one.details['check'] : one))).toEqual([
      { form: 'schnorr', generation: 1 },
      // Its key is bound as generation 1 binds keys.
      'binding',
      'weight',
      'form',
    ])
    expect((outcomes[3] as LedgerError).message).toContain('unsupported proof form, length 2536')
  })
})
