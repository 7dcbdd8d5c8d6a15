import { type Posting, packPosting, unpackPosting } from '#projections/transactions/packing.ts'
import { transactionLists, transactionsSchema } from '#projections/transactions/schema.ts'
import type { ListTerm } from '#queries/common/lists/list-runs.ts'
import { findEntries } from '#queries/common/lists/list-search.ts'
import { defaultQuerySettings } from '#queries/common/settings.ts'
import { postings } from '#queries/transactions/find-postings.ts'
import type { TransactionContext } from '#queries/transactions/reads.ts'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import type { Checkpoint, Row, RowOf, RowReader } from '#src/ports/read-store.ts'
import { ListWriter } from '#src/runtime/lists/list-writer.ts'
import { rowsAt } from '#src/runtime/serve/rows-at.ts'

/** A posting of the event at a sequence. */
export interface PlacedPosting extends ListTerm, Posting {
  readonly sequence: number
  readonly time: bigint
}

export interface CountingContext extends TransactionContext {
  /** Reads of the store so far. */
  readonly calls: () => number
  /** Rows that they asked for by key, or found. */
  readonly rowsRead: () => number
}

/** What queries read of the transactions model at a checkpoint after these postings, with the rows of transactions that are given. */
export async function contextOfPostings(
  placed: readonly PlacedPosting[],
  checkpoint: Checkpoint,
  transactions: readonly RowOf<typeof transactionsSchema, 'transactions'>[] = [],
): Promise<CountingContext> {
  const readStore = openSqliteReadStore({ folder: ':memory:' })
  const writer = await readStore.openWriter(transactionsSchema)
  const commit = writer.begin(0)
  const store = { load: writer.load.bind(writer), put: (name: string, row: Row) => commit.put(name, row) }
  const lists = new ListWriter(transactionLists)
  const bySequence = Map.groupBy(placed, ({ sequence }) => sequence)
  for (let sequence = 1; sequence <= checkpoint.position; sequence++) {
    for (const { kind, term, time, ...posting } of bySequence.get(sequence) ?? [])
      lists.add('postings', kind, term, time, packPosting(posting))
    lists.accept(sequence)
    if (lists.endsWindow(sequence)) await lists.endWindow(sequence, store)
  }
  for (const row of transactions) commit.put('transactions', row)
  await lists.flush(store)
  await commit.commit(checkpoint)
  return countingContext(await readStore.openReader(transactionsSchema), checkpoint)
}

function countingContext(reader: RowReader, checkpoint: Checkpoint): CountingContext {
  let calls = 0
  let rowsRead = 0
  const counting: RowReader = {
    checkpoint: () => reader.checkpoint(),
    get: (...asked) => {
      calls += 1
      rowsRead += asked[1].length
      return reader.get(...asked)
    },
    find: async (query) => {
      calls += 1
      const rows = await reader.find(query)
      rowsRead += rows.length
      return rows
    },
    scan: (...asked) => reader.scan(...asked),
    parkedCount: () => reader.parkedCount(),
    parked: (...asked) => reader.parked(...asked),
    close: () => reader.close(),
  }
  return {
    rows: { transactions: rowsAt(transactionsSchema, counting, checkpoint.time) },
    checkpoint,
    checkpoints: { transactions: checkpoint },
    settings: defaultQuerySettings,
    now: 0n,
    instances: 'transactions',
    stamp: 'transactions',
    setAside: async () => 0,
    pause: async () => {},
    calls: () => calls,
    rowsRead: () => rowsRead,
  }
}

/** All postings of a term with their times, ascending. */
export async function postingsOf(reader: RowReader, kind: number, term: bigint) {
  const checkpoint = (await reader.checkpoint()) ?? { position: 0, time: 0n }
  const entries = await findEntries({ rows: reader, checkpoint, pause: async () => {} }, postings, { kind, term })
  return entries.map(({ time, payload }) => ({ consensusTimestamp: time, ...unpackPosting(payload) }))
}
