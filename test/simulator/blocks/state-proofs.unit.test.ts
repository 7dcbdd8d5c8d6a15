import { describe, expect, it } from 'vitest'
import type { HashRule } from '#src/domain/block-hash.ts'
import { innerHash, leafHash, singleHash } from '#src/domain/merkle-tree.ts'
import type { Message } from '#src/simulator/codec.ts'
import { createNetwork, type NetworkState } from '#src/simulator/network.ts'
import type { SimulatorOptions } from '#src/simulator/options.ts'
import { blockFilesOf, hashOf, signer } from '#test/simulator/blocks/read-blocks.ts'
import { nextBlocks } from '#test/simulator/next-blocks.ts'

const options: SimulatorOptions = {
  seed: 'state proofs',
  nodes: 1,
  accounts: 20,
  transactionsPerSecond: 2,
  stream: 'blocks',
  stateProofs: true,
}
const create = (hashRule: HashRule, saved?: NetworkState) =>
  createNetwork({ ...options, hashRule }, saved, undefined, signer)

/** Sides of the siblings of one block, and in between: R right, L left, - a node with one child. */
const patterns = { sixteen: ['RRRR', 'L'], eight: ['RRR-', 'L'] } as const

/** Walks the path of a proof; gives the root that is signed, and the hash of each block on the way. */
function folded(proof: Message): { root: Buffer; passed: Buffer[]; pattern: string } {
  const [first, second, third] = proof['paths'] as [Message, Message, Message]
  expect([first['nextPathIndex'], second['nextPathIndex'], third['nextPathIndex']]).toEqual([2, 2, 4_294_967_295])
  expect(Object.keys(third)).toEqual(['nextPathIndex'])
  let hash: Buffer = Buffer.from(second['hash'] as Uint8Array)
  const passed: Buffer[] = []
  let pattern = ''
  for (const { isLeft, hash: sibling } of second['siblings'] as { isLeft?: boolean; hash?: Uint8Array }[]) {
    pattern += sibling ? (isLeft ? 'L' : 'R') : '-'
    if (!sibling) hash = singleHash(hash)
    else hash = isLeft ? innerHash(sibling, hash) : innerHash(hash, sibling)
    if (isLeft) passed.push(hash)
  }
  return { root: innerHash(leafHash(first['timestampLeaf'] as Uint8Array), hash), passed, pattern }
}

describe('blocks without a signature of their own', () => {
  for (const rule of ['sixteen', 'eight'] as const)
    it(`are proven by the next signed one, by the rule of ${rule}`, async () => {
      const blocks = blockFilesOf(await nextBlocks(create(rule), 16))
      const hashes = blocks.map((block) => hashOf(block, rule))
      const proven: number[] = []
      for (const [number, { proof }] of blocks.entries()) {
        const stateProof = proof['blockStateProof'] as Message | undefined
        if (!stateProof) continue
        proven.push(number)
        const signed = blocks.findIndex((block, index) => index > number && 'signedBlockProof' in block.proof)
        const { root, passed, pattern } = folded(stateProof)
        expect((stateProof['paths'] as Message[])[1]?.['hash']).toEqual(hashes[number])
        expect(passed).toEqual(hashes.slice(number + 1, signed))
        expect(root).toEqual(hashes[signed])
        const [own, between] = patterns[rule]
        expect(pattern).toBe(Array.from({ length: signed - number }, () => own).join(between))
        const { blockSignature } = stateProof['signedBlockProof'] as Message
        expect(blockSignature).toEqual(Buffer.from(signer.sign(hashes[signed]!)))
      }
      expect(proven).toEqual([4, 5, 6, 12, 13, 14])
    })

  it('are published together with it, the signed one first', async () => {
    const files = (await nextBlocks(create('sixteen'), 9)).map((block) =>
      block.files.map(({ path }) => path.slice(-12, -9)),
    )
    const each = Array.from({ length: 9 }, (_, number) => String(number).padStart(3, '0'))
    expect(files).toEqual([
      ...each.slice(0, 4).map((number) => [number]),
      [],
      [],
      [],
      ['007', '004', '005', '006'],
      ['008'],
    ])
  })

  it('wait in the saved state as well', async () => {
    const undisturbed = create('sixteen')
    await nextBlocks(undisturbed, 6)
    const saved = JSON.parse(JSON.stringify(undisturbed.save())) as NetworkState
    const resumed = create('sixteen', saved)
    expect((await nextBlocks(resumed, 4)).map(({ files }) => files)).toEqual(
      (await nextBlocks(undisturbed, 4)).map(({ files }) => files),
    )
  })
})
