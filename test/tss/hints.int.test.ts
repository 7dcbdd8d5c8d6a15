import { describe, expect, it } from 'vitest'
import { LedgerError } from '#src/domain/errors.ts'
import type { Generation } from '#src/tss/generations.ts'
import { type BrokenPart, brokenParts } from '#src/tss/hints/check.ts'
import { type Statement, statementOf } from '#src/tss/hints/equations.ts'
import { slotValues } from '#src/tss/hints/identities.ts'
import { type HintsKey, readHintsKey } from '#src/tss/hints/key.ts'
import { readAggregate, readAggregateSignature } from '#src/tss/hints/signature.ts'
import { bigEndianBytes, blsOrder, littleEndianBytes, littleEndianOf } from '#src/tss/numbers.ts'
import { compress } from '#src/tss/pairings/encoding.ts'
import { openPairings } from '#src/tss/pairings/open.ts'
import type { Pairings } from '#src/tss/pairings/pairings.ts'
import { proofFailOf } from '#src/tss/proof-failure.ts'
import { bytesIn, fieldNamed, infinity, keyBytes, next, strayPoint, withField } from '#test/tss/damage.ts'
import { bytesOf, hasVectors, provenBlocks, readArtifact, vector } from '#test/tss/vectors.ts'

interface AcceptFacts {
  readonly name: string
  readonly message: string
  readonly hashToG2: string
  readonly r: string
  readonly omega: string
  readonly rDivOmega: string
  readonly Zr: string
  readonly Ln1r: string
}

interface Parsed {
  readonly key: HintsKey
  readonly statement: Statement
  readonly broken: BrokenPart[]
}

const libraries = [await openPairings('fast'), await openPairings('reference')]
const fail = proofFailOf('it')
const base = 'block/consensus-node/CN_0_73_TSS_WRAPS_LEGACY/0.blk.gz'

describe.skipIf(!hasVectors).each(libraries)('hinTS signatures with $name', (pairings) => {
  const accepted = hasVectors
    ? vector<{ vectors: AcceptFacts[]; summaries: AcceptFacts[] }>('hints-accept.json')
    : undefined

  it.each(accepted?.vectors ?? [])('finds the known values of $name', (facts) => {
    const { key, statement } = check(pairings, signatureNamed(facts.name), bytesOf(facts.message))
    const { zero, last } = slotValues(key, statement.point)
    expect({
      r: hexOf(statement.point),
      rDivOmega: hexOf(statement.pointBefore),
      omega: hexOf(key.omega),
      Zr: hexOf(zero),
      Ln1r: hexOf(last),
      hashToG2: compress(pairings.writeG2(pairings.hashToG2(bytesOf(facts.message)))).toString('hex'),
    }).toEqual({
      r: facts.r,
      rDivOmega: facts.rDivOmega,
      omega: facts.omega,
      Zr: facts.Zr,
      Ln1r: facts.Ln1r,
      hashToG2: facts.hashToG2,
    })
  })

  it.each(accepted?.summaries ?? [])('accepts $name in its own generation alone', ({ name, message, r }) => {
    const signature = signatureNamed(name)
    const { statement, broken } = check(pairings, signature, bytesOf(message))
    expect({ r: hexOf(statement.point), broken }).toEqual({ r, broken: [] })
    expect(check(pairings, signature, bytesOf(message), 2).broken).not.toEqual([])
  })

  const refused = hasVectors ? vector<{ cases: { name: string; failed: string }[] }>('hints-reject.json').cases : []
  it.each(refused)('finds what is broken: $name', ({ name, failed }) => {
    const [signature, message] = changed(name)
    if (!failed.startsWith('decode') && failed !== 'zero' && failed !== 'n') {
      const { broken } = check(pairings, signature, message)
      expect(broken.join(',')).toBe(failed)
      return
    }
    const error = errorOf(() => check(pairings, signature, message))
    expect(error.details['check']).toBe('encoding')
    expect(error.message).toContain(unreadable[name] as string)
  })

  it('finds the known values of generation 2, and refuses it in generation 1', () => {
    const facts = vector<Record<'message' | 'hintsVerificationKey' | 'hintsSignature', string> & GenerationFacts>(
      'generation2.json',
    )
    const signature = bytesOf(facts.hintsVerificationKey + facts.hintsSignature)
    const { statement, broken } = check(pairings, signature, bytesOf(facts.message), 2)
    expect({ r: hexOf(statement.point), batch: hexOf(statement.merging), broken }).toEqual({
      r: facts.hints.r,
      batch: facts.hints.batch,
      broken: [],
    })
    expect(check(pairings, signature, bytesOf(facts.message), 1).broken).not.toEqual([])
  })
})

interface GenerationFacts {
  readonly hints: { readonly r: string; readonly batch: string }
}

