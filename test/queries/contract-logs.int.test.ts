import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { LogRecord } from '#src/ports/message-log.ts'
import { parseExactJson } from '#test/conformance/exact-json.ts'
import { openTestLedger, type TestLedger } from '#test/http/ledger.ts'
import {
  accountCreated,
  called,
  contract,
  hashOf,
  moved,
  native,
  nft,
  token,
  tokens,
} from '#test/projections/contract-logs/story.ts'
import { transaction } from '#test/projections/entities/story.ts'
import { alice, bob, recordOf } from '#test/support/events.ts'
import { mayHold } from '#test/support/log-bloom.ts'
import { wholeEvent } from '#test/support/whole-event.ts'

const second = 1_000_000_000n
const at = (seconds: number, nanos = 0) => 1_700_000_000n * second + BigInt(seconds) * second + BigInt(nanos)
const timeOf = (time: bigint) => `${time / second}.${String(time % second).padStart(9, '0')}`

const blockOf = (number: bigint, end: bigint, hapiVersionMinor = 73, logsBloom = Buffer.alloc(0)): LogRecord =>
  recordOf(
    'BlockRecorded',
    wholeEvent('BlockRecorded', {
      number,
      consensusEnd: end,
      hash: Buffer.alloc(48, Number(number)),
      logsBloom,
      hapiVersionMajor: 0,
      hapiVersionMinor,
    }),
  )

const tokenTransfers = tokens(token, [alice, -5n], [bob, 5n])
const topicOf = (byte: number) => `0x${byte.toString(16)}`
const real = (...topics: number[]) => ({
  contractID: { contractNum: contract },
  topic: topics.map((byte) => Buffer.from([byte])),
  data: Buffer.alloc(40, 9),
  bloom: Buffer.alloc(256, 1),
})
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

let ledger: TestLedger
beforeEach(async () => {
  ledger = await openTestLedger()
})
afterEach(() => ledger.close())

// biome-ignore lint/suspicious/noExplicitAny: answers are compared, not built upon
type Json = any

async function ask(path: string): Promise<Json> {
  const answer = await ledger.app({ pageSizeDefault: 25 }).inject(path.startsWith('/api') ? path : `/api/v1${path}`)
  return parseExactJson(answer.body)
}

/** Times (after the start) and numbers of all logs, page by page. */
async function walk(path: string): Promise<string[]> {
  const places: string[] = []
  for (let next: string | null = path; next !== null; ) {
    const page: Json = await ask(next)
    places.push(...page.logs.map(({ timestamp, index }: Json) => `${timestamp.slice(9)} ${index}`))
    next = page.links.next
  }
  return places
}

