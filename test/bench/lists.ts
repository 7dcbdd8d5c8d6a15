import { join } from 'node:path'
import { postingKind, transactionLists } from '#projections/transactions/schema.ts'
import type { ListContext, ListSource, ListTerm } from '#queries/common/lists/list-runs.ts'
import { findEntries, mergeLists } from '#queries/common/lists/list-search.ts'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import type { Checkpoint, ListSettings, Row, RowReader } from '#src/ports/read-store.ts'
import { listShape } from '#src/runtime/lists/levels.ts'
import { ListWriter } from '#src/runtime/lists/list-writer.ts'
import type { StageOptions, StageResult } from '#test/bench/stages.ts'
import { listSchema, timeAt } from '#test/support/list-ledger.ts'

type Add = (kind: number, term: bigint, payload: number) => void
type AddEntries = (sequence: number, add: Add) => void

const commitEvents = 4_096
/** Lists of a thousandth of the events to a run have the runs and levels of a ledger that is so many times larger. */
const scale = 1_024
const largeEvents = 1_000_000_000
const smallRuns = { payloadBytes: 4, buckets: 16, windowEvents: 4_096 / scale } as const
const rareTerms = 200
const rareEntries = 25
const lookups = 2_000

/** What the lists of transactions cost for each entry, the store included: five entries an event, accounts of very unequal use. */
export async function writeLists({ folder, transactions, accounts }: StageOptions): Promise<StageResult> {
  const random = createRandom()
  const started = performance.now()
  await foldLists(join(folder, 'lists'), transactionLists.postings, transactions, (_sequence, add) => {
    add(postingKind.account, 98n, 1)
    add(postingKind.account, 3n + BigInt(Math.floor(random() * 30)), 1)
    add(postingKind.account, 1_000n + BigInt(Math.floor(random() ** 3 * accounts)), 2)
    add(postingKind.account, 1_000n + BigInt(Math.floor(random() ** 3 * accounts)), 4)
    add(postingKind.type, 14n, 0)
  })
  return { count: transactions * 5, seconds: secondsSince(started) }
}

/** What it takes to look terms up that are absent or have 25 entries, in lists with the runs of a billion events. */
export async function searchLists({ folder }: StageOptions): Promise<StageResult> {
  const random = createRandom()
  const events = Math.floor(largeEvents / scale)
  const every = Math.floor(events / (rareTerms * rareEntries))
  const path = join(folder, 'large-lists')
  const checkpoint = await foldLists(path, smallRuns, events, (sequence, add) => {
    add(0, BigInt(Math.floor(random() * 2 ** 52)), 0)
    if (sequence % every === 0) add(1, BigInt((sequence / every) % rareTerms), 0)
  })
  const store = openSqliteReadStore({ folder: path })
  const counted = countingReader(await store.openReader(listSchema(smallRuns)))
  const context = { rows: counted.reader, checkpoint, pause: async () => {} }
  const before = process.cpuUsage()
  const results = [
    await lookUp(context, counted, 'absent', (index) => ({ kind: 2, term: BigInt(index) })),
    await lookUp(context, counted, `${rareEntries} entries`, (index) => ({ kind: 1, term: BigInt(index % rareTerms) })),
  ]
  const cpu = process.cpuUsage(before)
  await store.close()
  return {
    count: results.length * lookups * 2,
    seconds: results.reduce((sum, { seconds }) => sum + seconds, 0),
    cpuSeconds: (cpu.user + cpu.system) / 1e6,
    note: results.map(({ text }) => text).join('; '),
    readsMax: Math.max(...results.map(({ readsMax }) => readsMax)),
  }
}

async function lookUp(
  context: ListContext,
  { counts }: CountedReads,
  what: string,
  termAt: (index: number) => ListTerm,
) {
  const list: ListSource = { name: 'entries', shape: listShape(smallRuns) }
  const upper = context.checkpoint.time
  Object.assign(counts, { reads: 0, keys: 0 })
  let readsMax = 0
  const started = performance.now()
  for (let index = 0; index < lookups; index++) {
    const before = counts.reads
    await findEntries(context, list, termAt(index))
    const middle = counts.reads
    const search = { list, terms: [termAt(index)], lower: 0n, upper, descending: true, sameBy: 'entry' } as const
    for await (const _batch of mergeLists(context, search));
    readsMax = Math.max(readsMax, middle - before, counts.reads - middle)
  }
  const seconds = secondsSince(started)
  const each = (value: number): string => (value / lookups / 2).toFixed(1)
  const text = `${what}: ${each(counts.reads)} reads of ${each(counts.keys)} keys, ${each(seconds * 1e6)} us`
  return { seconds, readsMax, text }
}

async function foldLists(
  folder: string,
  list: ListSettings,
  events: number,
  entriesOf: AddEntries,
): Promise<Checkpoint> {
  const store = openSqliteReadStore({ folder })
  const writer = await store.openWriter(listSchema(list))
  const lists = new ListWriter({ entries: list })
  for (let from = 0; from < events; from += commitEvents) {
    const to = Math.min(from + commitEvents, events)
    const commit = writer.begin(from)
    const rows = { load: writer.load.bind(writer), put: (name: string, row: Row) => commit.put(name, row) }
    for (let sequence = from + 1; sequence <= to; sequence++) {
      entriesOf(sequence, (kind, term, payload) => lists.add('entries', kind, term, timeAt(sequence), payload))
      lists.accept(sequence)
      if (lists.endsWindow(sequence)) await lists.endWindow(sequence, rows)
    }
    await lists.flush(rows)
    await commit.commit({ position: to, time: timeAt(to) })
    lists.committed()
  }
  await writer.close()
  await store.close()
  return { position: events, time: timeAt(events) }
}

interface CountedReads {
  readonly reader: Pick<RowReader, 'get' | 'find'>
  readonly counts: { reads: number; keys: number }
}

function countingReader(rows: RowReader): CountedReads {
  const counts = { reads: 0, keys: 0 }
  const reader: CountedReads['reader'] = {
    get: (collection, keys, select) => {
      counts.reads += 1
      counts.keys += keys.length
      return rows.get(collection, keys, select)
    },
    find: (query) => {
      counts.reads += 1
      return rows.find(query)
    },
  }
  return { reader, counts }
}

/** Numbers from 0 to 1, the same in each run: minstd. */
function createRandom(): () => number {
  let state = 1
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

function secondsSince(started: number): number {
  return (performance.now() - started) / 1_000
}
