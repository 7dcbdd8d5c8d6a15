import { describe, expect, it } from 'vitest'
import { emptyTree } from '#src/domain/merkle-tree.ts'
import type { Block } from '#src/importer/block/block.ts'
import { readBlock } from '#src/importer/block/read-block.ts'
import {
  assertAsked,
  assertContinues,
  assertContinuesFile,
  assertLater,
  linkAcrossCut,
  ruleOfWrapped,
} from '#src/importer/block-stream/block-chain.ts'
import type { LastBlock } from '#src/importer/state/last-block.ts'
import type { SourceBlock } from '#src/ports/block-node.ts'
import {
  blockBytes,
  errorOf,
  footer,
  hash48,
  header,
  signatureProof,
  sourceOf,
} from '#test/importer/block/made-blocks.ts'
import { contentsV6, wrappedFileV6, wrappingBytes } from '#test/importer/block/wrapped/made-files.ts'
import { sha384 } from '#test/support/record-writer.ts'

/** A block with this number whose footer names this root. */
const blockAfter = (previousBlockRootHash: Buffer, number = 8): Block =>
  readBlock(sourceOf(blockBytes([header({ number }), footer({ previousBlockRootHash }), signatureProof(number)])))

const file = wrappedFileV6()
const wrapping = sourceOf(
  wrappingBytes({ contents: contentsV6(file), version: 6, fileHash: sha384(file.content), nodes: [] }),
)
const { hashes } = readBlock(wrapping)

const lastFile: LastBlock = {
  name: file.name,
  number: 7n,
  numberProvisional: false,
  hash: file.endHash,
  time: 2_000_000_000n,
  version: 6,
  root: undefined,
  hapiVersion: undefined,
}
const broken = (reason: RegExp) => ({ code: 'chain_broken', details: { reason: expect.stringMatching(reason) } })
const nobody = async () => undefined
const anotherFile = wrappedFileV6({ startHash: hash48(8) })
const anotherBlock = sourceOf(
  wrappingBytes({ contents: contentsV6(anotherFile), version: 6, fileHash: hash48(0), nodes: [] }),
)

function askedFor(answer: SourceBlock | undefined) {
  const asked: bigint[] = []
  return {
    asked,
    fetch: async (number: bigint) => {
      asked.push(number)
      return answer
    },
  }
}

describe('a block of the chain', () => {
  it('is the one that was asked for', () => {
    expect(() => assertAsked(blockAfter(hash48(1)), 8n)).not.toThrow()
    expect(errorOf(() => assertAsked(blockAfter(hash48(1)), 9n))).toMatchObject(broken(/^it was asked for as block 9$/))
  })

  it('names the hash of the last one', () => {
    const last = { ...lastFile, version: 7 }
    expect(() => assertContinues(blockAfter(last.hash), last)).not.toThrow()
    expect(errorOf(() => assertContinues(blockAfter(hash48(1)), last))).toMatchObject(
      broken(/^it continues the hash 0101.*, but the block before has /),
    )
  })

  it('names any where the log begins with it, and none where it is the first of all', () => {
    expect(() => assertContinues(blockAfter(hash48(1)), undefined)).not.toThrow()
    expect(() => assertContinues(blockAfter(emptyTree, 0), undefined)).not.toThrow()
    expect(errorOf(() => assertContinues(blockAfter(hash48(1), 0), undefined))).toMatchObject(
      broken(/^it is the first block and names one before it/),
    )
  })

  it('begins after the end of the last one, but for the little that the header of one without transactions is ahead', () => {
    const [block, last] = [blockAfter(hash48(1)), lastFile]
    expect(() => assertLater(block, last.time + 1n, last)).not.toThrow()
    expect(() => assertLater(block, last.time - 999_999n, last)).not.toThrow()
    expect(() => assertLater(block, 0n, undefined)).not.toThrow()
    expect(errorOf(() => assertLater(block, last.time - 1_000_000n, last))).toMatchObject(
      broken(/^it begins at 1999000000 ns, not after the end of the last block, 2000000000 ns$/),
    )
  })

  it('with a record file in it does not follow one without', () => {
    expect(
      errorOf(() => assertContinuesFile(blockAfter(hash48(1)), hash48(1), { ...lastFile, version: 7 })),
    ).toMatchObject(broken(/^it wraps a record file, but the block before it does not$/))
  })

  it('with a record file in it continues the file before', () => {
    const block = blockAfter(hash48(1))
    expect(() => assertContinuesFile(block, lastFile.hash, lastFile)).not.toThrow()
    expect(() => assertContinuesFile(block, hash48(1), undefined)).not.toThrow()
    expect(() => assertContinuesFile(block, hash48(1), { ...lastFile, hash: Buffer.alloc(48) })).not.toThrow()
    expect(errorOf(() => assertContinuesFile(block, hash48(1), lastFile))).toMatchObject(
      broken(/^the record file that it wraps continues the hash 0101.*, but the one before has /),
    )
  })
})

