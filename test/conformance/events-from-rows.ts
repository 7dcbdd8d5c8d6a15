import { max } from '#queries/common/bigints.ts'
import { encodeEvent } from '#src/events/codec.ts'
import type { LogRecord } from '#src/ports/message-log.ts'
import type { CaseFile } from '#test/conformance/case-file.ts'
import { blockRecords } from '#test/conformance/facts/blocks.ts'
import { transactionRecords } from '#test/conformance/facts/transactions.ts'
import { recordedAt } from '#test/conformance/state/recorded-at.ts'
import { statementsOf } from '#test/conformance/state/statements.ts'

export interface CaseEvents {
  /** Lists of events as they are appended: an empty opening, block by block the facts, then what the rows of state say. */
  readonly blocks: readonly (readonly LogRecord[])[]
  /** Transactions made for facts whose transaction the case does not have. */
  readonly made: number
}

/**
 * The events that say what a case's rows say: facts without bodies and often without blocks, then statements. These come
 * last since they contain the facts: a balance has all transfers in it, whenever they were.
 */
export function eventsOfCase({ name, rows }: CaseFile): CaseEvents {
  const { records, made } = transactionRecords(rows)
  const facts = intoBlocks(records, blockRecords(rows))
  const factsEnd = facts.at(-1)?.at(-1)?.time ?? 0n
  const opening = snapshot(name, [], { key: '', begins: 0n, asOf: 0n })
  return { blocks: [opening, ...facts, stateRecords(name, rows, factsEnd)], made }
}

/** In consensus order; a block closes what precedes its end. What no block closes follows as one more append. */
function intoBlocks(transactions: readonly LogRecord[], blocks: readonly LogRecord[]): LogRecord[][] {
  const rank = ({ type }: LogRecord) => (type === 'BlockRecorded' ? 1 : 0)
  const sorted = [...transactions, ...blocks].sort((a, b) => compare(a.time, b.time) || rank(a) - rank(b))
  const appends: LogRecord[][] = []
  let open: LogRecord[] = []
  for (const record of sorted) {
    open.push(record)
    if (record.type !== 'BlockRecorded') continue
    appends.push(open)
    open = []
  }
  return open.length > 0 ? [...appends, open] : appends
}

/**
 * Statements in the order of what they are true of. The times of a log ascend, so one about the past has the time of
 * what it follows; the end has the time of the recording, so that whoever read to it knows all that was ever asked.
 */
function stateRecords(name: string, rows: CaseFile['rows'], factsEnd: bigint): LogRecord[] {
  const statements = statementsOf(rows).toSorted((a, b) => compare(a.asOf, b.asOf))
  const records = statements.map(({ asOf, ...record }) => ({ ...record, time: max(asOf, factsEnd) }))
  const newest = records.at(-1)?.time ?? factsEnd
  const asOf = max(recordedAt(rows), newest)
  return snapshot(name, records, { key: `/${asOf}`, begins: factsEnd, asOf })
}

interface SnapshotTimes {
  /** What the keys of its first and last event end with. */
  readonly key: string
  /** Time of the event that the snapshot follows. */
  readonly begins: bigint
  readonly asOf: bigint
}

function snapshot(
  network: string,
  statements: readonly LogRecord[],
  { key, begins, asOf }: SnapshotTimes,
): LogRecord[] {
  const started = encodeEvent('SnapshotStarted', { network, asOf })
  const completed = encodeEvent('SnapshotCompleted', { count: BigInt(statements.length) })
  return [
    { type: 'SnapshotStarted', key: `snapshot/started${key}`, time: begins, value: started },
    ...statements,
    { type: 'SnapshotCompleted', key: `snapshot/completed${key}`, time: asOf, value: completed },
  ]
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0
}
