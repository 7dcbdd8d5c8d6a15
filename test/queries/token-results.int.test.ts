import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { longZeroAddress } from '#src/domain/evm-address.ts'
import { bloomOf, uniteBlooms } from '#src/domain/log-bloom.ts'
import type { LogRecord } from '#src/ports/message-log.ts'
import { parseExactJson } from '#test/conformance/exact-json.ts'
import { openTestLedger, type TestLedger } from '#test/http/ledger.ts'
import type { Json } from '#test/oracle/simulated-ledger.ts'
import { called, contract, hashOf, moved, native, nft, token, tokens } from '#test/projections/contract-logs/story.ts'
import { transaction } from '#test/projections/entities/story.ts'
import { exchangeRates, feeSchedule, rates, schedule, updated } from '#test/projections/network-files/story.ts'
import { bob, recordOf } from '#test/support/events.ts'
import { wholeEvent } from '#test/support/whole-event.ts'

const second = 1_000_000_000n
const start = 1_700_000_000n * second
const at = (seconds: number, nanos = 0) => start + BigInt(seconds) * second + BigInt(nanos)
const payer = 1_009n
const wrongNonce = 312

let ledger: TestLedger
beforeEach(async () => {
  ledger = await openTestLedger()
})
afterEach(() => ledger.close())

const get = async (path: string) => parseExactJson((await ledger.app().inject(`/api/v1${path}`)).body) as Json

/** The block from one second to the next. */
function block(number: bigint, from: number, minor = 73): LogRecord {
  const facts = {
    number,
    consensusStart: at(from),
    consensusEnd: at(from, 999_999),
    hash: Buffer.alloc(48, Number(number)),
    gasUsed: 90_000n,
  }
  return recordOf(
    'BlockRecorded',
    wholeEvent('BlockRecorded', { ...facts, hapiVersionMajor: 0, hapiVersionMinor: minor }),
  )
}

const paid = (time: bigint, ofToken = token) =>
  native(time, { tokenTransfers: tokens(ofToken, [payer, -5n], [bob, 5n]) }, { index: 7 })

const address = (id: bigint) => `0x${longZeroAddress(id).toString('hex')}`
const hash = (time: bigint) => `0x${hashOf(time).subarray(0, 32).toString('hex')}`
const timesOf = (list: Json) => list['results'].map(({ timestamp }: Json) => timestamp)
const placesOf = (list: Json) => list['results'].map(({ transaction_index: index }: Json) => index)
const text = (time: bigint) => `${time / second}.${String(time % second).padStart(9, '0')}`

/** Two blocks: a call, transfers of two tokens, one that failed, and an attempt with a wrong nonce. */
async function recordStory(): Promise<void> {
  const record = { contractCallResult: { gasUsed: 1n, contractID: { contractNum: contract } } }
  await ledger.record([
    updated(at(0, 1), feeSchedule, schedule({ gas: 852_000, expires: 4_000_000_000 }, { gas: 1, expires: 0 })),
    updated(at(0, 2), exchangeRates, rates(12, 4_000_000_000)),
    block(1n, 0),
    native(at(1), { transfers: [] }, { index: 0 }),
    paid(at(1, 1)),
    called(at(1, 2), contract, { transactionIndex: 2 }),
    transaction(at(1, 3), 7, contract, { result: 10, record: {}, contractCall: {}, transactionHash: hashOf(at(1, 3)) }),
    transaction(at(1, 4), 50, null, { result: wrongNonce, record: { ...record, ethereumHash: Buffer.alloc(32, 9) } }),
    paid(at(1, 5), 2_005n),
    block(2n, 1),
    paid(at(2)),
    block(3n, 2),
  ])
}

