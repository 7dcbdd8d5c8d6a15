import { isLedgerError, type LedgerError } from '#src/domain/errors.ts'
import type { ScrubRecord } from '#src/operations/scrubs.ts'
import type { Position } from '#src/ports/message-log.ts'
import { instanceName, type ProjectionSchema, type ReadStore, type Value } from '#src/ports/read-store.ts'
import { keyOf } from '#src/runtime/replay/digest.ts'

export interface ScrubOptions {
  readonly store: ReadStore
  readonly schema: ProjectionSchema
  /** Called after each piece of work with the time that it took, to wait for as long as is right. */
  readonly rest?: (busyMs: number) => Promise<void>
  readonly signal?: AbortSignal | undefined
}

export interface ScrubResult {
  /** `transactions@3`. */
  readonly instance: string
  /** Mark of the rows that were read; undefined where the engine has none. */
  readonly mark: string | undefined
  readonly position: Position
  readonly rows: number
  /** What was found; undefined where every row is as it was written and every index leads to all of them. */
  readonly damage: LedgerError | undefined
}

const pageRows = 500

/** What others are told of it. `atMs`: milliseconds since the epoch. */
export function scrubRecord(
  { mark, position, rows, damage }: ScrubResult,
  beganAtMs: number,
  endedAtMs: number,
): ScrubRecord {
  const [beganAt, endedAt] = [beganAtMs, endedAtMs].map((atMs) => new Date(atMs).toISOString())
  return { beganAt: beganAt!, endedAt: endedAt!, mark, position, rows, damage: damage?.message }
}

/** Reads everything that there is of an instance. undefined where it was never built, or the signal came first. */
export async function scrubRows({ store, schema, rest, signal }: ScrubOptions): Promise<ScrubResult | undefined> {
  const reader = await store.openReader(schema)
  const instance = instanceName(schema)
  let rows = 0
  let mark: string | undefined
  let position: Position = 0
  const work = async <T>(piece: () => Promise<T>): Promise<T> => {
    const startedMs = performance.now()
    const done = await piece()
    await rest?.(performance.now() - startedMs)
    return done
  }
  try {
    mark = (await reader.origin?.())?.mark
    const checkpoint = await reader.checkpoint()
    if (checkpoint === undefined) return undefined
    position = checkpoint.position
    await work(async () => reader.check?.())
    for (const [name, collection] of Object.entries(schema.collections)) {
      let after: Value[] | undefined
      for (;;) {
        if (signal?.aborted) return undefined
        const page = await work(() => reader.scan(name, after, pageRows))
        const last = page.at(-1)
        if (last === undefined) break
        rows += page.length
        after = keyOf(last, collection)
      }
    }
    return { instance, mark, position, rows, damage: undefined }
  } catch (error) {
    if (!isLedgerError(error, 'store_damaged')) throw error
    return { instance, mark, position, rows, damage: error }
  } finally {
    await reader.close()
  }
}