describe('the first block behind record files', () => {
  it('is tied to a wrapped file by the hash that the log knows, without a question', async () => {
    const { fetch, asked } = askedFor(wrapping)
    const last = { ...lastFile, root: hashes.sixteen }
    await expect(linkAcrossCut(blockAfter(hashes.sixteen), last, fetch)).resolves.toBe('known')
    expect(asked).toEqual([])
  })

  it.each(['sixteen', 'eight'] as const)(
    'is tied to the block that wraps the last file, by the rule of %s',
    async (rule) => {
      for (const root of [undefined, hash48(1)]) {
        const { fetch, asked } = askedFor(wrapping)
        await expect(linkAcrossCut(blockAfter(hashes[rule]), { ...lastFile, root }, fetch)).resolves.toBe('fetched')
        expect(asked).toEqual([7n])
      }
    },
  )

  it('is tied by number and time alone where nobody has that block, and the log does not know its hash', async () => {
    await expect(linkAcrossCut(blockAfter(hash48(1)), lastFile, nobody)).resolves.toBe('unknown')
    await expect(linkAcrossCut(blockAfter(hash48(1)), { ...lastFile, root: hash48(2) }, nobody)).rejects.toMatchObject(
      broken(/^it continues the hash 0101.*, but the block before has 0202/),
    )
  })

  it('is refused where it names another block, or the block before holds another file or none', async () => {
    const block = blockAfter(hash48(1))
    await expect(linkAcrossCut(block, lastFile, async () => wrapping)).rejects.toMatchObject(
      broken(new RegExp(`but the block before has ${hashes.sixteen.toString('hex')}`)),
    )
    const none = sourceOf(blockBytes([header(), footer(), signatureProof()]))
    for (const other of [anotherBlock, none])
      await expect(linkAcrossCut(block, lastFile, async () => other)).rejects.toMatchObject(
        broken(/^the block 7 of a source does not hold .*\.rcd\.gz, with which the log ends$/),
      )
  })
})

describe('a block that wraps a record file behind another one', () => {
  const last = { ...lastFile, root: hashes.sixteen }
  const ruleOf = (root: Buffer, before: LastBlock | undefined, answer?: SourceBlock) => {
    const { fetch, asked } = askedFor(answer)
    return ruleOfWrapped(blockAfter(root), before, fetch, 'sixteen').then((rule) => ({ rule, asked }))
  }

  it('keeps the rule where it names what the log has, or what nobody knows', async () => {
    const kept = { rule: 'sixteen', asked: [] }
    await expect(ruleOf(hashes.sixteen, last)).resolves.toEqual(kept)
    await expect(ruleOf(emptyTree, last)).resolves.toEqual(kept)
    await expect(ruleOf(hash48(1), lastFile)).resolves.toEqual(kept)
    await expect(ruleOf(hash48(1), undefined)).resolves.toEqual(kept)
  })

  it('shows the rule by what it names', async () => {
    await expect(ruleOf(hashes.eight, last, wrapping)).resolves.toEqual({ rule: 'eight', asked: [7n] })
  })

  it('tells no rule where it names another block, or that block cannot be had', async () => {
    for (const answer of [wrapping, anotherBlock, sourceOf(Buffer.alloc(0)), undefined])
      await expect(ruleOf(hash48(1), last, answer)).resolves.toEqual({ rule: undefined, asked: [7n] })
    const away = () => Promise.reject(new RangeError('a bug'))
    await expect(ruleOfWrapped(blockAfter(hash48(1)), last, away, 'sixteen')).rejects.toThrow(RangeError)
  })
})
