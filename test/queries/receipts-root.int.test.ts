import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { wrongNonce } from '#src/events/success.ts'
import type { LogRecord } from '#src/ports/message-log.ts'
import { openTestLedger, type TestLedger } from '#test/http/ledger.ts'
import { called, contract, hashOf, moved, native, nft, token, tokens } from '#test/projections/contract-logs/story.ts'
import { transaction } from '#test/projections/entities/story.ts'
import { alice, bob, recordOf } from '#test/support/events.ts'
import { relayReceiptsRoot } from '#test/support/relay-receipts.ts'
import { wholeEvent } from '#test/support/whole-event.ts'

const second = 1_000_000_000n
const at = (seconds: number, nanos = 0) => (1_700_000_000n + BigInt(seconds)) * second + BigInt(nanos)
const tokenTransfers = tokens(token, [alice, -5n], [bob, 5n])
const log = {
  contractID: { contractNum: contract },
  topic: [Buffer.from([1]), Buffer.alloc(32, 2)],
  data: Buffer.from([3]),
}

let ledger: TestLedger
beforeEach(async () => {
  ledger = await openTestLedger()
})
afterEach(() => ledger.close())

// biome-ignore lint/suspicious/noExplicitAny: answers are compared, not built upon
const ask = async (path: string): Promise<any> => (await ledger.app().inject(`/api/v1${path}`)).json()

/** The root of a block with these transactions, and of how many receipts it is, as a relay finds them. */
async function rootOf(...records: readonly LogRecord[]): Promise<{ readonly root: string; readonly count: number }> {
  const facts = {
    number: 1n,
    consensusStart: at(0),
    consensusEnd: at(9),
    hash: Buffer.alloc(48, 1),
    hapiVersionMajor: 0,
  }
  await ledger.record([
    ...records,
    recordOf('BlockRecorded', wholeEvent('BlockRecorded', { ...facts, hapiVersionMinor: 70 })),
  ])
  const { results } = await ask('/contracts/results?order=asc&limit=100')
  const { logs } = await ask('/contracts/results/logs?order=asc&limit=100')
  const { receipts_root: root } = await ask('/blocks/1')
  expect(root).toBe(await relayReceiptsRoot(results, logs))
  return { root, count: results.length }
}

describe('the root of the receipts of a block', () => {
  it('is of zeros where nothing is seen by the EVM, all NFTs that an account has included', async () => {
    const { root, count } = await rootOf(
      native(at(1), { type: 11 }),
      native(at(2), { type: 36, nftTransfers: [moved(nft, alice, bob, -1n)] }),
    )
    expect({ root, count }).toEqual({ root: `0x${'00'.repeat(32)}`, count: 0 })
  })

  it('has what is made for parts of a call with the call, and no receipt of the parts', async () => {
    const part = { type: 14, entityId: null, nonce: 1, parentConsensusTimestamp: at(1), tokenTransfers }
    const { count } = await rootOf(
      called(at(1), contract, { logs: [log] }),
      called(at(1, 1), 359n, { ...part, transactionHash: hashOf(at(1)) }),
      native(at(2), { tokenTransfers }),
    )
    expect(count).toBe(2)
  })

  it('has the logs with the address that a contract has by then', async () => {
    const contractCreateResult = { contractID: { contractNum: contract }, evmAddress: Buffer.alloc(20, 0xcd) }
    const { count } = await rootOf(
      called(at(1), contract, { logs: [log] }),
      transaction(at(2), 8, contract, {
        contractCreateInstance: {},
        transactionHash: hashOf(at(2)),
        record: { contractCreateResult },
      }),
    )
    expect(count).toBe(2)
    expect((await ask('/contracts/results/logs')).logs[0].address).toBe(`0x${'cd'.repeat(20)}`)
  })

  it('has one receipt, with the logs of both, where two results have one hash', async () => {
    const sent = { transactionHash: hashOf(at(1)), logs: [log] }
    const { count } = await rootOf(
      called(at(1), contract, { ...sent, result: 33, successful: false }),
      called(at(2), contract, { logs: [log] }),
      called(at(3), contract, sent),
    )
    expect(count).toBe(3)
  })

  it('has none for what the EVM never saw', async () => {
    const unseen = { successful: false, result: wrongNonce }
    const { count } = await rootOf(called(at(1), contract, unseen), called(at(2), contract, { logs: [log] }))
    expect(count).toBe(1)
  })
})
