import { hash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { LedgerError } from '#src/domain/errors.ts'
import { keyHash } from '#src/tss/binding/key-hash.ts'
import { checkSchnorr, rotationMessage } from '#src/tss/binding/schnorr.ts'
import { splitBlockSignature } from '#src/tss/block-signature.ts'
import { type Ledger, readLedgerPublication } from '#src/tss/ledger.ts'
import { littleEndianBytes } from '#src/tss/numbers.ts'
import { proofFailOf } from '#src/tss/proof-failure.ts'
import { historyProofKeyBytes } from '#src/tss/proof-of-knowledge.ts'
import { sample } from '#test/importer/samples.ts'
import { bytesField } from '#test/support/protobuf-writer.ts'
import {
  bytesOf,
  generation2,
  hasVectors,
  ledgerOf,
  provenBlocks,
  publicationOf,
  readArtifact,
  sampleNetworks,
  vector,
} from '#test/tss/vectors.ts'

interface Accepted {
  readonly name: string
  readonly message: string
  readonly hintsKeyHash: string
}

interface SchnorrFacts {
  readonly accept: readonly Accepted[]
  readonly reject: { readonly base: string; readonly cases: readonly { readonly name: string }[] }
  readonly ledgers: Readonly<
    Record<string, { readonly ledgerId: string; readonly nodes: readonly { weight: number }[] }>
  >
}

interface TssFacts {
  readonly ledgerId: string
  readonly message: string
  readonly signatureWithWrapsLength: number
  readonly signatureWithSchnorrLength: number
  readonly nodeContributions: readonly { nodeId: number; weight: number; historyProofKeyLength: number }[]
  readonly wrapsVerificationKey: { readonly path: string; readonly size: number; readonly sha256: string }
  readonly ledgerIdsFromBlockZero: Readonly<Record<string, string>>
}

const facts = hasVectors ? vector<SchnorrFacts>('schnorr.json') : undefined
const fail = proofFailOf('it')

describe.skipIf(!hasVectors)('Schnorr signatures of the ledger', () => {
  it.each(facts?.accept ?? [])('bind the key of $name', ({ name, message, hintsKeyHash }) => {
    const { ledger, signature } = given(name)
    const { key, binding } = splitBlockSignature(signature, fail)
    const hashed = keyHash(key, 1)
    expect(littleEndianBytes(hashed, 32).toString('hex')).toBe(hintsKeyHash)
    expect(rotationMessage(ledger.id, hashed).toString('hex')).toBe(message)
    expect(() => checkSchnorr(ledger, hashed, binding, fail)).not.toThrow()
    expect(() => checkSchnorr(ledger, keyHash(key, 2), binding, fail)).toThrow('not signed by the nodes')
  })

  it.each(facts?.reject.cases ?? [])('are refused: $name', ({ name }) => {
    const { ledger, signature } = given(facts?.reject.base ?? '')
    const { key, binding } = splitBlockSignature(signature, fail)
    const damage = damages[name]
    if (!damage) throw new Error(`nobody knows how to make the case "${name}"`)
    const [code, words] = refusals[name] ?? ['proof_invalid', 'its key is not signed by the nodes of the ledger']
    const refused = errorOf(() => {
      const changed = damage({ ledger, key: Buffer.from(key), binding: Buffer.from(binding) })
      checkSchnorr(changed.ledger, keyHash(changed.key, 1), changed.binding, fail)
    })
    expect([refused.code, refused.message]).toEqual([code, expect.stringContaining(words)])
  })

  it('bind the key of generation 2 in that generation alone', () => {
    const { ledger, schnorr } = generation2()
    const { schnorrResult } = vector<{ schnorrResult: { hintsKeyHash: string } }>('generation2.json')
    const { key, binding } = splitBlockSignature(schnorr, fail)
    const hashed = keyHash(key, 2)
    expect(littleEndianBytes(hashed, 32).toString('hex')).toBe(schnorrResult.hintsKeyHash)
    expect(() => checkSchnorr(ledger, hashed, binding, fail)).not.toThrow()
    expect(() => checkSchnorr(ledger, keyHash(key, 1), binding, fail)).toThrow('not signed by the nodes')
  })

  it('need more than half of the weight', () => {
    const { ledger, signature } = given('block/consensus-node/CN_0_73_TSS_WRAPS_LEGACY/0.blk.gz')
    const { key, binding } = splitBlockSignature(signature, fail)
    // Signed by weight 2: that is more than half of 3 and half of 4.
    expect(() => checkSchnorr({ ...ledger, totalWeight: 4n }, keyHash(key, 1), binding, fail)).toThrow(
      'its key is signed by weight 2 of 4, and more than half is needed',
    )
  })

  it('name nobody beyond the nodes', () => {
    const { ledger, signature } = given('block/consensus-node/CN_0_73_TSS_WRAPS_LEGACY/0.blk.gz')
    const { key, binding } = splitBlockSignature(signature, fail)
    const changed = Buffer.from(binding)
    changed[127] = 1
    expect(() => checkSchnorr(ledger, keyHash(key, 1), changed, fail)).toThrow(
      'signers beyond the 3 nodes of the ledger',
    )
  })
})

describe.skipIf(!hasVectors)('a ledger', () => {
  it.each(hasVectors ? sampleNetworks() : [])('of %s is read from its first block', (network) => {
    const known = facts?.ledgers[network]
    const ledger = ledgerOf(network)
    expect(Buffer.from(ledger.id).toString('hex')).toBe(known?.ledgerId)
    expect(ledger.nodes.map(({ weight }) => Number(weight))).toEqual(known?.nodes.map(({ weight }) => weight))
    expect(structuredClone(ledger)).toEqual(ledger)
  })

  it('and two signatures that come with the library are what is known of them', () => {
    const { tss } = JSON.parse(sample('facts.json').toString()) as { tss: TssFacts }
    const { ledger, message, schnorr, wraps } = readArtifact()
    const { path, ...known } = tss.wrapsVerificationKey
    const key = sample(path)
    expect({ size: key.length, sha256: hash('sha256', key) }).toEqual(known)
    expect(Buffer.from(ledger.id).toString('hex')).toBe(tss.ledgerId)
    expect(message.toString('hex')).toBe(tss.message)
    expect([wraps.length, schnorr.length]).toEqual([tss.signatureWithWrapsLength, tss.signatureWithSchnorrLength])
    expect(ledger.nodes.map(({ weight }, nodeId) => ({ nodeId, weight: Number(weight) }))).toEqual(
      tss.nodeContributions.map(({ nodeId, weight }) => ({ nodeId, weight })),
    )
    expect(new Set(tss.nodeContributions.map((node) => node.historyProofKeyLength))).toEqual(
      new Set([historyProofKeyBytes]),
    )
    const ids = Object.keys(tss.ledgerIdsFromBlockZero).map((path) => [
      path,
      Buffer.from(ledgerOf(path.split('/').at(-1)!).id).toString('hex'),
    ])
    expect(Object.fromEntries(ids)).toEqual(tss.ledgerIdsFromBlockZero)
  })

  it.each([
    ['an id that is too short', { id: Buffer.alloc(31) }, 'its ledger id has 31 bytes instead of 32'],
    ['a short key of histories', { historyKey: Buffer.alloc(3) }, 'has 3 bytes instead of 1768'],
    ['no nodes', { nodes: [] }, 'it names no node'],
    ['too many nodes', { nodes: Array(129).fill(Buffer.alloc(0)) }, 'it names 129 nodes, and 128 are possible'],
    [
      'a node without a key',
      { nodes: [Buffer.of(8, 1)] },
      'the history proof key of node 1 has 0 bytes instead of 192',
    ],
  ])('with %s is not believed', (_, change, words) => {
    const known = facts?.ledgers['CN_11_12_TSS_SCHNORR']?.ledgerId ?? ''
    const { id, historyKey, nodes } = { id: bytesOf(known), historyKey: Buffer.alloc(1768), nodes: [], ...change }
    const parts = [bytesField(1, id), bytesField(2, historyKey), ...nodes.map((node) => bytesField(3, node))]
    const error = errorOf(() => readLedgerPublication(Buffer.concat(parts), 'block 0'))
    expect([error.code, error.message]).toEqual(['ledger_untrusted', expect.stringContaining(words)])
    expect(error.message).toMatch(/^The ledger that block 0 publishes is not believed: /)
  })

  it('is not believed with an id or a weight that do not belong to each other', () => {
    const publication = publicationOf('CN_11_12_TSS_SCHNORR')
    const weight = publication.lastIndexOf(Buffer.of(0x10, 0x01, 0x1a)) + 1
    for (const changed of [withBit(publication, weight, 2), withByte(publication, 5)]) {
      const error = errorOf(() => readLedgerPublication(changed, 'block 0'))
      expect([error.code, error.message]).toEqual([
        'ledger_untrusted',
        expect.stringContaining('is not the hash of its nodes'),
      ])
    }
  })

  it('is not believed when its bytes end too soon', () => {
    const error = errorOf(() =>
      readLedgerPublication(publicationOf('CN_11_12_TSS_SCHNORR').subarray(0, 2_000), 'block 0'),
    )
    expect(error.code).toBe('ledger_untrusted')
  })
})

function given(name: string): { ledger: Ledger; signature: Buffer } {
  if (name.startsWith('tssTestArtifact')) {
    const { ledger, schnorr } = readArtifact()
    return { ledger, signature: schnorr }
  }
  const block = provenBlocks().find(({ path }) => path === name)
  if (!block) throw new Error(`there is no block ${name}`)
  return { ledger: ledgerOf(block.network), signature: block.signature }
}

interface Bound {
  readonly ledger: Ledger
  readonly key: Buffer
  readonly binding: Buffer
}

const damages: Readonly<Record<string, (bound: Bound) => Bound>> = {
  'response bit': (bound) => ({ ...bound, binding: withByte(bound.binding, 128) }),
  'challenge bit': (bound) => ({ ...bound, binding: withByte(bound.binding, 160) }),
  'extra signer bit': (bound) => ({ ...bound, binding: withBit(bound.binding, 0, 1) }),
  'signer bit removed': (bound) => ({ ...bound, binding: withBit(bound.binding, 1, 0) }),
  'ledger id bit': (bound) => ({
    ...bound,
    ledger: { ...bound.ledger, id: withByte(Buffer.from(bound.ledger.id), 3) },
  }),
  'verification key bit': (bound) => ({ ...bound, key: withByte(bound.key, 500) }),
  'bool byte 2': (bound) => ({ ...bound, binding: withBit(bound.binding, 1, 2) }),
  'node order reversed': (bound) => ({ ...bound, ledger: { ...bound.ledger, nodes: bound.ledger.nodes.toReversed() } }),
  'weight of the absent node 10': ({ ledger, ...rest }) => ({
    ...rest,
    ledger: { ...ledger, totalWeight: ledger.totalWeight + 9n },
  }),
  'proof of knowledge damaged': (bound) => {
    const publication = publicationOf('CN_11_12_TSS_SCHNORR')
    // The last byte but one of the last node's proof.
    return { ...bound, ledger: readLedgerPublication(withByte(publication, publication.length - 2), 'block 0') }
  },
}

const refusals: Readonly<Record<string, readonly [code: string, words: string]>> = {
  'signer bit removed': ['proof_invalid', 'more than half is needed'],
  'bool byte 2': ['proof_invalid', 'neither marked 0 nor 1'],
  'weight of the absent node 10': [
    'proof_invalid',
    'its key is signed by weight 3 of 13, and more than half is needed',
  ],
  'proof of knowledge damaged': ['ledger_untrusted', 'its proof of knowledge of the secret key does not hold'],
}

function withByte(bytes: Buffer, at: number): Buffer {
  const changed = Buffer.from(bytes)
  changed[at] = (changed[at] as number) ^ 1
  return changed
}

function withBit(bytes: Buffer, at: number, bit: number): Buffer {
  const changed = Buffer.from(bytes)
  changed[at] = bit
  return changed
}

function errorOf(work: () => unknown): LedgerError {
  try {
    work()
  } catch (error) {
    if (error instanceof LedgerError) return error
    throw error
  }
  throw new Error('nothing was refused')
}
