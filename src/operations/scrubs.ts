import { LedgerError } from '#src/domain/errors.ts'
import { membersOf } from '#src/operations/parsed-document.ts'
import { instancesOf, type Plan } from '#src/operations/plan.ts'
import type { ControlStore } from '#src/ports/control-store.ts'

/** What the last whole reading of an instance came to. */
export interface ScrubRecord {
  /** ISO 8601. */
  readonly beganAt: string
  readonly endedAt: string
  /** Of the rows that were read: others under the same name were not. Absent where the engine has none. */
  readonly mark?: string | undefined
  readonly position: number
  readonly rows: number
  /** What was found, with its repair; absent where everything is as it was written. */
  readonly damage?: string | undefined
}

const documentPrefix = 'scrub/'

/** Replaces what the one before came to. Losing a race to another process loses nothing: it has read all of it as well. */
export async function recordScrub(control: ControlStore, instance: string, record: ScrubRecord): Promise<void> {
  const name = documentPrefix + instance
  await control.put(name, JSON.stringify(record), (await control.get(name))?.revision ?? 0)
}

/** By instance, as `transactions@3`. */
export async function readScrubs(control: ControlStore): Promise<ReadonlyMap<string, ScrubRecord>> {
  const documents = await control.list(documentPrefix)
  return new Map(
    documents.flatMap(({ name, text }) => {
      const record = membersOf<ScrubRecord>(text)
      const isWhole = typeof record.beganAt === 'string' && typeof record.rows === 'number'
      return isWhole ? [[name.slice(documentPrefix.length), record as ScrubRecord]] : []
    }),
  )
}

/** Removes what is known of instances that the plan has no more. */
export async function forgetScrubs(control: ControlStore, plan: Plan, known: Iterable<string>): Promise<void> {
  const planned = new Set(instancesOf(plan).map(({ name, id }) => `${name}@${id}`))
  for (const instance of known) if (!planned.has(instance)) await control.remove(documentPrefix + instance)
}

/** What requests of the rows are refused for; undefined where nothing was found, or other rows were read. */
export function damageFound(
  instance: string,
  mark: string | undefined,
  record: ScrubRecord | undefined,
): LedgerError | undefined {
  if (record?.damage === undefined || record.mark !== mark) return undefined
  return new LedgerError('store_damaged', record.damage, { instance })
}
