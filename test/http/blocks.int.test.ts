import { afterEach, beforeEach, expect, it } from 'vitest'
import { blockRoutes } from '#queries/blocks/routes.ts'
import type { LogRecord } from '#src/ports/message-log.ts'
import type { RowReader } from '#src/ports/read-store.ts'
import { openTestLedger, type TestLedger } from '#test/http/ledger.ts'
import { ImportWorld } from '#test/importer/import-world.ts'
import { hasSamples, sample, samplePath } from '#test/importer/samples.ts'
import { recordOf } from '#test/support/events.ts'

const second = 1_000_000_000n
const start = 1_700_000_000n * second
let ledger: TestLedger

beforeEach(async () => {
  ledger = await openTestLedger(blockRoutes)
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

/** The reader of blocks, with a commit just before its first search. */
function committingReader(given: TestLedger, newer: readonly LogRecord[]): RowReader {
  const { blocks } = given.readers
  let due = true
  return {
    checkpoint: () => blocks.checkpoint(),
    get: (collection, keys, select) => blocks.get(collection, keys, select),
    async find(query) {
      if (due && query.collection === 'blocks') {
        due = false
        await given.record(newer)
      }
      return blocks.find(query)
    },
    scan: (collection, after, limit) => blocks.scan(collection, after, limit),
    parkedCount: () => blocks.parkedCount(),
    parked: (after, limit) => blocks.parked(after, limit),
    close: () => blocks.close(),
  }
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

it.skipIf(!hasSamples)('shows numbers of a recorded network that begin near -2^63, with all digits', async () => {
  const world = new ImportWorld()
  await world.import(samplePath('record/v5v6'), { addressBook: sample('addressbook/test/test-v6-4n.bin') })
  await ledger.record(await world.records())
  const ask = async (url: string) => (await ledger.app().inject(`/api/v1/blocks${url}`)).body
  const [newer, older] = ['-9223372036854775797', '-9223372036854775798']
  expect([...(await ask('')).matchAll(/"number":(-?\d+)/g)].map(([, number]) => number)).toEqual([newer, older])
  const next = `?limit=1&block.number=lt:${newer}`
  expect(await ask('?limit=1')).toContain(`"links":{"next":"/api/v1/blocks${next}"}`)
  expect(await ask(next)).toContain(`"number":${older},`)
  expect(await ask(`?block.number=gte:${newer}&order=asc`)).toContain(`[{"count":`)
  expect(await ask(`?timestamp=gt:0&block.number=lt:${older}`)).toContain('"blocks":[]')
  expect(await ask(`/${older}`)).toContain(`"number":${older},`)
  expect(await ask('/-5')).toContain('Not found')
})

it('takes a number below 0 for none where no file gave one', async () => {
  await ledger.record([block(0n, 1)])
  for (const [url, name] of Object.entries({ '/-1': 'hashOrNumber', '?block.number=gt:-1': 'block.number' })) {
    const answer = await ledger.app().inject(`/api/v1/blocks${url}`)
    expect([answer.statusCode, answer.body]).toEqual([400, expect.stringContaining(`Invalid parameter: ${name}`)])
  }
})

it('gives whole pages, and the way on, while commits land between its checkpoint and its reads', async () => {
  await ledger.record(Array.from({ length: 50 }, (_, place) => block(BigInt(place), place)))
  const pages = async (query: string, newer: readonly LogRecord[]) => {
    const blocks = committingReader(ledger, newer)
    const app = ledger.app({}, { readers: { ...ledger.readers, blocks } })
    return (await app.inject(`/api/v1/blocks${query}`)).json() as {
      blocks: { number: number }[]
      links: { next: string | null }
    }
  }
  const list = await pages('?limit=25', [block(50n, 50), block(51n, 51)])
  expect(list.blocks.map(({ number }) => number)).toEqual(Array.from({ length: 25 }, (_, index) => 49 - index))
  expect(list.links.next).toBe('/api/v1/blocks?limit=25&block.number=lt:25')
  const many = Array.from({ length: 40 }, (_, index) => block(BigInt(52 + index), 52 + index))
  const newest = await pages('?limit=1', many)
  expect(newest.blocks.map(({ number }) => number)).toEqual([51])
  const exact = await pages('?limit=2&block.number=gte:90', [block(92n, 92)])
  expect(exact.blocks.map(({ number }) => number)).toEqual([91, 90])
})

it('finds nothing beyond the numbers that a correction downwards leaves possible', async () => {
  await ledger.record([block(100n, 1)])
  const shifted = recordOf('BlockNumbersShifted', {
    shift: -90n,
    throughNumber: 100n,
    name: 'block-2',
    consensusTimestamp: start + 2n * second,
  })
  await ledger.record([shifted, block(11n, 2)])
  expect(await numbers('')).toEqual([11, 10])
  const app = ledger.app()
  expect((await app.inject('/api/v1/blocks/10')).json()).toMatchObject({ name: 'block-1' })
  expect((await app.inject('/api/v1/blocks/9223372036854775807')).statusCode).toBe(404)
  for (const query of ['block.number=gte:9223372036854775807', 'block.number=9223372036854775800&timestamp=gt:1']) {
    const answer = await app.inject(`/api/v1/blocks?${query}`)
    expect([answer.statusCode, answer.json().blocks]).toEqual([200, []])
  }
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
