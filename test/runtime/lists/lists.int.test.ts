import { afterEach, describe, expect, it } from 'vitest'
import type { ListTerm } from '#queries/common/lists/list-runs.ts'
import {
  findEntries,
  findTerms,
  intersectLists,
  type ListEntry,
  mergeLists,
} from '#queries/common/lists/list-search.ts'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import type { ReadStore, RowReader } from '#src/ports/read-store.ts'
import { findLateTimes } from '#src/runtime/lists/late-times.ts'
import { listShape } from '#src/runtime/lists/levels.ts'
import { digestRows } from '#test/support/digest.ts'
import { type ListEvent, ListLedger, timeAt } from '#test/support/list-ledger.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

/** Runs of 32 events, so that some thousands make four levels. */
const list = { payloadBytes: 4, buckets: 16, directory: true, windowEvents: 4 } as const
const count = 9_000
const common: ListTerm = { kind: 1, term: 0n }
const negative: ListTerm = { kind: 2, term: -5n }

/** A generator with a seed: minstd. */
function createRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
}

/** One term in all events, some often, some for a while, many once; several entries of one event; refused events. */
function randomEvents(seed: number): ListEvent[] {
  const random = createRandom(seed)
  return Array.from({ length: count }, (_, index): ListEvent => {
    if (random(50) === 0) return undefined
    const additions = [
      { ...common, payload: index },
      { kind: 0, term: BigInt(random(20)), payload: random(1 << 30) },
      { kind: 0, term: BigInt(1_000 + random(100_000)), payload: 0 },
      { kind: 0, term: BigInt(index) ** 4n, payload: 1 },
    ]
    if (index > 3_000 && index < 3_500) additions.push({ kind: 0, term: 777n, payload: 7 })
    if (random(700) === 0) additions.push({ kind: 0, term: 777n, payload: 8 })
    if (random(9) === 0) additions.push({ ...negative, payload: 1 }, { ...negative, payload: 2 })
    if (random(900) === 0)
      for (let payload = 0; payload < 300; payload++) additions.push({ kind: 3, term: 1n << 60n, payload })
    return additions
  })
}

function expected(events: readonly ListEvent[], position: number, { kind, term }: ListTerm): ListEntry[] {
  return events
    .slice(0, position)
    .flatMap((event, index) =>
      (event ?? [])
        .filter((each) => each.kind === kind && each.term === term)
        .map(({ payload }) => ({ time: timeAt(index + 1), payload })),
    )
}

const terms: ListTerm[] = [
  common,
  negative,
  ...[0, 7, 19, 777].map((term) => ({ kind: 0, term: BigInt(term) })),
  { kind: 3, term: 1n << 60n },
  { kind: 0, term: 5_000n ** 4n },
  { kind: 0, term: 8_990n ** 4n },
  { kind: 9, term: 1n },
]
const source = { name: 'entries', shape: listShape(list) }

async function collect(batches: AsyncIterable<readonly ListEntry[]>): Promise<ListEntry[]> {
  const found: ListEntry[] = []
  for await (const batch of batches) found.push(...batch)
  return found
}