/** What is said of bytes that cannot be read. */
const unreadable: Readonly<Record<string, string>> = {
  'sig.B off curve': 'B of its signature is no point of the curve',
  'sig.aggWeight + r (non-canonical)': 'the number weight of its signature is beyond its field',
  'sig aggPk infinity and aggSig infinity': 'aggPk of its signature is infinity',
  'n := 6': 'its key is for 6 slots',
  'sig.B on curve, outside subgroup': 'B of its signature is outside the prime subgroup',
}

function check(pairings: Pairings, signature: Uint8Array, message: Uint8Array, generation: Generation = 1): Parsed {
  const key = readHintsKey(signature.subarray(0, keyBytes), pairings, fail)
  const hints = signature.subarray(keyBytes, keyBytes + 1_632)
  const aggregate = readAggregate(hints, pairings, fail)
  const statement = statementOf(key, hints, aggregate, generation, pairings)
  const signed = {
    statement,
    aggPk: aggregate.points.aggPk,
    hashed: pairings.hashToG2(message),
    signature: readAggregateSignature(hints, pairings, fail),
  }
  return { key, statement, broken: brokenParts(key, signed, pairings) }
}

function signatureNamed(name: string): Buffer {
  if (name.startsWith('tssTestArtifact')) {
    const { schnorr, wraps } = readArtifact()
    return name.endsWith('WithWraps') ? wraps : schnorr
  }
  const block = provenBlocks().find(({ path }) => path === name)
  if (!block) throw new Error(`there is no block ${name}`)
  return block.signature
}

function changed(name: string): [signature: Buffer, message: Uint8Array] {
  const { signature, hash } = provenBlocks().find(({ path }) => path === base) as { signature: Buffer; hash: Buffer }
  const field = / \+ generator or \+ 1$/.test(name) ? fieldNamed(name.split(' ')[0] as string) : undefined
  if (field) return [withField(signature, field, next(field, bytesIn(signature, field))), hash]
  const special = specialCases[name]
  if (!special) throw new Error(`nobody knows how to make the case "${name}"`)
  return special(signature, hash)
}

type Change = (signature: Buffer, hash: Buffer) => [Buffer, Uint8Array]
const specialCases: Readonly<Record<string, Change>> = {
  control: (signature, hash) => [signature, hash],
  'vk.n := 16': (signature, hash) => [withField(signature, fieldNamed('vk.n'), littleEndianBytes(16n, 8)), hash],
  'n := 6': (signature, hash) => [withField(signature, fieldNamed('vk.n'), littleEndianBytes(6n, 8)), hash],
  'totalWeight := 4 (2 of 4 is not above half)': (signature, hash) => [
    withField(signature, fieldNamed('vk.totalWeight'), littleEndianBytes(4n, 32)),
    hash,
  ],
  'message bit flip': (signature, hash) => [signature, hash.map((byte, at) => (at === 7 ? byte ^ 1 : byte))],
  'sig.B off curve': (signature, hash) => [withByte(signature, fieldNamed('sig.B').at + 95), hash],
  'sig.aggWeight + r (non-canonical)': (signature, hash) => {
    const field = fieldNamed('sig.aggWeight')
    return [
      withField(signature, field, littleEndianBytes(littleEndianOf(bytesIn(signature, field)) + blsOrder, 32)),
      hash,
    ]
  },
  'sig aggPk infinity and aggSig infinity': (signature, hash) => {
    const [key, point] = [fieldNamed('sig.aggPk'), fieldNamed('sig.aggSig')]
    return [withField(withField(signature, key, infinity(key)), point, infinity(point)), hash]
  },
  'swap Q3 and Q2 commitments': (signature, hash) => {
    const [q3, q2] = [fieldNamed('sig.Q3'), fieldNamed('sig.Q2')]
    return [withField(withField(signature, q3, bytesIn(signature, q2)), q2, bytesIn(signature, q3)), hash]
  },
  'signature of another block': (signature, hash) => {
    const other = signatureNamed(base.replace('/0.blk', '/1.blk'))
    return [Buffer.concat([signature.subarray(0, keyBytes), other.subarray(keyBytes)]), hash]
  },
  'key of another network': (signature, hash) => {
    const other = signatureNamed('block/consensus-node/CN_11_12_TSS_SCHNORR/0.blk.gz')
    return [Buffer.concat([other.subarray(0, keyBytes), signature.subarray(keyBytes)]), hash]
  },
  'sig.B on curve, outside subgroup': (signature, hash) => {
    const field = fieldNamed('sig.B')
    return [withField(signature, field, strayPoint(field)), hash]
  },
}

function withByte(bytes: Buffer, at: number): Buffer {
  const changed = Buffer.from(bytes)
  changed[at] = (changed[at] as number) ^ 1
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

function hexOf(value: bigint): string {
  return bigEndianBytes(value, 32).toString('hex')
}
