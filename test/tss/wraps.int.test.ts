import { describe, expect, it } from 'vitest'
import { keyHash } from '#src/tss/binding/key-hash.ts'
import { brokenWrapsConditions, publicInputs, type WrapsCondition } from '#src/tss/binding/wraps.ts'
import { readWrapsKey } from '#src/tss/binding/wraps-key.ts'
import { readWrapsProof } from '#src/tss/binding/wraps-proof.ts'
import { splitBlockSignature } from '#src/tss/block-signature.ts'
import type { Generation } from '#src/tss/generations.ts'
import { bnOrder, littleEndianBytes, littleEndianOf } from '#src/tss/numbers.ts'
import { proofFailOf } from '#src/tss/proof-failure.ts'
import { type Artifact, generation2, hasVectors, readArtifact, vector } from '#test/tss/vectors.ts'

interface WrapsFacts {
  readonly publicInputs: readonly string[]
  readonly foldedW: readonly [string, string]
  readonly foldedE: readonly [string, string]
}

interface Given {
  readonly historyKey: Uint8Array
  readonly ledgerId: Uint8Array
  readonly key: Uint8Array
  readonly proof: Uint8Array
  readonly generation: Generation
}

const fail = (reason: string): Error => new Error(reason)

describe.skipIf(!hasVectors)('history proofs', () => {
  const given = (hasVectors ? given1() : undefined) as Given

  it('have the known public inputs', () => {
    const facts = vector<WrapsFacts>('wraps.json')
    const key = readWrapsKey(given.historyKey, fail as never)
    const proof = readWrapsProof(given.proof, fail as never)
    const w = proof.folded.cmW.add(proof.newest.cmW.multiplyUnsafe(proof.factor))
    const e = proof.folded.cmE.add(proof.cmT.multiplyUnsafe(proof.factor))
    expect([w, e].map((point) => point.toAffine()).map(({ x, y }) => [String(x), String(y)])).toEqual([
      facts.foldedW,
      facts.foldedE,
    ])
    expect(publicInputs(key, proof, w, e).map(String)).toEqual(facts.publicInputs)
  })

  it.each([
    ['1, of the artifact', () => given],
    ['2, of the library', given2],
  ] as const)('bind the key in generation %s, and in that one alone', (_, make) => {
    const one = make()
    expect(brokenOf(one)).toEqual([])
    expect(brokenOf({ ...one, generation: one.generation === 1 ? 2 : 1 })).toEqual(['key'])
  })

  it.each<[string, (proof: Buffer) => void, WrapsCondition[]]>([
    ['the number of steps', (proof) => addOne(proof, 0), ['groth']],
    ['a single step', (proof) => proof.set(littleEndianBytes(1n, 32), 0), ['steps', 'groth']],
    ['the first nodes', (proof) => addOne(proof, 40), ['ledger', 'groth']],
    ['the rest of the first state', (proof) => addOne(proof, 72), ['groth']],
    ['the last nodes', (proof) => addOne(proof, 112), ['groth']],
    ['the hash of the key', (proof) => addOne(proof, 144), ['key', 'groth']],
    ['what is folded in', (proof) => proof.copy(proof, 288, 184, 216), ['instance']],
    ['a value', (proof) => addOne(proof, 448), ['groth', 'openingW']],
    ['the other value', (proof) => addOne(proof, 512), ['groth', 'openingE']],
    ['an opening', (proof) => proof.copy(proof, 480, 544, 576), ['openingW']],
    ['r', (proof) => addOne(proof, 608), ['groth', 'openingW', 'openingE']],
    ['c0', (proof) => addOne(proof, 640), ['groth', 'openingW']],
    ['c1', (proof) => addOne(proof, 672), ['groth', 'openingE']],
    ['A', (proof) => proof.copy(proof, 320, 416, 448), ['groth']],
  ])('are refused with another value of %s', (_, damage, broken) => {
    const proof = Buffer.from(given.proof)
    damage(proof)
    expect(brokenOf({ ...given, proof })).toEqual(broken)
  })

  it.each<[string, number, Uint8Array, string]>([
    [
      'a number beyond its field',
      0,
      littleEndianBytes(bnOrder, 32),
      'the number of steps of its history proof is beyond',
    ],
    ['a list of three', 32, littleEndianBytes(3n, 8), 'the first state of its history proof has 3 parts instead of 2'],
    ['a coordinate beyond its field', 320, Buffer.alloc(32, 0x3f), 'A of its history proof has a coordinate beyond'],
    ['flags that contradict each other', 351, Buffer.of(0xc0), 'A of its history proof has flags that contradict'],
    ['infinity with a coordinate', 351, Buffer.of(0x40), 'A of its history proof is marked as infinity'],
    ['no point of the curve', 320, littleEndianBytes(4n, 32), 'A of its history proof is no point of the curve'],
    ['no point of G2', 352, littleEndianBytes(1n, 64), 'B of its history proof is'],
  ])('cannot be read with %s', (_, at, bytes, words) => {
    const proof = Buffer.from(given.proof)
    proof.set(bytes, at)
    expect(() => readWrapsProof(proof, fail as never)).toThrow(words)
  })

  it('are not checked with a key for another number of inputs', () => {
    const key = Buffer.from(given.historyKey)
    key.set(littleEndianBytes(40n, 8), 256)
    expect(() => readWrapsKey(key, fail as never)).toThrow('is for 39 inputs instead of 40')
  })
})

function brokenOf({ historyKey, ledgerId, key, proof, generation }: Given): WrapsCondition[] {
  return brokenWrapsConditions(readWrapsKey(historyKey, fail as never), readWrapsProof(proof, fail as never), {
    ledgerId,
    keyHash: keyHash(key, generation),
  })
}

function given1(): Given {
  return givenOf(readArtifact(), 1)
}

function given2(): Given {
  return givenOf(generation2(), 2)
}

function givenOf({ ledger, wraps }: Artifact, generation: Generation): Given {
  const { key, binding } = splitBlockSignature(wraps, proofFailOf('it'))
  return { historyKey: ledger.historyKey, ledgerId: ledger.id, key, proof: binding, generation }
}

function addOne(bytes: Buffer, at: number): void {
  bytes.set(littleEndianBytes((littleEndianOf(bytes.subarray(at, at + 32)) + 1n) % bnOrder, 32), at)
}
