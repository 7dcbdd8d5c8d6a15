import { describe, expect, it } from 'vitest'
import { parseAddressBook } from '#src/domain/address-book.ts'
import type { LedgerTime } from '#src/domain/ledger-time.ts'
import { checkWrappedSignatures } from '#src/importer/block/wrapped/check-signatures.ts'
import { readRecordFileProof, type WrappedFile } from '#src/importer/block/wrapped/read-wrapped-file.ts'
import { errorOf, fail } from '#test/importer/block/made-blocks.ts'
import { trustIn } from '#test/importer/block/wrapped/made-files.ts'
import { hasSamples, sample } from '#test/importer/samples.ts'

interface ProofFacts {
  readonly path: string
  readonly version: number
  readonly nodeIds: readonly number[]
  readonly fileHash: string
  readonly recordFileName: string
  readonly addressBook: string
  readonly validSignatures: number
}

describe.skipIf(!hasSamples)('the recorded proof of a wrapped file', () => {
  const facts = hasSamples
    ? (JSON.parse(sample('facts.json').toString('utf8')) as { wrappedRecordBlockProofSample: ProofFacts })
        .wrappedRecordBlockProofSample
    : undefined
  const proof = () => readRecordFileProof(sample(facts!.path), fail)
  const check = (signatures: WrappedFile['signatures'], stakes?: bigint[]) => {
    const file = { fileHash: Buffer.from(facts!.fileHash, 'hex'), name: facts!.recordFileName } as WrappedFile['file']
    return checkWrappedSignatures(
      { file, instant: 0n as LedgerTime, sidecars: [], amendments: [], signatures },
      trustIn(sample(facts!.addressBook), stakes),
      'it',
    )
  }

  it('has the version and the nodes that are known, whose signatures hold', () => {
    const { version, signatures } = proof()
    expect([version, signatures.map(({ nodeId }) => Number(nodeId))]).toEqual([facts!.version, facts!.nodeIds])
    expect(check(signatures)).toHaveLength(facts!.validSignatures)
  })

  it('is not enough with three signatures of four that do not hold, by nodes or by stake', () => {
    const { signatures } = proof()
    const damaged = signatures.map(({ nodeId, signature }, index) => ({
      nodeId,
      signature: index === 0 ? signature : Buffer.alloc(signature.length, index),
    }))
    const total = parseAddressBook(sample(facts!.addressBook), { shard: 0n, realm: 0n })!.nodes.length
    expect(errorOf(() => check(damaged))).toMatchObject({
      code: 'consensus_missing',
      details: { have: 1n, total: BigInt(total) },
    })
    const stakes = Array.from({ length: total }, () => 1_000n)
    expect(errorOf(() => check(damaged, stakes))).toMatchObject({
      code: 'consensus_missing',
      details: { have: 1_000n, total: BigInt(total) * 1_000n },
    })
  })
})