describe('the list of logs', () => {
  it('shows a log with its block, its transaction, and the filter of its address and topics', async () => {
    const own = Buffer.alloc(20, 0xab)
    await ledger.record([
      accountCreated(at(0), alice, {}, { record: { evmAddress: own } }),
      native(at(1), { tokenTransfers }, { index: 3 }),
      blockOf(7n, at(2)),
    ])
    const { logs, links } = await ask('/contracts/results/logs')
    expect(links.next).toBe(null)
    expect(logs).toEqual([
      {
        address: `0x${token.toString(16).padStart(40, '0')}`,
        block_hash: `0x${'07'.repeat(48)}`,
        block_number: 7,
        bloom: expect.stringMatching(/^0x[0-9a-f]{512}$/),
        contract_id: `0.0.${token}`,
        data: `0x${'5'.padStart(64, '0')}`,
        index: 0,
        root_contract_id: `0.0.${token}`,
        timestamp: timeOf(at(1)),
        topics: [transferTopic, `0x${'ab'.repeat(20).padStart(64, '0')}`, `0x${bob.toString(16).padStart(64, '0')}`],
        transaction_hash: `0x${hashOf(at(1)).subarray(0, 32).toString('hex')}`,
        transaction_index: 0,
      },
    ])
  })

  it('of one contract is found by its EVM address, and none by one of whom there are none', async () => {
    const evmAddress = Buffer.alloc(20, 0xcd)
    const contractCreateResult = { contractID: { contractNum: contract }, evmAddress }
    await ledger.record([
      accountCreated(at(0), alice, {}, { record: { evmAddress: Buffer.alloc(20, 0xab) } }),
      transaction(at(0, 1), 8, contract, { contractCreateInstance: {}, record: { contractCreateResult } }),
      called(at(1), contract, { logs: [real(1)] }),
      blockOf(1n, at(2)),
    ])
    const { logs } = await ask(`/contracts/0x${'cd'.repeat(20)}/results/logs`)
    expect(logs).toMatchObject([{ contract_id: `0.0.${contract}` }])
    for (const address of ['ab', 'ef'].map((byte) => byte.repeat(20)))
      expect(await ask(`/contracts/${address}/results/logs`)).toEqual({ logs: [], links: { next: null } })
  })

  it('is in the order of times and numbers, in whatever way it is searched, and page by page', async () => {
    const part = (parent: bigint, nanos: number, facts = {}) =>
      called(parent + BigInt(nanos), 359n, { type: 14, entityId: null, parentConsensusTimestamp: parent, ...facts })
    // Tokens that parts of a call move are shown with it, behind what earlier parts have logged under times of their own.
    const call = (time: bigint) => [
      called(time, contract, { logs: [real(1, 2)] }),
      part(time, 1, { logs: [real(1, 2)] }),
      part(time, 2, { tokenTransfers }),
      part(time, 3, { logs: [real(1, 2)] }),
      part(time, 4, { tokenTransfers }),
    ]
    await ledger.record([
      ...call(at(1)),
      ...call(at(1, 2_000)),
      blockOf(1n, at(2), 70),
      ...call(at(3)),
      blockOf(2n, at(4), 70),
    ])
    const all = [
      ['.000000000 0', '.000000000 2', '.000000000 4', '.000000001 1', '.000000003 3'].map((each) => `1${each}`),
      ['.000002000 5', '.000002000 7', '.000002000 9', '.000002001 6', '.000002003 8'].map((each) => `1${each}`),
      ['.000000000 0', '.000000000 2', '.000000000 4', '.000000001 1', '.000000003 3'].map((each) => `3${each}`),
    ].flat()
    const window = `timestamp=gte:${timeOf(at(0))}&timestamp=lte:${timeOf(at(9))}`
    for (const limit of [1, 2, 3, 100]) {
      expect(await walk(`/contracts/results/logs?order=asc&limit=${limit}`)).toEqual(all)
      expect(await walk(`/contracts/results/logs?limit=${limit}`)).toEqual(all.toReversed())
      expect(await walk(`/contracts/${contract}/results/logs?order=asc&limit=${limit}`)).toEqual(all)
      expect(await walk(`/contracts/${contract}/results/logs?limit=${limit}`)).toEqual(all.toReversed())
      const made = all.filter((place) => /[2479]$/.test(place) && place.includes('000 '))
      const byTopic = `/contracts/results/logs?topic0=${transferTopic}&${window}&limit=${limit}`
      expect(await walk(`${byTopic}&order=asc`)).toEqual(made)
      expect(await walk(byTopic)).toEqual(made.toReversed())
    }
  })

  it('is searched by several topics at once, each one of a set', async () => {
    await ledger.record([
      called(at(1), contract, { logs: [real(1, 2, 3), real(1, 4, 3), real(5, 2), real(1)] }),
      blockOf(1n, at(2)),
    ])
    const window = `timestamp=${timeOf(at(1))}`
    const search = async (...topics: (readonly [position: number, byte: number])[]) => {
      const asked = topics.map(([position, byte]) => `topic${position}=${topicOf(byte)}`).join('&')
      return (await ask(`/contracts/results/logs?order=asc&${window}&${asked}`)).logs.map(({ index }: Json) => index)
    }
    expect(await search([0, 1])).toEqual([0, 1, 3])
    expect(await search([0, 1], [1, 2])).toEqual([0])
    expect(await search([0, 1], [0, 5], [1, 2])).toEqual([0, 2])
    expect(await search([0, 5], [1, 2], [1, 4])).toEqual([2])
    expect(await search([2, 3], [1, 2], [1, 4])).toEqual([0, 1])
    expect(await search([3, 3])).toEqual([])
    expect(await search([0, 1], [1, 9])).toEqual([])
  })

  it('of one contract is searched by kind, whether most of its logs are of that kind or few', async () => {
    const calls = Array.from({ length: 80 }, (_, index) =>
      called(at(1, index * 1_000), contract, { logs: [real(index % 16 === 3 ? 2 : 1), real(1)] }),
    )
    await ledger.record([...calls, blockOf(1n, at(2))])
    const window = `timestamp=gte:${timeOf(at(1))}&timestamp=lte:${timeOf(at(2))}`
    const numbersOf = async (topic: number, query: string): Promise<number[]> => {
      const places = await walk(`/contracts/${contract}/results/logs?topic0=${topicOf(topic)}&${window}&${query}`)
      return places.map((place) => Number(place.split(' ')[1]))
    }
    const rare = [3, 19, 35, 51, 67].map((call) => call * 2)
    const all = Array.from({ length: 160 }, (_, number) => number)
    const usual = all.filter((number) => !rare.includes(number))
    for (const limit of [7, 25]) {
      expect(await numbersOf(2, `order=asc&limit=${limit}`)).toEqual(rare)
      expect(await numbersOf(2, `limit=${limit}`)).toEqual(rare.toReversed())
      expect(await numbersOf(1, `order=asc&limit=${limit}`)).toEqual(usual)
      expect(await numbersOf(1, `limit=${limit}`)).toEqual(usual.toReversed())
    }
    expect(await numbersOf(9, 'limit=25')).toEqual([])
  })

  it('is searched by the hash of an Ethereum transaction or the first half of another, with 32 bytes or 48', async () => {
    const ethereumHash = Buffer.alloc(32, 0xee)
    const contractID = { contractNum: contract }
    const record = { ethereumHash, contractCallResult: { contractID, gasUsed: 1n, logInfo: [real(1)] } }
    await ledger.record([
      called(at(1), contract, { type: 50, record }),
      native(at(2), { tokenTransfers }),
      blockOf(1n, at(3)),
    ])
    const times = async (hash: string) =>
      (await ask(`/contracts/results/logs?transaction.hash=${hash}`)).logs.map(({ timestamp }: Json) => timestamp)
    const native48 = hashOf(at(2)).toString('hex')
    expect(await times(ethereumHash.toString('hex'))).toEqual([timeOf(at(1))])
    // Both hashes of the ledger's index: that of an Ethereum transaction on the ledger is another one.
    expect(await times(hashOf(at(1)).toString('hex'))).toEqual([timeOf(at(1))])
    expect(await times(`${hashOf(at(1)).toString('hex', 0, 32)}&timestamp=gt:${timeOf(at(1))}`)).toEqual([])
    expect(await times(`0x${native48}`)).toEqual([timeOf(at(2))])
    expect(await times(native48.slice(0, 64))).toEqual([timeOf(at(2))])
    expect(await times(`${native48.slice(0, 64)}${'ab'.repeat(16)}`)).toEqual([])
    expect(await times('00'.repeat(32))).toEqual([])
  })

  it('shows logs as soon as their block is complete', async () => {
    await ledger.record([native(at(1), { tokenTransfers }), blockOf(1n, at(1)), native(at(2), { tokenTransfers })])
    expect(await walk('/contracts/results/logs')).toEqual(['1.000000000 0'])
    await ledger.record([blockOf(2n, at(2))])
    expect(await walk('/contracts/results/logs')).toEqual(['2.000000000 0', '1.000000000 0'])
  })
})

