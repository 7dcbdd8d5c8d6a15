import { isDeepStrictEqual } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { encode, type Message } from '#src/simulator/codec.ts'
import { mixPresets } from '#src/simulator/mix.ts'
import { createNetwork } from '#src/simulator/network.ts'
import type { SimulatorOptions } from '#src/simulator/options.ts'
import { inBlockForm, notInBlocks, storedSidecars } from '#test/simulator/blocks/not-in-blocks.ts'
import { blockFilesOf, type ReadBlockFile, signer } from '#test/simulator/blocks/read-blocks.ts'
import { type RebuiltRecord, recordsOf } from '#test/simulator/blocks/records-of-blocks.ts'
import { nextBlocks } from '#test/simulator/next-blocks.ts'
import { decode, type ReadBlock, readBlock } from '#test/simulator/read-back.ts'

const { weights, ...shares } = mixPresets.default
const options: SimulatorOptions = {
  seed: 'two forms',
  nodes: 2,
  accounts: 100,
  transactionsPerSecond: 100,
  dayBlocks: 25,
  recordVersion: '0.80.0',
  mix: { ...shares, weights: { ...weights, stackedBatch: 1, hookTransfer: 2, hookStore: 1, hookCreate: 1 } },
}
const blockCount = 90

let inRecords: ReadBlock[] = []
let inBlocks: ReadBlockFile[] = []
let rebuilt: RebuiltRecord[][] = []

beforeAll(async () => {
  const records = createNetwork(options, undefined, undefined, signer)
  inRecords = (await nextBlocks(records, blockCount)).map(readBlock)
  const blocks = createNetwork({ ...options, stream: 'blocks' }, undefined, undefined, signer)
  inBlocks = blockFilesOf(await nextBlocks(blocks, blockCount))
  rebuilt = inBlocks.map(recordsOf)
}, 120_000)

const normal = (name: string, message: Message) => decode(name, encode(name, message))

describe('the same history as record files and as blocks', () => {
  it('has the same transactions, byte for byte', () => {
    const transactions = inRecords.map(({ items }) => items.map(({ transaction }) => hexOf(transaction)))
    expect(transactions.flat().length).toBeGreaterThan(20_000)
    const again = rebuilt.map((list) =>
      list.map(({ transaction }) => hexOf(encode('proto.Transaction', { signedTransactionBytes: transaction.signed }))),
    )
    expect(again).toEqual(transactions)
  })

  it('has the same records, but for what the form of blocks cannot carry', () => {
    const seen = new Set<string>()
    for (const [block, { items }] of inRecords.entries())
      for (const [index, item] of items.entries()) {
        const record = normal('proto.TransactionRecord', rebuilt[block]![index]!.record)
        assertEqual({ block, index, kind: item.kind }, record, inBlockForm(item, seen))
      }
    expect([...seen].sort()).toEqual(Object.keys(notInBlocks).sort())
  })

  it('has the same sidecar records, but for the code of creations that failed', () => {
    let total = 0
    for (const [block, { items, sidecars }] of inRecords.entries())
      for (const [index, { kind, record }] of items.entries()) {
        const own = sidecars.filter(({ consensusTimestamp }) =>
          isSame(consensusTimestamp, record['consensusTimestamp']),
        )
        const found = rebuilt[block]![index]!.sidecars.map((each) => normal('proto.TransactionSidecarRecord', each))
        assertEqual({ block, index, kind }, found, storedSidecars(own))
        total += found.length
      }
    expect(total).toBeGreaterThan(2_000)
  })
})

function isSame(left: unknown, right: unknown): boolean {
  return (left as Message)['nanos'] === (right as Message)['nanos'] && isDeepStrictEqual(left, right)
}

/** Most are equal, and telling how others differ takes long. */
function assertEqual(where: Message, found: unknown, wanted: unknown): void {
  if (!isDeepStrictEqual(found, wanted)) expect({ ...where, found }).toEqual({ ...where, found: wanted })
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
