import type { DatabaseSync } from 'node:sqlite'
import { createStatements, withoutSums } from '#src/adapters/sqlite/tables.ts'
import type { ProjectionSchema } from '#src/ports/read-store.ts'

/**
 * What is wrong with what leads to the rows of a file, as a part of a sentence: a table or an index is gone or another one, an entry is missing
 * or leads elsewhere, or a tree is torn. undefined where nothing is. One call into the engine for the whole file: two pages
 * that changed places show only where both are looked at.
 */
export function structureProblem(database: DatabaseSync, schema: ProjectionSchema): string | undefined {
  const all = database.prepare('SELECT sql FROM sqlite_master WHERE sql IS NOT NULL').all()
  const known = new Set(all.map(({ sql }) => withoutSums(String(sql))))
  for (const statement of createStatements(schema)) {
    if (!known.has(withoutSums(statement.replace('IF NOT EXISTS ', ''))))
      return `its schema does not say "${statement.slice(0, statement.indexOf('('))}..." any more`
  }
  const [found] = database.prepare('PRAGMA integrity_check').all()
  const problem = String(found?.['integrity_check'])
  return problem === 'ok' ? undefined : problem.replaceAll('\n', ', ')
}
