import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSqliteLog } from '#src/adapters/sqlite/message-log.ts'
import type { LogRecord, MessageLog } from '#src/ports/message-log.ts'
import { createEventFilter, type FilterTexts } from '#src/topics/event-filter.ts'
import { firstSequenceAt } from '#src/topics/time-search.ts'
import { endEvents, summarizeTopic } from '#src/topics/topic-summary.ts'
import { type TailOptions, tailTopic } from '#src/topics/topic-tail.ts'
import { alice, bob, recordOf, transactionRecorded } from '#test/support/events.ts'

const nothing: FilterTexts = { types: [], results: [], entities: [], where: [] }
const never = new AbortController().signal
const start = 1_700_000_000_000_000_000n
let log: MessageLog

beforeEach(() => {
  log = openSqliteLog({ folder: ':memory:' })
})

afterEach(() => log.close())

async function append(records: readonly LogRecord[]): Promise<void> {
  const writer = await log.openWriter()
  await writer.append([records])
  await writer.close()
}

function transactions(count: number, fields: (index: number) => object = () => ({})): LogRecord[] {
  return Array.from({ length: count }, (_, index) =>
    recordOf(
      'TransactionRecorded',
      transactionRecorded({ consensusTimestamp: start + BigInt(index), ...fields(index) }),
    ),
  )
}

async function sequencesOf(options: Partial<Omit<TailOptions, 'filter'>> & { texts?: Partial<FilterTexts> } = {}) {
  const { texts, ...rest } = options
  const filter = createEventFilter({ ...nothing, ...texts })
  const sequences: number[] = []
  const all = { log, filter, from: undefined, countMax: 10, follow: false, signal: never, ...rest }
  for await (const { record } of tailTopic(all)) sequences.push(record.sequence)
  return sequences
}

describe('the tail of a topic', () => {
  it('is its last events in order when nothing says where to begin', async () => {
    await append(transactions(30))

    expect(await sequencesOf({ countMax: 3 })).toEqual([28, 29, 30])
    expect(await sequencesOf({ countMax: 100 })).toHaveLength(30)
  })

  it('looks back as far as it must for events that fit, and no event comes twice', async () => {
    await append(transactions(12_000, (index) => ({ result: index % 1_500 === 0 ? 11 : 22 })))

    expect(await sequencesOf({ countMax: 5, texts: { results: ['DUPLICATE_TRANSACTION'] } })).toEqual([
      4_501, 6_001, 7_501, 9_001, 10_501,
    ])
    expect(await sequencesOf({ countMax: 100, texts: { results: ['11'] } })).toHaveLength(8)
  })

  it('is empty in an empty log', async () => {
    expect(await sequencesOf()).toEqual([])
  })

  it('begins at a sequence and ends at the count', async () => {
    await append(transactions(30))

    expect(await sequencesOf({ from: 5, countMax: 3 })).toEqual([5, 6, 7])
    expect(await sequencesOf({ from: 29, countMax: 10 })).toEqual([29, 30])
    expect(await sequencesOf({ from: 31, countMax: 10 })).toEqual([])
  })

  it('goes on with new events when it follows, and ends when told to', async () => {
    await append(transactions(3))
    const stop = new AbortController()
    const filter = createEventFilter(nothing)
    const seen: number[] = []
    for await (const { record } of tailTopic({
      log,
      filter,
      from: undefined,
      countMax: 2,
      follow: true,
      signal: stop.signal,
    })) {
      seen.push(record.sequence)
      if (seen.length === 2)
        await append(transactions(2, (index) => ({ consensusTimestamp: start + BigInt(10 + index) })))
      if (seen.length === 4) stop.abort()
    }

    expect(seen).toEqual([2, 3, 4, 5])
  })

  it('hears a signal while it reads a log that never makes it wait', async () => {
    await append(transactions(5_000))
    const stop = new AbortController()
    setImmediate(() => stop.abort())

    const seen = await sequencesOf({ from: 1, countMax: Number.POSITIVE_INFINITY, signal: stop.signal })

    expect(seen.length).toBeLessThan(5_000)
  })
})

