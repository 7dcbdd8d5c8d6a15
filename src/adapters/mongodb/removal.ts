import type { Connection } from '#src/adapters/mongodb/connection.ts'
import { rowsName, scopeOf } from '#src/adapters/mongodb/instance.ts'
import { removeUndecided } from '#src/adapters/mongodb/journal.ts'
import { OwnedInstance } from '#src/adapters/mongodb/owned-instance.ts'
import { read, takeOver } from '#src/adapters/mongodb/ownership.ts'
import { removeParked } from '#src/adapters/mongodb/parked-events.ts'
import { forgetTombstones } from '#src/adapters/mongodb/tombstones.ts'
import type { ProjectionSchema } from '#src/ports/read-store.ts'

/**
 * Removes an instance: from the move of its document on there are no rows, whatever happens while the collections are
 * dropped. The document stays, a hundred bytes that keep the count of owners, so that one that was shut out before the
 * removal stays shut out after the instance was built anew. Resolves to false where there was nothing to remove.
 */
export async function removeInstance(connection: Connection, schema: ProjectionSchema): Promise<boolean> {
  const found = await read(connection, schema)
  if (!found || (found.state === 'removed' && found.dropping.length === 0)) return false
  const document = await takeOver(connection, schema)
  const owned = new OwnedInstance(connection, schema, document)
  try {
    const dropping = [...document.dropping, document.life]
    await owned.move({ state: 'removed', pending: null, position: null, time: 0n, again: 0n, dropping })
    await dropLives(connection, schema, owned)
    return true
  } finally {
    await owned.release()
  }
}

/** A version that this code does not know has whatever collections lie there under its name. */
async function rowsOf(connection: Connection, schema: ProjectionSchema, scope: string): Promise<readonly string[]> {
  const collections = Object.keys(schema.collections)
  if (collections.length > 0) return collections.map((collection) => rowsName(scope, collection))
  return connection.namesBeginning(rowsName(scope, ''))
}

/** Drops what belongs to lives that ended; never the present one, so that a latecomer cannot do harm. */
export async function dropLives(connection: Connection, schema: ProjectionSchema, owned: OwnedInstance): Promise<void> {
  const { dropping, epoch } = owned.document
  if (dropping.length === 0) return
  for (const life of dropping) {
    const scope = scopeOf(schema, life)
    for (const name of await rowsOf(connection, schema, scope)) await connection.drop(name)
    await removeParked(connection, scope)
    await removeUndecided(connection, scope, epoch + 1n)
    await forgetTombstones(connection, scope)
  }
  await owned.move({ dropping: [] })
}
