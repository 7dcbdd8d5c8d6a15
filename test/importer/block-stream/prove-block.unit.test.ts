import { describe, expect, it } from 'vitest'
import { LedgerError } from '#src/domain/errors.ts'
import { innerHash, leafHash } from '#src/domain/merkle-tree.ts'
import type { Block } from '#src/importer/block/block.ts'
import { readBlock } from '#src/importer/block/read-block.ts'
import { type ProofChecker, proveBlock } from '#src/importer/block-stream/prove-block.ts'
import type { Message } from '#src/simulator/codec.ts'
import type { ProofForm } from '#src/tss/block-signature.ts'
import type { Ledger } from '#src/tss/ledger.ts'
import {
  blockBytes,
  executed,
  footer,
  hash48,
  header,
  signatureProof,
  sourceOf,
} from '#test/importer/block/made-blocks.ts'

const ledger = { digest: 'the ledger' } as Ledger
const signature = Buffer.from('signed')

/** A block with this proof; the hash that the ledger signs. */
function blockWith(proof: Message | ((block: Block) => Message)): Block {
  const items = [header(), ...executed(1, { cryptoTransfer: {} }), footer()]
  const plain = readBlock(sourceOf(blockBytes([...items, signatureProof()])))
  return readBlock(sourceOf(blockBytes([...items, typeof proof === 'function' ? proof(plain) : proof])))
}

const failure = (check: string, name: string) => new LedgerError('proof_invalid', `${name}: ${check}`, { check })

/** Believes a signature of one hash alone, and keeps what it was asked. */
function checkerOf(signed: Buffer, check = 'weight', form: ProofForm = 'schnorr') {
  const asked: string[] = []
  const checker: ProofChecker = {
    check: async ({ message, signature: given, name, ledger: of }) => {
      asked.push(Buffer.from(message).toString('hex'))
      expect([of, Buffer.from(given).toString()]).toEqual([ledger, 'signed'])
      if (signed.equals(message)) return { form, generation: 2 }
      throw failure(check, `${name}, attempt ${asked.length}`)
    },
  }
  return { checker, asked }
}

describe('a signature of the ledger', () => {
  const block = blockWith(signatureProof(7, signature))
  const { eight, sixteen } = block.hashes

  it('proves a block under the rule that is tried first', async () => {
    const { checker, asked } = checkerOf(sixteen)
    await expect(proveBlock(block, { ledger, checker, rule: 'sixteen' })).resolves.toEqual({
      rule: 'sixteen',
      hash: sixteen,
      kind: 'SIGNATURE_SCHNORR',
      generation: 2,
    })
    expect(asked).toEqual([sixteen.toString('hex')])
  })

  it('proves it under the other rule as well', async () => {
    const { checker, asked } = checkerOf(sixteen, 'weight', 'wraps')
    await expect(proveBlock(block, { ledger, checker, rule: 'eight' })).resolves.toMatchObject({
      rule: 'sixteen',
      hash: sixteen,
      kind: 'SIGNATURE_WRAPS',
    })
    expect(asked).toEqual([eight, sixteen].map((hash) => hash.toString('hex')))
  })

  it('of something else proves nothing, and what is said is that of the first rule', async () => {
    const { checker, asked } = checkerOf(hash48(9))
    await expect(proveBlock(block, { ledger, checker, rule: 'eight' })).rejects.toThrow(
      'block 7 of a source, attempt 1: weight',
    )
    expect(asked).toHaveLength(2)
  })

  it('that is none is not tried twice, nor is a failure of the checker', async () => {
    const { checker, asked } = checkerOf(hash48(9), 'form')
    await expect(proveBlock(block, { ledger, checker, rule: 'eight' })).rejects.toMatchObject({
      details: { check: 'form' },
    })
    expect(asked).toHaveLength(1)
    const broken: ProofChecker = { check: () => Promise.reject(new RangeError('a bug')) }
    await expect(proveBlock(block, { ledger, checker: broken, rule: 'eight' })).rejects.toThrow(RangeError)
  })
})

describe('a proof by a later block', () => {
  const timestampLeaf = Buffer.from('0801', 'hex')
  const siblings = [5, 6, 7, 8].map((byte) => ({ hash: hash48(byte) }))
  const noIndex = 0xffff_ffff
  const proofFrom = (start: Buffer): Message => ({
    blockProof: {
      block: 7,
      blockStateProof: {
        paths: [
          { timestampLeaf, nextPathIndex: 2 },
          { hash: start, siblings, nextPathIndex: 2 },
          { nextPathIndex: noIndex },
        ],
        signedBlockProof: { blockSignature: signature },
      },
    },
  })
  const rootFrom = (start: Buffer) =>
    innerHash(
      leafHash(timestampLeaf),
      siblings.reduce((hash, { hash: right }) => innerHash(hash, right), start),
    )

  it.each(['sixteen', 'eight'] as const)('tells the rule of %s by the hash that its way begins at', async (rule) => {
    const block = blockWith(({ hashes }) => proofFrom(hashes[rule]))
    const { checker } = checkerOf(rootFrom(block.hashes[rule]))
    await expect(proveBlock(block, { ledger, checker, rule: 'sixteen' })).resolves.toEqual({
      rule,
      hash: block.hashes[rule],
      kind: 'STATE_PROOF_SCHNORR',
      generation: 2,
    })
  })

  it('that begins at another block proves nothing', async () => {
    const { checker, asked } = checkerOf(rootFrom(hash48(1)))
    await expect(
      proveBlock(blockWith(proofFrom(hash48(1))), { ledger, checker, rule: 'sixteen' }),
    ).rejects.toMatchObject({
      code: 'proof_invalid',
    })
    expect(asked).toEqual([])
  })
})

describe('a proof is refused', () => {
  const { checker } = checkerOf(hash48(9))

  it('that is of another block, or of a record file', async () => {
    await expect(proveBlock(blockWith(signatureProof(8)), { ledger, checker, rule: 'sixteen' })).rejects.toMatchObject({
      code: 'proof_invalid',
      details: { reason: 'its proof is that of block 8' },
    })
    const ofFile = { blockProof: { block: 7, signedRecordFileProof: { version: 6 } } }
    await expect(proveBlock(blockWith(ofFile), { ledger, checker, rule: 'sixteen' })).rejects.toMatchObject({
      details: { reason: 'its proof is that of a record file, which it does not wrap' },
    })
  })

  it('where there is none', async () => {
    const block = { ...blockWith(signatureProof()), proofs: [] }
    await expect(proveBlock(block, { ledger, checker, rule: 'sixteen' })).rejects.toMatchObject({
      code: 'file_malformed',
    })
  })
})
