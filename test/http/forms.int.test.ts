import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestLedger, type TestLedger } from '#test/http/ledger.ts'
import { rowReaderFake } from '#test/queries/row-reader-fake.ts'
import { recordOf, transactionRecorded } from '#test/support/events.ts'

const second = 1_000_000_000n
const start = 1_700_000_000n * second
const list = '/api/v1/transactions'
const id = `${list}/0.0.1001-1699999999-0`
const refusedId =
  'Invalid Transaction id. Please use "shard.realm.num-sss-nnn" format where sss are seconds and nnn are nanoseconds'
let ledger: TestLedger
let app: FastifyInstance

beforeAll(async () => {
  ledger = await openTestLedger()
  const transactions = Array.from({ length: 30 }, (_, index) =>
    transactionRecorded({ consensusTimestamp: start + BigInt(index) * second }),
  )
  const block = recordOf('BlockRecorded', {
    number: 7n,
    hash: Buffer.alloc(48, 0xab),
    consensusEnd: start + 29n * second,
  })
  await ledger.record([...transactions.map((event) => recordOf('TransactionRecorded', event)), block])
  app = ledger.app({ maxRepeatedParameters: 8 })
})

afterAll(async () => {
  await app.close()
  await ledger.close()
})

async function messagesOf(url: string): Promise<string[]> {
  const answer = await app.inject(url)
  expect(answer.statusCode).toBe(400)
  return answer.json()._status.messages.map(({ message }: { message: string }) => message)
}

/** Where the first page of one row leads; the newest row is at 1700000029. */
const newest = 'timestamp=lt:1700000029.000000000'

describe('what a list accepts, and the link that it leads to', () => {
  it.each([
    ['?&&limit=1&&', `limit=1&${newest}`],
    ['?limit=%31&=5', `limit=1&${newest}`],
    ['?LIMIT=3&limit=1', `limit=3&limit=1&${newest}`],
    ['?limit=2&LIMIT=1&limit=3', `limit=2&limit=3&limit=1&${newest}`],
    ['?limit[]=1', `limit=1&${newest}`],
    ['?limit=x:ne:01', `limit=x:ne:01&${newest}`],
    ['/?order=gt:DeSC&limit=1', `order=gt:desc&limit=1&${newest}`],
    ['?limit=1&account.id=0000.00000.000000001001', `limit=1&account.id=0000.00000.000000001001&${newest}`],
    [
      '?limit=1&account.id=0.00000000000000000000000000000000000003E9',
      `limit=1&account.id=0.00000000000000000000000000000000000003E9&${newest}`,
    ],
    [
      '?limit=1&account.id=1001&account.id=0xac384c53f03855fa1b3616052f8ba32c6c2a2fec',
      `limit=1&account.id=1001&account.id=0xac384c53f03855fa1b3616052f8ba32c6c2a2fec&${newest}`,
    ],
    ['?limit=1&type=gt:CREDIT&type=credit', `limit=1&type=gt:CREDIT&type=credit&${newest}`],
    ['?limit=1&result=fail&result=ne:SUCCESS', `limit=1&result=fail&result=ne:success&${newest}`],
    [
      '?limit=1&transactiontype=UNKNOWN&transactiontype=lt:cryptoTransfer',
      `limit=1&transactiontype=UNKNOWN&transactiontype=lt:cryptoTransfer&${newest}`,
    ],
    ['?limit=1&timestamp=gt:gt:1', `limit=1&timestamp=gt:gt:1&${newest}`],
    ['?limit=1&timestamp=lte:9999999999.999999999', `limit=1&${newest}`],
    ['?timestamp=1700000029&timestamp=1700000029.0&limit=1', 'timestamp=1700000029&timestamp=1700000029.0&limit=1'],
    ['?timestamp=ne:1&limit=1', `timestamp=ne:1&${newest}&limit=1`],
  ])('%s', async (query, next) => {
    const answer = await app.inject(`${list}${query}`)
    expect(answer.statusCode).toBe(200)
    expect(answer.json().transactions).toHaveLength(1)
    expect(answer.json().links.next).toBe(`${list}?${next}`)
  })

  it.each([
    '?timestamp=gte:1700000005&timestamp=lte:1700000005&limit=1',
    '?timestamp=1700000005&timestamp=1700000006',
    '?timestamp=gt:9999999999',
    '?type=credit&type=debit',
    '?account.id=1023.65535.274877906943',
    '?account.id=ne:0xac384c53f03855fa1b3616052f8ba32c6c2a2fec',
    '?account.id=0x000000000000000000000000ffffffffffffffff',
    '?account.id=1.0.1001&account.id=0',
    '?transactiontype=node',
  ])('nothing follows %s', async (query) => {
    const answer = await app.inject(`${list}${query}`)
    expect([answer.statusCode, answer.json().links.next]).toEqual([200, null])
  })
})

