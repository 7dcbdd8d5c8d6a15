import { afterEach, beforeEach, expect, it } from 'vitest'
import type { LogRecord } from '#src/ports/message-log.ts'
import { openTestLedger, type TestLedger } from '#test/http/ledger.ts'
import { recordOf } from '#test/support/events.ts'

const second = 1_000_000_000n
const start = 1_700_000_000n * second
let ledger: TestLedger

beforeEach(async () => {
  ledger = await openTestLedger()
})
afterEach(() => ledger.close())

/** A block as recorded under a number; `place` gives its time and hash. */
function block(number: bigint, place: number): LogRecord {
  return recordOf('BlockRecorded', {
    number,
    name: `block-${place}`,
    hash: Buffer.alloc(48, place),
    previousHash: Buffer.alloc(48, place - 1),
    consensusStart: start + BigInt(place) * second,
    consensusEnd: start + BigInt(place) * second + 1n,
    count: 1n,
  })
}

async function numbers(query: string): Promise<number[]> {
  const { blocks } = (await ledger.app().inject(`/api/v1/blocks${query}`)).json() as { blocks: { number: number }[] }
  return blocks.map(({ number }) => number)
}

it('combines numbers and times, in both directions', async () => {
  await ledger.record([1, 2, 3, 4, 5].map((place) => block(BigInt(place), place)))
  expect(await numbers('')).toEqual([5, 4, 3, 2, 1])
  expect(await numbers('?block.number=gte:0x2&block.number=lt:5&order=asc')).toEqual([2, 3, 4])
  expect(await numbers('?timestamp=gt:1700000002.1&block.number=lte:4')).toEqual([4, 3])
  expect(await numbers('?timestamp=ne:1700000004.000000001&order=asc&limit=4')).toEqual([1, 2, 3, 5])
  expect(await numbers('?block.number=2&block.number=3')).toEqual([])
  expect(await numbers('?timestamp=9999999999')).toEqual([])
})

it('orders by the column that is filtered first, also where ends contradict the numbers', async () => {
  await ledger.record([block(2n, 5), block(3n, 9), block(4n, 7)])
  expect(await numbers('?timestamp=gt:0')).toEqual([3, 4, 2])
  expect(await numbers('?timestamp=gt:0&block.number=gt:2&order=asc')).toEqual([4, 3])
  expect(await numbers('?block.number=gt:2&timestamp=gt:0&order=asc')).toEqual([3, 4])
  expect(await numbers('?block.number=gt:2&timestamp=lt:9999999999.999999999')).toEqual([4, 3])
})

it('shows true numbers after provisional ones proved wrong, and pages over the correction', async () => {
  await ledger.record([block(0n, 1), block(1n, 2)])
  expect(await numbers('')).toEqual([1, 0])
  const shifted = recordOf('BlockNumbersShifted', {
    shift: 100n,
    throughNumber: 1n,
    name: 'block-3',
    consensusTimestamp: start + 3n * second,
  })
  await ledger.record([shifted, block(102n, 3), block(103n, 4)])
  expect(await numbers('')).toEqual([103, 102, 101, 100])
  expect(await numbers('?order=asc&block.number=gt:100&limit=2')).toEqual([101, 102])
  expect(await numbers('?timestamp=lt:1700000003')).toEqual([101, 100])
  const app = ledger.app()
  expect((await app.inject('/api/v1/blocks/101')).json()).toMatchObject({ name: 'block-2', number: 101 })
  expect((await app.inject('/api/v1/blocks/1')).statusCode).toBe(404)
  const first = (await app.inject('/api/v1/blocks?limit=3')).json()
  expect(first.links.next).toBe('/api/v1/blocks?limit=3&block.number=lt:101')
})

it('finds a block by its whole hash or by 64 digits that only one hash begins with', async () => {
  const twin = recordOf('BlockRecorded', {
    number: 9n,
    hash: Buffer.alloc(48, 3).fill(9, 40),
    consensusEnd: start + 9n * second,
  })
  await ledger.record([block(2n, 2), block(3n, 3), twin])
  const status = async (hash: string) => (await ledger.app().inject(`/api/v1/blocks/${hash}`)).statusCode
  expect(await status('02'.repeat(48))).toBe(200)
  expect(await status(`0x${'02'.repeat(32)}`)).toBe(200)
  expect(await status('03'.repeat(48))).toBe(200)
  expect(await status('03'.repeat(32))).toBe(404)
  expect(await status('04'.repeat(32))).toBe(404)
  expect(await status('02'.repeat(40))).toBe(400)
})
