import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { networkFilesRoutes } from '#queries/network-files/routes.ts'
import type { LogRecord } from '#src/ports/message-log.ts'
import type { Message } from '#src/simulator/codec.ts'
import { openTestLedger, type TestLedger } from '#test/http/ledger.ts'
import { transaction } from '#test/projections/hooks/story.ts'
import {
  appended,
  exchangeRates,
  feeSchedule,
  half,
  rates,
  schedule,
  simpleFees,
  updated,
} from '#test/projections/network-files/story.ts'
import { signed } from '#test/queries/network-files/submitted.ts'
import { bytesField, varintField } from '#test/support/protobuf-writer.ts'

let ledger: TestLedger
let app: FastifyInstance
beforeEach(async () => {
  ledger = await openTestLedger(networkFilesRoutes)
  app = ledger.app()
})
afterEach(async () => {
  await app.close()
  await ledger.close()
})

const second = 1_000_000_000n

async function get(path: string): Promise<[status: number, body: unknown]> {
  const { statusCode, body } = await app.inject(`/api/v1/network/${path}`)
  return [statusCode, JSON.parse(body)]
}

const failure = (message: string, detail: string) => ({ _status: { messages: [{ message, detail }] } })
const missing = (file: string) => [404, failure('Not Found', `File ${file} not found`)]
const record = (...records: readonly LogRecord[]) => ledger.record(records)

describe('/network/exchangerate', () => {
  it('tells the rates as of a time, by the newest contents that can be read', async () => {
    await record(
      updated(10n, exchangeRates, rates(12)),
      updated(20n, exchangeRates, rates(14)),
      updated(30n, exchangeRates, half),
    )
    const found = [200, { current_rate: rate(14, 100), next_rate: rate(28, 110), timestamp: '0.000000020' }]
    expect(await get('exchangerate')).toEqual(found)
    expect(await get('exchangerate?timestamp=0.000000020')).toEqual(found)
    expect(await get('exchangerate?timestamp=lt:0.000000020')).toMatchObject([200, { timestamp: '0.000000010' }])
    expect(await get('exchangerate?timestamp=lt:0.000000010')).toEqual(missing('0.0.112'))
  })

  it('gives up after twelve versions that cannot be read', async () => {
    const broken = Array.from({ length: 12 }, (_, index) => updated(BigInt(20 + index), exchangeRates, half))
    await record(updated(10n, exchangeRates, rates(12)), ...broken)
    expect(await get('exchangerate')).toEqual(missing('0.0.112'))
    expect(await get('exchangerate?timestamp=lt:0.000000031')).toMatchObject([200, { timestamp: '0.000000010' }])
  })

  it('finds contents only with all their parts in the window', async () => {
    const whole = rates(12)
    await record(updated(10n, exchangeRates, whole.subarray(0, 5)), appended(20n, exchangeRates, whole.subarray(5)))
    expect((await get('exchangerate?timestamp=gte:0.000000010'))[0]).toBe(200)
    expect(await get('exchangerate?timestamp=gte:0.000000011')).toEqual(missing('0.0.112'))
    expect(await get('exchangerate?timestamp=lte:0.000000019')).toEqual(missing('0.0.112'))
  })

  it('refuses what is no time, and more than two', async () => {
    for (const wrong of ['ne:1', 'x', 'eq:-1'])
      expect(await get(`exchangerate?timestamp=${wrong}`)).toEqual([
        400,
        failure('Bad Request', "Failed to convert 'timestamp'"),
      ])
    expect(await get('exchangerate?timestamp=1&timestamp=2&timestamp=3')).toEqual([
      400,
      failure('Bad Request', 'timestamp size must be between 0 and 2'),
    ])
  })
})