describe('what is refused', () => {
  const timestamps = ['1.', '.5', '-1', '1e3', '00000000001', '1.1234567890', 'GT:1', 'like:1', '']
  const accounts = [
    '0.0.-1',
    '--1',
    '0..1',
    '1001.',
    '0x3e9',
    '00000.0.1',
    '0.0.0000000001001',
    '1001%20',
    'me',
    '%F0%9F%98%80',
  ]
  const addresses = ['0.0.0x', '1.0.', '1.', '0X'].map((prefix) => `${prefix}${'3e9'.padStart(40, '0')}`)
  it.each([
    ...timestamps.map((value) => [`?timestamp=${value}`, 'timestamp']),
    ...[...accounts, ...addresses].map((value) => [`?account.id=${value}`, 'account.id']),
    ...['', '0', '+1', '1+', '%2B1', '1.5', ':1', 'eq::1', 'EQ:1', '9223372036854775808'].map((value) => [
      `?limit=${value}`,
      'limit',
    ]),
    ['?limit', 'limit'],
    ['?limit[a]=1', 'limit'],
    ['?type=credit,debit', 'type'],
    ['?transactiontype=toString', 'transactiontype'],
  ])('%s', async (query, name) => {
    expect(await messagesOf(`${list}${query}`)).toEqual([`Invalid parameter: ${name}`])
  })

  it.each([
    [`${list}?account.id=-1`, 'Invalid entity ID "0.0.-1"'],
    [`${list}?account.id=274877906944`, 'Invalid entity ID "0.0.274877906944"'],
    [`${list}?limit[a][b]=1`, 'Input depth exceeded depth option of 1 and strictDepth is true'],
    [`${list}?${'type=credit&'.repeat(9)}`, 'Array limit exceeded. Only 8 elements allowed in an array.'],
    [`${list}/bad?nonce=2147483648`, 'Invalid parameter: nonce'],
    [`${id}?scheduled=ne:true`, 'Invalid parameter: scheduled'],
    [`${list}/0x${'a'.repeat(64)}`, refusedId],
    [`${list}/0X${'a'.repeat(96)}`, refusedId],
    [`${list}/${'a'.repeat(5_000)}`, refusedId],
    [`${list}/0.0.1001--1`, refusedId],
    ['/api/v1/blocks/x?limit=1', 'Unknown query parameter: limit'],
    ['/api/v1/blocks/0x7', 'Invalid parameter: hashOrNumber'],
    [`/api/v1/blocks/${'ab'.repeat(47)}`, 'Invalid parameter: hashOrNumber'],
    [`/api/v1/blocks/${'7'.repeat(5_000)}`, 'Invalid parameter: hashOrNumber'],
    ['/api/v1/blocks?block.number=ne:7', 'Invalid parameter: block.number'],
    ['/api/v1/blocks?block.number=0x8000000000000000', 'Invalid parameter: block.number'],
  ])('%s', async (url, message) => {
    expect(await messagesOf(url)).toEqual([message])
  })
})

