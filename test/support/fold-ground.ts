import { afterEach, beforeEach } from 'vitest'
import { openSqliteLog } from '#src/adapters/sqlite/message-log.ts'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import type { MessageLog } from '#src/ports/message-log.ts'
import type { ProjectionSchema, ReadStore, Row } from '#src/ports/read-store.ts'
import type { AnyProjection } from '#src/runtime/fold/projection.ts'
import { runProjections } from '#src/runtime/fold/projector.ts'
import type { ProjectorLimits } from '#src/runtime/fold/projector-limits.ts'
import { distantStore } from '#test/support/distant-store.ts'
import { allRowsOf } from '#test/support/folded-rows.ts'

/** A log and a read store in memory, fresh for each test of the suite that it is made in. */
export interface FoldGround {
  readonly log: MessageLog
  readonly store: ReadStore
  /** Folds what the log has. `isFar`: each read of a row takes a round trip. */
  fold(projections: readonly AnyProjection[], limits?: Partial<ProjectorLimits>, isFar?: boolean): Promise<void>
  /** Every row of every collection, in the order of its key. */
  allRows(schema: ProjectionSchema): Promise<Record<string, Row[]>>
  /** Goes on with a store that has nothing. */
  emptyStore(): Promise<void>
}

export function foldGround(): FoldGround {
  let log: MessageLog
  let store: ReadStore
  beforeEach(() => {
    log = openSqliteLog({ folder: ':memory:', pollMs: 1 })
    store = openSqliteReadStore({ folder: ':memory:' })
  })
  afterEach(async () => {
    await store.close()
    await log.close()
  })
  return {
    get log() {
      return log
    },
    get store() {
      return store
    },
    async fold(projections, limits = {}, isFar = false) {
      const folded = isFar ? distantStore(store).store : store
      await runProjections({ log, store: folded, projections, follow: false, limits })
    },
    allRows: (schema) => allRowsOf(store, schema),
    async emptyStore() {
      await store.close()
      store = openSqliteReadStore({ folder: ':memory:' })
    },
  }
}