describe('GET /network/fees', () => {
  it('takes the schedule and the rate that are in force at the time asked for', async () => {
    await record(
      updated(second, feeSchedule, schedule({ gas: 852_000, expires: 50 }, { gas: 1_704_000, expires: 500 })),
      updated(second + 1n, exchangeRates, rates(12, 100)),
    )
    const gasAt = async (query: string) => {
      const [, body] = await get(`fees${query}`)
      return (body as { fees: { gas: number }[] }).fees.map(({ gas }) => gas)
    }
    expect(await gasAt('')).toEqual([71])
    expect(await gasAt('?timestamp=50')).toEqual([71])
    expect(await gasAt('?timestamp=50.000000001')).toEqual([142])
    expect(await gasAt('?timestamp=gt:0')).toEqual([71])
    expect(await gasAt('?timestamp=100.000000001')).toEqual([71])
  })

  it('takes the simple fees where the ledger has them, and the older schedule before that', async () => {
    const fees = (gas: number) => bytesField(4, varintField(1, 5), varintField(2, gas))
    const names = ['ContractCall', 'ContractCreate', 'EthereumTransaction']
    const found = (gas: number, timestamp: string) => [
      200,
      { fees: names.map((transaction_type) => ({ gas, transaction_type })), timestamp },
    ]
    expect(await get('fees')).toEqual(missing('0.0.113'))
    await record(
      updated(second, feeSchedule, schedule({ gas: 1_704_000, expires: 50 }, { gas: 1_704_000, expires: 500 })),
      updated(second + 1n, exchangeRates, rates(12)),
      updated(second + 10n, simpleFees, fees(852)),
      updated(second + 20n, feeSchedule, schedule({ gas: 1_000, expires: 50 }, { gas: 1_000, expires: 500 })),
      updated(second + 30n, simpleFees, fees(1_200)),
      updated(second + 40n, simpleFees, half),
    )
    expect(await get('fees')).toEqual(found(100, '1.000000030'))
    expect(await get('fees?timestamp=1.000000029')).toEqual(found(71, '1.000000010'))
    const [status, older] = await get('fees?timestamp=lt:1.000000010')
    expect([status, older]).toEqual([
      200,
      { fees: [{ gas: 142, transaction_type: 'ContractCall' }], timestamp: '1.000000000' },
    ])
    const [, reversed] = await get('fees?order=desc')
    expect((reversed as { fees: { transaction_type: string }[] }).fees.map((fee) => fee.transaction_type)).toEqual(
      names.toReversed(),
    )
  })
})