it.each([
  `${id}?nonce=1&nonce=00`,
  `${id}?scheduled=true&SCHEDULED=False`,
  `${list}/00.00.01001-01699999999-000000000/`,
  '/api/v1/blocks/%30007',
  `/api/v1/blocks/0x${'Ab'.repeat(32)}`,
  '/API/V1/BLOCKS?block.number=0x7&block.number=07&timestamp=lt:9999999999.9',
])('finds something for %s', async (url) => {
  expect((await app.inject(url)).statusCode).toBe(200)
})

it('gives up a search that takes too long, and serves others meanwhile', async () => {
  const slow = rowReaderFake({}, { position: 5_000_000, time: start })
  const row = (time: bigint) => ({ consensusTimestamp: time, type: 14, flags: 0, parties: Buffer.alloc(0) })
  slow.find = async ({ collection, upper, limit }) => {
    await sleep(2)
    const last = (upper?.value ?? start) as bigint
    return collection === 'transactions' ? Array.from({ length: limit }, (_, at) => row(last - BigInt(at))) : []
  }
  const own = ledger.app({ requestTimeoutMs: 150 }, { readers: { transactions: slow, blocks: slow } })
  const search = own.inject(`${list}?type=credit`)
  expect((await own.inject('/api/v1/blocks')).statusCode).toBe(200)
  expect((await search).statusCode).toBe(503)
  await own.close()
})

describe('bounds at the end of what numbers hold', () => {
  const most = '9223372036854775807'
  const word = `0x${'f'.repeat(64)}`
  const instant = '9223372036.854775807'
  const transaction = '/transactions'

  it.each([
    [`${transaction}?timestamp=gt:${instant}`, 'transactions'],
    [`${transaction}?timestamp=gte:${instant}&timestamp=lt:0`, 'transactions'],
    [`/accounts?account.balance=gt:${most}`, 'accounts'],
    ['/accounts?account.id=gt:1023.65535.274877906943', 'accounts'],
    [`/balances?account.balance=gt:${most}`, 'balances'],
    [`/blocks?block.number=gt:${most}`, 'blocks'],
    [`/blocks?timestamp=gt:${instant}`, 'blocks'],
    ['/tokens?token.id=gt:1023.65535.274877906943', 'tokens'],
    [`/tokens/1/nfts?serialnumber=gt:${most}`, 'nfts'],
    [`/tokens/1/balances?account.balance=gt:${most}`, 'balances'],
    [`/schedules?schedule.id=gt:1023.65535.274877906943`, 'schedules'],
    [`/contracts?contract.id=gt:1023.65535.274877906943`, 'contracts'],
    [`/contracts/results?timestamp=gt:${instant}`, 'results'],
    [`/contracts/1/state?slot=gt:${word}`, 'state'],
    [`/accounts/1/hooks?hook.id=gt:${most}`, 'hooks'],
    [`/topics/1/messages?sequencenumber=gt:${most}`, 'messages'],
  ])('%s is empty', async (path, name) => {
    const answer = await app.inject(`/api/v1${path}`)
    expect([answer.statusCode, answer.json()[name]]).toEqual([200, []])
    expect(answer.json().links.next).toBeNull()
  })

  it('leave rows in where they are not beyond them, and are refused past them', async () => {
    const all = await app.inject(`${list}?timestamp=lte:${instant}`)
    expect(all.json().transactions).toHaveLength(25)
    const past = '9223372036854775808'
    const refused = [
      `/blocks?block.number=gt:${past}`,
      `/accounts?account.balance=lt:${past}`,
      `/network/nodes?node.id=gt:${most}`,
      `/network/registered-nodes?registerednode.id=gt:${most}`,
    ]
    for (const path of refused) expect([path, (await app.inject(`/api/v1${path}`)).statusCode]).toEqual([path, 400])
  })
})