describe('a list', () => {
  const toClose: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const close of toClose.splice(0).reverse()) await close()
  })

  async function storeInFolder(): Promise<ReadStore> {
    const folder = await temporaryFolder()
    const store = openSqliteReadStore({ folder: folder.path })
    toClose.push(
      () => folder.remove(),
      () => store.close(),
    )
    return store
  }

  async function ledger(store: ReadStore, events: readonly ListEvent[]): Promise<ListLedger> {
    const opened = new ListLedger(store, list, events)
    await opened.open()
    toClose.push(() => opened.close())
    return opened
  }

  const contextOf = (reader: RowReader, { checkpoint }: ListLedger) => ({
    rows: reader,
    checkpoint,
    pause: async () => {},
  })

  async function digestAt(
    store: ReadStore,
    events: readonly ListEvent[],
    steps: readonly (readonly [number, boolean])[],
  ) {
    const run = await ledger(store, events)
    for (const [to, dies] of steps) await run.fold(to, dies)
    const { reader } = await run.reader()
    return digestRows(reader, run.schema)
  }

  it.each([11, 12, 13])(
    'has the same rows whatever the commits, the kills and the engine (seed %i)',
    async (seed) => {
      const events = randomEvents(seed)
      const random = createRandom(seed + 100)
      const inPieces: (readonly [number, boolean])[] = []
      let at = 0
      while (at < count) {
        const to = Math.min(count, at + 1 + random(random(4) === 0 ? 400 : 30))
        const dies = random(5) === 0
        inPieces.push([to, dies])
        if (!dies) at = to
      }
      const whole = await digestAt(openSqliteReadStore({ folder: ':memory:' }), events, [[count, false]])
      expect(await digestAt(await storeInFolder(), events, inPieces)).toEqual(whole)
      expect(await digestAt(openSqliteReadStore({ folder: ':memory:' }), events, inPieces)).toEqual(whole)
    },
    120_000,
  )

  it('finds exactly what was added up to the checkpoint, wherever that is', async () => {
    const events = randomEvents(21)
    const random = createRandom(22)
    const run = await ledger(openSqliteReadStore({ folder: ':memory:' }), events)
    const { reader } = await run.reader()
    for (let position = 0; position < count; ) {
      position = Math.min(count, position + 1 + random(random(3) === 0 ? 900 : 40))
      await run.fold(position)
      const context = contextOf(reader, run)
      for (const term of terms) {
        const all = expected(events, position, term)
        expect(await findEntries(context, source, term)).toEqual(all)
        const [one, other] = [random(count), random(count)].map(timeAt) as [bigint, bigint]
        const [lower, upper] = one < other ? [one, other] : [other, one]
        const search = { list: source, terms: [term], lower, upper, sameBy: 'entry' } as const
        const inRange = all.filter(({ time }) => time >= lower && time <= upper)
        expect(await collect(mergeLists(context, { ...search, descending: false }))).toEqual(inRange)
        expect(await collect(mergeLists(context, { ...search, descending: true }))).toEqual(inRange.toReversed())
      }
    }
  }, 120_000)

  it('answers a reader that stays behind for a while as of its checkpoint', async () => {
    const events = randomEvents(31)
    const run = await ledger(openSqliteReadStore({ folder: ':memory:' }), events)
    const { reader } = await run.reader()
    for (let position = 100; position <= count - 100; position += 190) {
      await run.fold(position)
      const context = contextOf(reader, run)
      // Less than the four runs of level 0 that a slot is left alone.
      await run.fold(position + 95)
      for (const term of terms)
        expect(await findEntries(context, source, term)).toEqual(expected(events, position, term))
    }
  }, 120_000)

  /** A ledger's context that says how often the store was asked and for how many rows. */
  async function countedContext(run: ListLedger) {
    const { reader } = await run.reader()
    const asked = { reads: 0, rows: 0 }
    const counting: Pick<RowReader, 'get' | 'find'> = {
      get: async (...keys) => {
        const found = await reader.get(...keys)
        asked.reads += 1
        asked.rows += found.length
        return found
      },
      find: async (query) => {
        const found = await reader.find(query)
        asked.reads += 1
        asked.rows += found.length
        return found
      },
    }
    return { asked, context: { rows: counting, checkpoint: run.checkpoint, pause: async () => {} } }
  }

  it('asks the store at most twice for a term that is absent or rare, over 281 runs', async () => {
    const events = randomEvents(61)
    const run = await ledger(openSqliteReadStore({ folder: ':memory:' }), events)
    await run.fold(count)
    const { asked, context } = await countedContext(run)
    for (const term of [
      { kind: 9, term: 1n },
      { kind: 0, term: 5_000n ** 4n },
    ]) {
      asked.reads = 0
      await findEntries(context, source, term)
      expect(asked.reads).toBe(1)
      for (const descending of [false, true]) {
        asked.reads = 0
        const search = { list: source, terms: [term], lower: 0n, upper: timeAt(count), sameBy: 'time' } as const
        await collect(mergeLists(context, { ...search, descending }))
        expect(asked.reads).toBe(2)
      }
    }
  }, 60_000)

  it('finds entries of events that were folded after their turn among the others', async () => {
    const additions = Array.from({ length: 2_000 }, (): ListEvent => [{ kind: 0, term: 5n, payload: 1 }])
    const passedOver = new Set([40, 41, 900, 1_990])
    const events = additions.map((event, index) => (passedOver.has(index + 1) ? [] : event))
    const store = openSqliteReadStore({ folder: ':memory:' })
    const run = await ledger(store, events)
    await run.fold(2_000)
    await run.addLate([...passedOver].reverse().map((sequence) => [sequence, additions[sequence - 1]!]))
    const { reader } = await run.reader()
    const term = { kind: 0, term: 5n }
    const all = expected(additions, 2_000, term)
    expect(await findEntries(contextOf(reader, run), source, term)).toEqual(all)
    const search = { list: source, terms: [term], lower: 0n, upper: timeAt(2_000), sameBy: 'entry' } as const
    const descending = await collect(mergeLists(contextOf(reader, run), { ...search, descending: true }))
    expect(descending).toEqual(all.toReversed())
    // One pass with the same events late, in commits of any size, gives the same rows.
    const late = await findLateTimes(reader, run.schema)
    expect([...late].sort()).toEqual([...passedOver].map(timeAt).sort())
    const again = new ListLedger(await storeInFolder(), list, additions, late)
    await again.open()
    toClose.push(() => again.close())
    for (const to of [41, 1_000, 2_000]) await again.fold(to)
    expect(await digestRows((await again.reader()).reader, run.schema)).toEqual(await digestRows(reader, run.schema))
  }, 60_000)

  it('merges and intersects lists in either direction', async () => {
    const events = randomEvents(41)
    const run = await ledger(openSqliteReadStore({ folder: ':memory:' }), events)
    await run.fold(count)
    const { reader } = await run.reader()
    const some = [negative, { kind: 0, term: 7n }, { kind: 0, term: 777n }]
    const times = new Map(
      [...some, common].map((term) => [term, expected(events, count, term).map(({ time }) => time)]),
    )
    const timesOf = (term: ListTerm): readonly bigint[] => times.get(term)!
    const union = [...new Set(some.flatMap(timesOf))].sort((a, b) => Number(a - b))
    const random = createRandom(42)
    const ranges = Array.from({ length: 40 }, (_, index): [bigint, bigint] => {
      if (index === 0) return [0n, timeAt(count)]
      const [one, other] = [random(count), random(count)].map(timeAt) as [bigint, bigint]
      return one < other ? [one, other] : [other, one]
    })
    const search = { list: source, lower: 0n, upper: timeAt(count), sameBy: 'time' } as const
    for (const descending of [false, true]) {
      const order = (all: bigint[]) => (descending ? all.toReversed() : all)
      const merged = await collect(mergeLists(contextOf(reader, run), { ...search, terms: some, descending }))
      expect(merged.map(({ time }) => time)).toEqual(order(union))
      const [first, second, third] = some.map((term) => [term])
      for (const groups of [
        [first!, second!],
        [first!, [...second!, ...third!]],
        [third!, [common]],
        [[common], second!],
      ]) {
        for (const [lower, upper] of ranges) {
          const inRange = { ...search, lower, upper, groups, descending }
          const both = await collect(intersectLists(contextOf(reader, run), inRange))
          const [one, other] = groups.map((group) => new Set(group.flatMap((term) => [...timesOf(term)])))
          const expectedBoth = [...one!].filter((time) => other!.has(time) && time >= lower && time <= upper)
          if (upper - lower === timeAt(count)) expect(expectedBoth.length).toBeGreaterThan(10)
          expect(both.map(({ time }) => time)).toEqual(order(expectedBoth))
        }
      }
    }
  }, 60_000)

  it('reads of a list that is long what one that is short has in common with it, and of a range at the end the newest runs', async () => {
    const events = randomEvents(71)
    const run = await ledger(openSqliteReadStore({ folder: ':memory:' }), events)
    await run.fold(count)
    const { asked, context } = await countedContext(run)
    const rare = { kind: 0, term: 777n }
    const wholeRange = { list: source, lower: 0n, upper: timeAt(count), sameBy: 'time' } as const
    for (const descending of [false, true]) {
      const search = { ...wholeRange, descending }
      asked.rows = 0
      const ofRare = await collect(mergeLists(context, { ...search, terms: [rare] }))
      const rareRows = asked.rows
      asked.rows = 0
      const all = await collect(mergeLists(context, { ...search, terms: [common] }))
      const allRows = asked.rows
      asked.rows = 0
      const found = await collect(intersectLists(context, { ...search, groups: [[rare], [common]] }))
      expect(found.map(({ time }) => time)).toEqual(ofRare.map(({ time }) => time))
      expect(all.length).toBeGreaterThan(10 * found.length)
      expect(asked.rows - rareRows).toBeLessThan((2 * allRows) / 3)
    }
    const atEnd = { ...wholeRange, lower: timeAt(count - 5), descending: true }
    asked.reads = 0
    expect(await collect(mergeLists(context, { ...atEnd, terms: [common] }))).not.toEqual([])
    expect(asked.reads).toBe(1)
  }, 60_000)

  it('names the terms of a range that occur', async () => {
    const events = randomEvents(51)
    const run = await ledger(await storeInFolder(), events)
    for (const [to, dies] of [
      [2_000, false],
      [4_000, true],
      [count, false],
    ] as const)
      await run.fold(to, dies)
    const { reader } = await run.reader()
    const all = new Set(
      events.flatMap((event) => (event ?? []).filter(({ kind }) => kind === 0).map(({ term }) => term)),
    )
    const [lower, upper] = [15n, 1n << 50n]
    const found: bigint[] = []
    for await (const batch of findTerms(contextOf(reader, run), source, 0, lower, upper)) found.push(...batch)
    const inRange = [...all].filter((term) => term >= lower && term <= upper).sort((a, b) => (a < b ? -1 : 1))
    expect(found).toEqual(inRange)
  })
})