describe('POST /network/fees', () => {
  const post = async (payload: Uint8Array, query = '', type = 'application/protobuf') => {
    const url = `/api/v1/network/fees${query}`
    const answer = await app.inject({
      method: 'POST',
      url,
      headers: { 'content-type': type },
      payload: Buffer.from(payload),
    })
    return [answer.statusCode, answer.json()]
  }
  const message = signed({ consensusSubmitMessage: { message: Buffer.alloc(128) } }, 2)

  it('estimates by the published schedule while the ledger has none', async () => {
    const bytes = {
      charged: 28,
      count: 128,
      fee_per_unit: 6_800,
      included: 100,
      name: 'CONSENSUS_SUBMIT_MESSAGE_WITHOUT_CUSTOM_FEE_BYTES',
      subtotal: 190_400,
    }
    const signature = {
      charged: 1,
      count: 2,
      fee_per_unit: 100_000,
      included: 1,
      name: 'SIGNATURES',
      subtotal: 100_000,
    }
    const expected = {
      high_volume_multiplier: 1,
      network: { multiplier: 9, subtotal: 1_800_000 },
      node: { base: 100_000, extras: [signature] },
      service: { base: 700_000, extras: [bytes] },
      total: 2_890_400,
    }
    for (const type of ['application/protobuf', 'application/x-protobuf'])
      for (const mode of ['', '?mode=state', '?mode=INTRINSIC'])
        expect(await post(message, mode, type)).toEqual([200, expected])
  })

  it('takes body bytes with signatures beside them', async () => {
    const bodyBytes = bytesField(27, bytesField(2, Buffer.alloc(128)))
    const sigMap = bytesField(1, bytesField(3, Buffer.alloc(3)))
    const transaction = Buffer.concat([bytesField(3, sigMap, sigMap), bytesField(4, bodyBytes)])
    expect(await post(transaction)).toMatchObject([200, { total: 2_890_400 }])
  })

  it('follows the schedule of the ledger', async () => {
    const definition = bytesField(2, varintField(1, 54), varintField(2, 500), bytesField(3, varintField(1, 25)))
    const contents = Buffer.concat([
      bytesField(1, varintField(1, 1_000)),
      bytesField(2, varintField(1, 2)),
      bytesField(4, varintField(1, 25), varintField(2, 3)),
      bytesField(5, definition),
    ])
    await record(updated(10n, simpleFees, contents), updated(20n, simpleFees, half))
    expect(await post(message)).toMatchObject([200, { total: 1_000 + 2_000 + 500 + 3 * 128 }])
    expect(await post(signed({ utilPrng: {} }))).toEqual([400, failure('Bad Request', 'Unknown transaction type')])
  })

  it('prices high volume only by the state of the ledger, and only what it is offered for', async () => {
    const create = { highVolume: true, cryptoCreateAccount: {} }
    const plain = { network: { subtotal: 900_000 }, total: 500_000_000, high_volume_multiplier: 1 }
    const high = { network: { subtotal: 8_100_000 }, total: 4_500_000_000, high_volume_multiplier: 9 }
    expect(await post(signed(create), '?mode=STATE&high_volume_throttle=4')).toMatchObject([200, high])
    expect(await post(signed(create), '?high_volume_throttle=4')).toMatchObject([200, plain])
    expect(await post(signed({ cryptoCreateAccount: {} }), '?mode=STATE&high_volume_throttle=4')).toMatchObject([
      200,
      plain,
    ])
    const transfer = signed({ highVolume: true, cryptoTransfer: {} })
    expect(await post(transfer, '?mode=STATE&high_volume_throttle=10000')).toMatchObject([200, { total: 1_000_000 }])
    const associate = signed({ highVolume: true, tokenAssociate: {} })
    expect(await post(associate, '?mode=STATE&high_volume_throttle=125')).toMatchObject([
      200,
      { high_volume_multiplier: 6 },
    ])
  })

  it('knows fees of topics and tokens, and which tokens are collections, by the state of the ledger', async () => {
    await record(
      transaction(10n, 24, 901n, { consensusCreateTopic: { customFees: [customFee] } }),
      transaction(20n, 29, 902n, { tokenCreation: { customFees: [customFee] } }),
      transaction(30n, 29, 903n, { tokenCreation: { tokenType: 1 } }),
    )
    const totals = async (body: Message) => [
      (await post(signed(body)))[1].total,
      (await post(signed(body), '?mode=STATE'))[1].total,
    ]
    const send = (topicNum: number) => ({
      consensusSubmitMessage: { topicID: { topicNum }, message: Buffer.alloc(128) },
    })
    expect(await totals(send(901))).toEqual([1_890_400, 500_000_000])
    expect(await totals(send(999))).toEqual([1_890_400, 1_890_400])
    const entry = (serialNumber: number) => ({ senderAccountID: {}, receiverAccountID: {}, serialNumber })
    const move = (tokenNum: number, nfts: number) => {
      const nftTransfers = Array.from({ length: nfts }, (_, index) => entry(index + 1))
      return { cryptoTransfer: { tokenTransfers: [{ token: { tokenNum }, nftTransfers }] } }
    }
    expect(await totals(move(902, 1))).toEqual([1_000_000, 20_000_000])
    expect(await totals(move(903, 3))).toEqual([3_000_000, 12_000_000])
    expect(await totals(move(999, 3))).toEqual([3_000_000, 10_000_000])
  })

  it('refuses wrong parameters, other bodies and nothing', async () => {
    const refused = async (...asked: Parameters<typeof post>) => {
      const [status, { _status }] = await post(...asked)
      return [status, _status.messages[0].detail]
    }
    expect(await refused(message, '?mode=x')).toEqual([400, "Failed to convert 'mode'"])
    expect(await refused(message, '?high_volume_throttle=x')).toEqual([400, "Failed to convert 'high_volume_throttle'"])
    expect(await refused(message, '?high_volume_throttle=-1')).toEqual([
      400,
      'highVolumeThrottle must be greater than or equal to 0',
    ])
    expect(await refused(message, '?high_volume_throttle=10001')).toEqual([
      400,
      'highVolumeThrottle must be less than or equal to 10000',
    ])
    expect(await refused(message, '', 'application/json')).toEqual([
      415,
      "Content-Type 'application/json' is not supported",
    ])
    expect(await refused(Buffer.alloc(0))).toEqual([400, 'Failed to read request'])
    expect(await refused(bytesField(4, half))).toEqual([400, 'Unable to parse transaction'])
    expect(await refused(bytesField(1, Buffer.alloc(0)))).toEqual([
      400,
      'Transaction must contain body bytes or signed transaction bytes',
    ])
    expect(await refused(signed({ freeze: {} }))).toEqual([400, 'Unknown transaction type'])
  })
})

const customFee = { fixedFee: { amount: 1n } }

const rate = (cents: number, expires: number) => ({
  cent_equivalent: cents,
  expiration_time: expires,
  hbar_equivalent: 1,
})
