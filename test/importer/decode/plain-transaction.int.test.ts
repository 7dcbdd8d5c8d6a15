import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { encodeEvent } from '#src/events/codec.ts'
import type { BlockInput } from '#src/importer/decode/block-input.ts'
import { encodedTransactions, isPlain, transactionEvents } from '#src/importer/decode/transaction-event.ts'
import { scanFields } from '#src/importer/decode/wire.ts'
import type { SimulatedBlock } from '#src/simulator/block-files.ts'
import { createNetwork } from '#src/simulator/network.ts'
import { Prng } from '#src/simulator/prng.ts'
import { nextBlocks } from '#test/simulator/next-blocks.ts'
import { fileOf, readBlock } from '#test/simulator/read-back.ts'
import { readRecordFile } from '#test/support/read-record-file.ts'
import { hasSamples, readFacts, sample } from '../samples.ts'
import { account, amount, bob, type Item, item } from './items.ts'

type AccessPath = (input: BlockInput) => Iterable<Buffer>

const generalWay: AccessPath = (input) =>
  [...transactionEvents(input)].map((event) => encodeEvent('TransactionRecorded', event))
const plainWay: AccessPath = (input) =>
  [...encodedTransactions(input)].map((one) => (isPlain(one) ? one.value : encodeEvent('TransactionRecorded', one)))

/** Bytes in hex, or what went wrong. */
function resultOf(way: AccessPath, input: BlockInput): readonly string[] {
  try {
    return [...way(input)].map((value) => value.toString('hex'))
  } catch (error) {
    return [(error as Error).message]
  }
}

function blockOf(items: readonly Item[], options: Partial<BlockInput> = {}): BlockInput {
  return { items, sidecarRecords: [], blockNumber: 7n, keepRawBytes: false, ...options }
}

function shareOfPlain(input: BlockInput): number {
  const all = [...encodedTransactions(input)]
  return all.filter(isPlain).length / all.length
}

const network = createNetwork({ seed: 'plain transactions', accounts: 60, transactionsPerSecond: 25, dayBlocks: 20 })
const blocks = await nextBlocks(network, 24)

function simulatedInput(block: SimulatedBlock): BlockInput {
  const items = readBlock(block).items.map(({ transaction, recordBytes }) => ({ transaction, record: recordBytes }))
  const hasSidecar = block.files.some(({ path }) => path.endsWith('_01.rcd.gz'))
  const sidecar = hasSidecar ? scanFields(gunzipSync(fileOf(block, 0, '_01.rcd.gz'))) : undefined
  return blockOf(items, { sidecarRecords: (sidecar ?? []).map(({ value }) => value!) })
}

describe('the short way of plain transactions', () => {
  it.each([false, true])(
    'gives the bytes of the general way for all of a simulated network, raw bytes kept: %s',
    (keepRawBytes) => {
      for (const input of blocks.map(simulatedInput)) {
        expect(resultOf(plainWay, { ...input, keepRawBytes })).toEqual(resultOf(generalWay, { ...input, keepRawBytes }))
      }
    },
  )

  it('lets go of items whose events were handed over, and of sidecar records at first, and gives the same bytes', () => {
    const gone: Item = { transaction: Buffer.alloc(0), record: Buffer.alloc(0) }
    for (const input of blocks.map(simulatedInput)) {
      const items = [...input.items]
      const sidecarRecords = [...input.sidecarRecords]
      const letGo = {
        item: (index: number) => {
          items[index] = gone
        },
        sidecarRecords: () => {
          sidecarRecords.length = 0
        },
      }
      expect(resultOf(plainWay, { ...input, items, sidecarRecords, letGo })).toEqual(resultOf(generalWay, input))
      const kept = items.findIndex((one) => one !== gone)
      expect(sidecarRecords).toEqual([])
      // Only a batch waits for what belongs to it; the last one is read when the block ends.
      expect(items.slice(kept)).toEqual(input.items.slice(kept))
      expect(kept).toBeGreaterThan(input.items.length / 2)
    }
  })

  it.skipIf(!hasSamples)('gives the bytes of the general way for all recorded files', () => {
    for (const { name, paths } of readFacts().recordFiles) {
      const { items } = readRecordFile(name, sample(paths[0]!))
      for (const network of ['mainnet', 'testnet']) {
        const input = blockOf(items, { network })
        expect(resultOf(plainWay, input)).toEqual(resultOf(generalWay, input))
      }
    }
  })

  it('gives the result of the general way whatever happens to the bytes', () => {
    const prng = new Prng('damage')
    const whole = blocks
      .flatMap((block) => simulatedInput(block).items)
      .filter((one) => shareOfPlain(blockOf([one])) === 1)
    for (let round = 0; round < 4_000; round++) {
      const { transaction, record } = whole[prng.next() % whole.length]!
      const input = blockOf([{ transaction: damaged(transaction, prng), record: damaged(record, prng) }])
      expect(resultOf(plainWay, input), `round ${round}`).toEqual(resultOf(generalWay, input))
    }
  })

  it('is taken by most transfers and messages', () => {
    const transfers = { transferList: { accountAmounts: [amount(bob, -5), amount(3, 5)] } }
    expect(shareOfPlain(blockOf([item({ record: transfers })]))).toBe(1)
    const topicID = { topicNum: 5 }
    expect(
      shareOfPlain(blockOf([item({ body: { consensusSubmitMessage: { topicID, message: Buffer.from('hi') } } })])),
    ).toBe(1)
    const tokenTransferLists = [
      { token: { tokenNum: 7 }, nftTransfers: [{ senderAccountID: account(bob), serialNumber: 1 }] },
    ]
    const assessedCustomFees = [
      { amount: 3, feeCollectorAccountId: account(3), effectivePayerAccountId: [account(bob)] },
    ]
    expect(shareOfPlain(blockOf([item({ record: { ...transfers, tokenTransferLists, assessedCustomFees } })]))).toBe(1)
    expect(shareOfPlain(blockOf([item({ body: { cryptoDelete: { deleteAccountID: account(bob) } } })]))).toBe(0)
  })
})

/** One byte in three copies is another. */
function damaged(bytes: Uint8Array, prng: Prng): Buffer {
  const copy = Buffer.from(bytes)
  if (prng.next() % 3 === 0) copy[prng.next() % copy.length] = prng.next() & 0xff
  return copy
}
