import type { EventOf } from '#schemas/events/types.ts'
import { encodeEvent } from '#src/events/codec.ts'
import type { EventType } from '#src/events/event-types.ts'
import type { LogRecord } from '#src/ports/message-log.ts'
import type { CaseRow, CaseRows } from '#test/conformance/case-file.ts'
import * as read from '#test/conformance/row-values.ts'

type StatementType = Extract<EventType, `${string}Snapshotted`>

/** A statement that has no place in a log yet; `asOf` is since when it is true. */
export type Statement = Omit<LogRecord, 'time'> & { readonly asOf: bigint }

/** Turns the rows of the tables of one group into statements; of one subject they ascend. */
export type StateTranslator = (rows: CaseRows) => Statement[]

/** `subject` names what it is about, `asOf` completes the key. */
export function statement<T extends StatementType>(
  type: T,
  subject: string,
  event: Partial<EventOf<T>> & { readonly asOf: bigint },
): Statement {
  const { asOf } = event
  return { type, key: `snapshot/${subject}/${asOf}`, asOf, value: encodeEvent(type, event) }
}

/** The rows of a table, those of its history first. */
export function versionsOf(rows: CaseRows, table: string): readonly CaseRow[] {
  return [...(rows[`${table}_history`] ?? []), ...(rows[table] ?? [])]
}

/** The validity of a version. */
export function validityOf(row: CaseRow): { asOf: bigint; validTo: bigint | null } {
  const range = row['timestamp_range'] as CaseRow
  return { asOf: read.int64(range, 'from'), validTo: read.int64OrNull(range, 'to') }
}
