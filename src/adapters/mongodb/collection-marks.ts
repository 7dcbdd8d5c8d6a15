import type { Connection, Stored } from '#src/adapters/mongodb/connection.ts'
import { rowsName, scopeOf } from '#src/adapters/mongodb/instance.ts'
import type { OwnedInstance } from '#src/adapters/mongodb/owned-instance.ts'
import { insert } from '#src/adapters/mongodb/row-writes.ts'
import { RowDamage } from '#src/adapters/row-sums.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { instanceName, type ProjectionSchema } from '#src/ports/read-store.ts'

/** Behind every key that there can be, and in no index. */
const mark: Stored = { _id: '\u007f' }

/**
 * A collection that somebody dropped or emptied would be made again by the next write, and look whole. So each holds a document that is put there
 * when it is made, and never again.
 */
export async function keepMarks(connection: Connection, schema: ProjectionSchema, owned: OwnedInstance): Promise<void> {
  if (owned.document.marked) return assertMarked(connection, schema, owned.document.life)
  for (const name of namesOf(schema, owned.document.life)) await insert(connection, name, [mark])
  await owned.move({ marked: true })
}

/** Rejects with `store_damaged` where a collection of an instance is not the one that was made. */
export async function assertMarked(connection: Connection, schema: ProjectionSchema, life: bigint): Promise<void> {
  const names = namesOf(schema, life)
  const { timeoutMs: maxTimeMS } = connection.settings
  const found = await Promise.all(
    names.map((name) =>
      connection.run(() =>
        connection.collection(name).findOne({ _id: mark._id }, { projection: { _id: 1 }, maxTimeMS }),
      ),
    ),
  )
  const lost = names.filter((_, place) => found[place] === null)
  if (lost.length > 0) throw storeDamaged(schema, `${lost.join(', ')} was dropped or emptied`)
}

function storeDamaged(schema: ProjectionSchema, text: string, cause?: unknown): LedgerError {
  const instance = instanceName(schema)
  return new LedgerError(
    'store_damaged',
    `Read model ${instance} is damaged: ${text}; build it anew with "ledger-history projections rebuild" and promote that, or restore the database`,
    { instance },
    cause,
  )
}

/** What it makes of a document, where that is as it was written; else `store_damaged`. */
export function wholeRow<T>(schema: ProjectionSchema, make: () => T): T {
  try {
    return make()
  } catch (error) {
    if (error instanceof RowDamage) throw storeDamaged(schema, error.message, error)
    throw error
  }
}

function namesOf(schema: ProjectionSchema, life: bigint): string[] {
  return Object.keys(schema.collections).map((collection) => rowsName(scopeOf(schema, life), collection))
}
