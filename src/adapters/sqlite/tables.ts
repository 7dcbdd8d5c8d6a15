import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { RowSums, type SumsForm } from '#src/adapters/row-sums.ts'
import { originTable } from '#src/adapters/sqlite/rows-origin.ts'
import {
  type CollectionSchema,
  type ProjectionSchema,
  type Value,
  type ValueKind,
  valueKind,
} from '#src/ports/read-store.ts'

const columnTypes: Record<ValueKind, string> = { int64: 'INTEGER', int32: 'INTEGER', text: 'TEXT', bytes: 'BLOB' }

/** A sum for each field: one more column to read costs more than the three bytes. */
const sumsForm: SumsForm = { field: '$sums', sharedMax: 1 }
/** Of tables that release 0.2.0 made, until they are built again. */
const earlierSumsForm: SumsForm = { field: '$sum', sharedMax: 4 }

export function quoted(name: string): string {
  return `"${name}"`
}

export function quotedList(names: readonly string[]): string {
  return names.map(quoted).join(', ')
}

/** Statements that create what a projection version keeps beside its checkpoint. */
export function createStatements(schema: ProjectionSchema): string[] {
  const statements = [
    originTable,
    `CREATE TABLE IF NOT EXISTS "$parked" (sequence INTEGER PRIMARY KEY, error TEXT NOT NULL)`,
  ]
  for (const [name, collection] of Object.entries(schema.collections))
    for (const statement of collectionStatements(name, collection)) statements.push(statement)
  return statements
}

/** Those of a collection: its table, and its indexes. */
function collectionStatements(name: string, collection: CollectionSchema): string[] {
  const indexes = (collection.indexes ?? []).map((index) => {
    const columns = `${quoted(name)} (${quotedList(index)})`
    return `CREATE INDEX IF NOT EXISTS ${quoted(`${name}.${index.join('.')}`)} ON ${columns}`
  })
  return [createTable(name, collection), ...indexes]
}

/** A single integer key is the row id; any other key orders the table itself, so that no second tree is needed. */
function createTable(name: string, { fields, key }: CollectionSchema): string {
  const columns = Object.entries(fields).map(([field, kind]) => `${quoted(field)} ${columnTypes[valueKind(kind)]}`)
  columns.push(sumsColumn(sumsForm))
  return `CREATE TABLE IF NOT EXISTS ${quoted(name)} (${columns.join(', ')}, PRIMARY KEY (${quotedList(key)}))${
    key.length === 1 && fields[key[0]!]?.startsWith('int') ? '' : ' WITHOUT ROWID'
  }`
}

function sumsColumn({ field }: SumsForm): string {
  return `${quoted(field)} TEXT NOT NULL`
}

/** The statement of a table, whatever checksums it has: there are none in those of the first releases. */
export function withoutSums(sql: string): string {
  return [sumsForm, earlierSumsForm].reduce((text, form) => text.replace(`${sumsColumn(form)}, `, ''), sql)
}

export function putStatement(name: string, columns: readonly string[]): string {
  return `INSERT OR REPLACE INTO ${quoted(name)} (${quotedList(columns)}) VALUES (${columns.map(() => '?').join(', ')})`
}

/** Those of a collection whose rows have them; rows of the first releases have none until they are built again. */
export function sumsIn(
  database: DatabaseSync,
  name: string,
  collection: Pick<CollectionSchema, 'fields' | 'key'>,
): RowSums | undefined {
  const columns = database.prepare('SELECT name FROM pragma_table_info(?)').all(name)
  const form = [sumsForm, earlierSumsForm].find(({ field }) => columns.some((column) => column['name'] === field))
  return form && new RowSums(name, collection, form)
}

export function keyCondition(key: readonly string[]): string {
  return key.map((field) => `${quoted(field)} = ?`).join(' AND ')
}

/** Values as the driver takes them. */
export function bindable(values: readonly Value[]): SQLInputValue[] {
  return values as SQLInputValue[]
}