describe('filters', () => {
  const third = 1_003n
  const block = recordOf('BlockRecorded', { number: 7n, name: 'x.rcd', hash: Buffer.alloc(48, 7), consensusEnd: start })
  const events = [
    recordOf('TransactionRecorded', transactionRecorded({ consensusTimestamp: start, memo: Buffer.from('rent') })),
    recordOf(
      'TransactionRecorded',
      transactionRecorded({ consensusTimestamp: start + 1n, type: 11, result: 10, payerAccountId: bob, transfers: [] }),
    ),
    recordOf(
      'TransactionRecorded',
      transactionRecorded({ consensusTimestamp: start + 2n, entityId: third, successful: true, maxFee: -1n }),
    ),
    recordOf(
      'TransactionRecorded',
      transactionRecorded({
        consensusTimestamp: start + 3n,
        transfers: [],
        type: 12,
        cryptoDelete: {
          transferAccountID: { shardNum: 0n, realmNum: 0n, accountNum: third, alias: null },
          deleteAccountID: null,
        },
      }),
    ),
    block,
  ]

  it.each<[string, Partial<FilterTexts>, number[]]>([
    ['none', {}, [1, 2, 3, 4, 5]],
    ['an event type', { types: ['BlockRecorded'] }, [5]],
    ['an event type in small letters', { types: ['blockrecorded'] }, [5]],
    ['a transaction type', { types: ['CRYPTOCREATEACCOUNT'] }, [2]],
    ['the number of one', { types: ['11'] }, [2]],
    ['one of several types', { types: ['CRYPTOTRANSFER', 'BlockRecorded'] }, [1, 3, 5]],
    ['all transactions and one type of them', { types: ['TransactionRecorded', 'CRYPTOTRANSFER'] }, [1, 2, 3, 4]],
    ['a result, which only transactions have', { results: ['SUCCESS'] }, [1, 3, 4]],
    ['one of several results', { results: ['SUCCESS', '10'] }, [1, 2, 3, 4]],
    ['a result and a type', { types: ['CRYPTODELETE'], results: ['SUCCESS'] }, [4]],
    ['a payer', { entities: ['0.0.1002'], types: ['11'] }, [2]],
    ['a party of a transfer or a payer', { entities: ['0.0.1002'] }, [1, 2, 3]],
    ['an entity, also inside a body', { entities: ['1003'] }, [3, 4]],
    ['a field of text', { where: ['memo=rent'] }, [1]],
    ['the bytes of it', { where: ['memo=72656e74'] }, [1]],
    ['a number', { where: ['chargedTxFee=10', 'type=11'] }, [2]],
    ['an id in its usual form', { where: ['payerAccountId=0.0.1001'] }, [1, 3, 4]],
    ['an id as its number', { where: ['payerAccountId=1001'] }, [1, 3, 4]],
    ['a time', { where: [`consensusTimestamp=1700000000.000000002`] }, [3]],
    ['a field of a listed record', { where: ['transfers.amount=-1'] }, [1, 3]],
    ['a field of a body', { where: ['cryptoDelete.transferAccountID=0.0.1003'] }, [4]],
    ['a field that is null', { where: ['entityId=null'], types: ['14'] }, [1]],
    ['a field of another event', { where: ['name=x.rcd'] }, [5]],
    ['an equals sign in the value', { where: ['memo=a=b'] }, []],
    ['a negative long', { where: ['maxFee=-1'] }, [3]],
  ])('find by %s', async (_what, texts, expected) => {
    await append(events)

    expect(await sequencesOf({ texts })).toEqual(expected)
  })

  it.each<[string, Partial<FilterTexts>, RegExp]>([
    ['a type', { types: ['Transfer'] }, /--type must be one of .*BlockRecorded.*not "Transfer"/],
    ['a result', { results: ['FINE'] }, /--result .*not "FINE"/],
    ['an id', { entities: ['0.0'] }, /--entity must be an id such as 0\.0\.1001, not "0\.0"/],
    ['a shard beyond its range', { entities: ['9999.0.1'] }, /--entity/],
    ['a condition', { where: ['memo'] }, /--where must be field=value/],
    ['a field', { where: ['mmo=x'] }, /has the field mmo; "ledger-history topics describe"/],
    ['a field of the type asked for', { where: ['memo=x'], types: ['BlockRecorded'] }, /has the field memo/],
  ])('refuse %s that there is not', (_what, texts, message) => {
    expect(() => createEventFilter({ ...nothing, ...texts })).toThrow(
      expect.objectContaining({ code: 'config_invalid', message: expect.stringMatching(message) }),
    )
  })

  it('keep to the accounts of Alice', async () => {
    await append(transactions(3, (index) => ({ payerAccountId: index === 1 ? alice : 77n, transfers: [] })))

    expect(await sequencesOf({ texts: { entities: [`0.0.${alice}`] } })).toEqual([2])
  })
})

describe('searching by time', () => {
  it('finds the first event at or after it, whatever the times are', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat({ max: 20 }), { maxLength: 60 }),
        fc.nat({ max: 22 }),
        async (unsorted, wanted) => {
          const times = unsorted.toSorted((a, b) => a - b)
          const memory = openSqliteLog({ folder: ':memory:' })
          const writer = await memory.openWriter()
          const record = recordOf('SnapshotCompleted', { count: 1n })
          if (times.length > 0) await writer.append([times.map((time) => ({ ...record, time: BigInt(time) }))])
          const expected = times.findIndex((time) => time >= wanted)

          const found = await firstSequenceAt(memory, BigInt(wanted))

          await memory.close()
          expect(found).toBe(expected < 0 ? times.length + 1 : expected + 1)
        },
      ),
      { numRuns: 60 },
    )
  })
})

describe('the summary of a topic', () => {
  const place = (sequence: number, time: bigint) => ({ sequence, time })

  it('has the first and last of each type', async () => {
    const block = recordOf('BlockRecorded', { number: 7n, consensusEnd: start + 2n })
    await append([...transactions(3), block])

    const { first, last, looked, types } = await summarizeTopic(log, false, never)

    expect([first, last, looked]).toEqual([place(1, start), place(4, start + 2n), 4])
    expect(types.filter(({ count }) => count > 0)).toEqual([
      { type: 'TransactionRecorded', count: 3, first: place(1, start), last: place(3, start + 2n) },
      { type: 'BlockRecorded', count: 1, first: place(4, start + 2n), last: place(4, start + 2n) },
    ])
  })

  it('of a long log looks at its ends, unless all is wanted', async () => {
    const count = 2 * endEvents + 500
    const block = recordOf('BlockRecorded', { number: 7n })
    await append(transactions(count).toSpliced(endEvents + 10, 1, block))

    const ends = await summarizeTopic(log, false, never)
    const whole = await summarizeTopic(log, true, never)

    const blocks = ({ types }: typeof ends) => types.find(({ type }) => type === 'BlockRecorded')?.count
    expect([ends.looked, blocks(ends), ends.last?.sequence]).toEqual([2 * endEvents, 0, count])
    expect([whole.looked, blocks(whole), whole.last?.sequence]).toEqual([count, 1, count])
  })

  it('of an empty log has nothing', async () => {
    expect(await summarizeTopic(log, false, never)).toMatchObject({ first: undefined, last: undefined, looked: 0 })
  })
})