describe('a transaction of tokens', () => {
  beforeEach(recordStory)

  it('is a result of its payer that sent to the token, with the defaults of the network', async () => {
    const { results } = await get(`/contracts/results?block.number=3`)
    expect(results).toEqual([
      {
        access_list: [],
        address: address(token),
        amount: null,
        block_gas_used: 90_000,
        block_hash: `0x${'03'.repeat(48)}`,
        block_number: 3,
        bloom: '0x',
        call_result: '0x',
        chain_id: '0x128',
        contract_id: `0.0.${token}`,
        created_contract_ids: [],
        error_message: null,
        failed_initcode: null,
        from: address(payer),
        function_parameters: '0x',
        gas_consumed: null,
        gas_limit: 0,
        gas_price: '0x47',
        gas_used: null,
        hash: hash(at(2)),
        max_fee_per_gas: null,
        max_priority_fee_per_gas: null,
        nonce: null,
        r: null,
        result: 'SUCCESS',
        s: null,
        status: '0x1',
        timestamp: text(at(2)),
        to: address(token),
        transaction_index: 0,
        type: 0,
        v: null,
      },
    ])
    const { results: inWeibars } = await get(`/contracts/results?block.number=3&hbar=false`)
    expect(BigInt(inWeibars[0].gas_price)).toBe(710_000_000_000n)
  })

  it('has its place among those that the EVM sees, whatever else is in the block', async () => {
    const list = await get('/contracts/results?order=asc')
    expect(timesOf(list)).toEqual([at(1, 1), at(1, 2), at(1, 5), at(2)].map(text))
    expect(placesOf(list)).toEqual([0, 1, 2, 0])
    const { logs } = await get('/contracts/results/logs?order=asc')
    expect(logs.map(({ transaction_index: index }: Json) => index)).toEqual([0, 2, 0])
    expect(placesOf(await get('/contracts/results?block.number=2&transaction.index=2&transaction.index=0'))).toEqual([
      2, 0,
    ])
  })

  it('is the same page by page, in either order', async () => {
    for (const order of ['asc', 'desc']) {
      const found: string[] = []
      for (let next: string | null = `/api/v1/contracts/results?limit=1&order=${order}`; next !== null; ) {
        const page: Json = await get(next.replace('/api/v1', ''))
        found.push(...timesOf(page))
        next = page['links'].next
      }
      expect(found).toEqual(timesOf(await get(`/contracts/results?order=${order}`)))
    }
  })

  it('is in the list of its token, and where its time or hash is asked for, but not where a sender is', async () => {
    const list = await get(`/contracts/${token}/results`)
    expect(timesOf(list)).toEqual([at(2), at(1, 1)].map(text))
    for (const time of [at(1, 1), at(2)]) {
      const shown = { from: address(payer), to: address(token), hash: hash(time), timestamp: text(time) }
      expect((await get(`/contracts/results?timestamp=${text(time)}`)).results).toMatchObject([shown])
      expect(list['results']).toContainEqual(expect.objectContaining(shown))
      for (const path of [`/contracts/results/${hash(time)}`, `/contracts/${token}/results/${text(time)}`])
        expect(await get(path)).toMatchObject({ ...shown, transaction_index: 0, gas_price: '0x47' })
    }
    expect(timesOf(await get(`/contracts/results?from=0.0.${payer}`))).toEqual([text(at(1, 2))])
    expect(timesOf(await get(`/contracts/results?timestamp=gt:${text(at(1, 1))}&timestamp=ne:${text(at(2))}`))).toEqual(
      [at(1, 5), at(1, 2)].map(text),
    )
  })

  it('that has a wrong nonce or failed before it ran is found by its hash alone', async () => {
    expect(await get(`/contracts/results/${hash(at(1, 3))}`)).toMatchObject({ transaction_index: null, status: '0x0' })
    expect(await get(`/contracts/results/0x${'09'.repeat(32)}`)).toMatchObject({
      result: 'WRONG_NONCE',
      transaction_index: null,
    })
    // Of its contract the first one is listed, as established clients see it.
    expect(timesOf(await get(`/contracts/${contract}/results`))).toEqual([at(1, 3), at(1, 2)].map(text))
  })
})

it('of all NFTs of an account has no log and no result on lists, and takes no place', async () => {
  const updatedToken = native(at(1), { type: 36, nftTransfers: [moved(nft, payer, bob, -1n)] })
  await ledger.record([updatedToken, paid(at(1, 1)), block(1n, 1)])
  const list = await get('/contracts/results')
  expect([timesOf(list), placesOf(list)]).toEqual([[text(at(1, 1))], [0]])
  for (const path of ['/contracts/results/logs', `/contracts/${nft}/results/logs`])
    expect((await get(path)).logs.filter(({ contract_id: id }: Json) => id === `0.0.${nft}`)).toEqual([])
  expect((await get(`/contracts/results/${hash(at(1))}`)).logs).toHaveLength(1)
})

it('as part of a call is in the filter of its result, and has its place', async () => {
  const own = { contractID: { contractNum: contract }, topic: [Buffer.alloc(32, 1)], data: Buffer.alloc(32) }
  const part = native(at(1, 1), {
    parentConsensusTimestamp: at(1),
    nonce: 1,
    tokenTransfers: tokens(token, [payer, -5n], [bob, 5n]),
  })
  await ledger.record([called(at(1), contract, { logs: [own] }), part, paid(at(1, 2)), block(1n, 1, 70)])
  const { results } = await get('/contracts/results?order=asc')
  expect(results.map(({ transaction_index: index }: Json) => index)).toEqual([0, 1])
  const { logs } = await get(`/contracts/results/${hash(at(1))}`)
  const bits = logs.slice(1).map(({ topics }: Json) =>
    bloomOf(
      longZeroAddress(contract),
      topics.map((topic: string) => Buffer.from(topic.slice(2), 'hex')),
    ),
  )
  expect(bits).toHaveLength(1)
  expect(results[0].bloom).toBe(`0x${bits.reduce(uniteBlooms).toString('hex')}`)
})