describe('the filter of a block', () => {
  const filterOf = (block: Json) => Buffer.from(block.logs_bloom.slice(2), 'hex')

  it('holds what is recorded and every log that was made, as the address and topics that these are shown with', async () => {
    const recorded = Buffer.alloc(256)
    recorded[3] = 0x80
    const contractCreateResult = { contractID: { contractNum: contract }, evmAddress: Buffer.alloc(20, 0xcd) }
    const part = called(at(1, 1), 359n, { type: 14, entityId: null, parentConsensusTimestamp: at(1), tokenTransfers })
    await ledger.record([
      accountCreated(at(0), alice, {}, { record: { evmAddress: Buffer.alloc(20, 0xab) } }),
      transaction(at(0, 1), 8, contract, { contractCreateInstance: {}, record: { contractCreateResult } }),
      called(at(1), contract, { logs: [real(1)] }),
      part,
      native(at(2), { tokenTransfers, nftTransfers: [moved(nft, null, bob, 9n)] }),
      blockOf(1n, at(3), 70, recorded),
      called(at(4), contract, { logs: [real(1)] }),
      blockOf(2n, at(5), 70, recorded),
      native(at(6), { tokenTransfers }),
      blockOf(3n, at(7)),
    ])
    const { blocks } = await ask('/blocks?order=asc')
    const { logs } = await ask('/contracts/results/logs?order=asc')
    const made = logs.filter(({ bloom }: Json) => bloom !== `0x${'01'.repeat(256)}`)
    expect(made.map(({ block_number: number }: Json) => number)).toEqual([1, 1, 1, 3])
    expect(made[0].address).toBe(`0x${'cd'.repeat(20)}`)
    for (const { address: contractAddress, topics, block_number: number } of made)
      for (const item of [contractAddress, ...topics])
        expect(mayHold(filterOf(blocks[number - 1]), Buffer.from(item.slice(2), 'hex'))).toBe(true)
    expect(filterOf(blocks[0])[3]! & 0x80).toBe(0x80)
    expect(filterOf(blocks[1])).toEqual(recorded)
    for (const block of blocks) expect(await ask(`/blocks/${block.number}`)).toEqual(block)
  })

  it('is what is recorded while there are no logs to know others from', async () => {
    await ledger.record([native(at(1), { tokenTransfers }), blockOf(1n, at(1))])
    const { blocks, transactions } = ledger.readers
    const answer = await ledger.app({}, { readers: { blocks, transactions } }).inject('/api/v1/blocks/1')
    expect(answer.json()).toMatchObject({ logs_bloom: '0x', receipts_root: null })
  })
})
