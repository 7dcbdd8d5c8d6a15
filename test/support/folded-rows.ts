import { openSqliteLog } from '#src/adapters/sqlite/message-log.ts'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import type { LogRecord } from '#src/ports/message-log.ts'
import type { ProjectionSchema, ReadStore, Row } from '#src/ports/read-store.ts'
import type { AnyProjection } from '#src/runtime/fold/projection.ts'
import { runProjections } from '#src/runtime/fold/projector.ts'
import { publish } from '#test/support/events.ts'

/** The rows of each collection after a projection folded the events, in key order. */
export async function foldedRows(
  projection: AnyProjection,
  records: readonly LogRecord[],
  limits: object = {},
): Promise<Record<string, Row[]>> {
  const log = openSqliteLog({ folder: ':memory:', pollMs: 1 })
  const store = openSqliteReadStore({ folder: ':memory:' })
  try {
    await publish(log, records)
    await runProjections({ log, store, projections: [projection], follow: false, limits })
    return await allRowsOf(store, projection.schema)
  } finally {
    await store.close()
    await log.close()
  }
}

/** Every row of every collection, in key order. */
export async function allRowsOf(store: ReadStore, schema: ProjectionSchema): Promise<Record<string, Row[]>> {
  const reader = await store.openReader(schema)
  const found: Record<string, Row[]> = {}
  for (const name of Object.keys(schema.collections)) found[name] = await reader.scan(name, undefined, 10_000)
  return found
}

/** Batch sizes, commits and room for rows, none of which may change a row. */
export const awkwardLimits: readonly object[] = [
  { readCountMax: 1 },
  { readCountMax: 3, commitEventsMax: 2 },
  { commitRowsMax: 1 },
  { readCountMax: 2, cacheBytesMax: 0 },
]
