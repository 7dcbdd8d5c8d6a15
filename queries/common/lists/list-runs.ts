import { LedgerError } from '#src/domain/errors.ts'
import { readInt64 } from '#src/domain/int64-words.ts'
import type { Checkpoint, Row, RowReader } from '#src/ports/read-store.ts'
import { bucketOf, type ListShape, type LiveRuns, latePlaceOf, placeOf } from '#src/runtime/lists/levels.ts'
import {
  blocksBit,
  copyBytes,
  entryBytes,
  hashTerm,
  recordBytes,
  recordOffset,
  type TermWords,
  termWords,
  viewOf,
} from '#src/runtime/lists/records.ts'

/** What a search of lists reads from and is bounded by: one read model's rows. */
export interface ListContext {
  readonly rows: Pick<RowReader, 'get' | 'find'>
  /** The position at which the read model stands, which tells its runs, and the newest time that is looked for. */
  readonly checkpoint: Checkpoint
  /** Throws once the search has taken too long, and lets others run. */
  readonly pause: () => Promise<void>
}

/** A list of a read model, by the name that its collections begin with. */
export interface ListSource {
  readonly name: string
  readonly shape: ListShape
}

export interface ListTerm {
  readonly kind: number
  readonly term: bigint
}

/** What one run says about a term. */
export interface RunEntries {
  /** Packed, ascending. */
  readonly entries: Uint8Array
  /** Whether there is more of the run's time in blocks. */
  readonly hasBlocks: boolean
}

export interface FoundEntries {
  readonly runs: RunEntries[]
  /** Packed, ascending; anywhere among the others. */
  readonly late: Uint8Array
  /** A time that no entry of runs older than these is later than, of any term; undefined where these tell none. */
  readonly since: bigint | undefined
}

/**
 * Looks a term up in some runs by one read, the newest run first, and behind them in what events brought that were folded
 * after their turn.
 */
export async function readRuns(
  { rows: reads }: Pick<ListContext, 'rows'>,
  { name, shape }: ListSource,
  { kind, term }: ListTerm,
  live: readonly LiveRuns[],
): Promise<FoundEntries> {
  const words = termWords(kind, term)
  const hash = hashTerm(words.kind, words.high, words.low)
  const wanted = live.flatMap(({ level, from, to }) =>
    Array.from({ length: to - from }, (_, index) => ({ level, run: to - 1 - index })),
  )
  const late = BigInt(latePlaceOf(bucketOf(shape, 0, hash)))
  const keys = wanted.map(({ level, run }) => [BigInt(placeOf(level, run, bucketOf(shape, level, hash)))])
  const rows = await reads.get(`${name}Buckets`, [...keys, [late]], ['run', 'records'])
  const ofLate = rows.pop()?.['records'] as Uint8Array | undefined
  const found = rows.flatMap((row, index) => recordsOf(name, row, wanted[index]!.run) ?? [])
  const oldest = found.at(-1)
  return {
    runs: found.map((records) => entriesOf(shape, records, words)),
    late: ofLate ? entriesOf(shape, ofLate, words).entries : new Uint8Array(),
    since: oldest?.length ? readInt64(oldest, recordOffset.time) : undefined,
  }
}

/** The slot may hold an earlier run, then this one has nothing here; or a later one, then the reader came too late. */
function recordsOf(name: string, row: Row | undefined, run: number): Uint8Array | undefined {
  const found = row?.['run'] as number | undefined
  if (row === undefined || found === undefined || found < run) return undefined
  if (found === run) return row['records'] as Uint8Array
  throw new LedgerError(
    'unavailable',
    `The list ${name} was merged further while this request was answered; ask again`,
    { list: name, run, found },
  )
}

/** Within a record, of its term. */
const lowestByte = recordOffset.term + 7

function entriesOf(shape: ListShape, records: Uint8Array, { kind, high, low }: TermWords): RunEntries {
  const size = recordBytes(shape)
  const view = viewOf(records)
  const offsets: number[] = []
  let hasBlocks = false
  const lowest = low & 0xff
  for (let at = 0; at < records.length; at += size) {
    // One byte tells most records of other terms.
    if (records[at + lowestByte] !== lowest) continue
    if (view.getUint32(at + 5) !== low || view.getUint32(at + 1) !== high) continue
    const found = view.getUint8(at)
    if (found === kind) offsets.push(at)
    else if (found === (kind | blocksBit)) hasBlocks = true
  }
  const width = entryBytes(shape)
  const entries = new Uint8Array(offsets.length * width)
  for (const [index, at] of offsets.entries()) copyBytes(records, at + recordOffset.time, entries, index * width, width)
  return { entries, hasBlocks }
}
