import type { SQLInputValue } from 'node:sqlite'
import {
  type CollectionSchema,
  type ProjectionSchema,
  type Row,
  type Value,
  type ValueKind,
  valueKind,
} from '#src/ports/read-store.ts'

const columnTypes: Record<ValueKind, string> = { int64: 'INTEGER', int32: 'INTEGER', text: 'TEXT', bytes: 'BLOB' }

export function quoted(name: string): string {
  return `"${name}"`
}

export function quotedList(names: readonly string[]): string {
  return names.map(quoted).join(', ')
}

/** Statements that create what a projection version keeps beside its checkpoint. */
export function createStatements(schema: ProjectionSchema): string[] {
  const statements = [`CREATE TABLE IF NOT EXISTS "$parked" (sequence INTEGER PRIMARY KEY, error TEXT NOT NULL)`]
  for (const [name, collection] of Object.entries(schema.collections)) {
    statements.push(createTable(name, collection))
    for (const index of collection.indexes ?? []) {
      statements.push(
        `CREATE INDEX IF NOT EXISTS ${quoted(`${name}.${index.join('.')}`)} ON ${quoted(name)} (${quotedList(index)})`,
      )
    }
  }
  return statements
}

/** A single integer key is the row id; any other key orders the table itself, so that no second tree is needed. */
function createTable(name: string, { fields, key }: CollectionSchema): string {
  const columns = Object.entries(fields).map(([field, kind]) => `${quoted(field)} ${columnTypes[valueKind(kind)]}`)
  return `CREATE TABLE IF NOT EXISTS ${quoted(name)} (${columns.join(', ')}, PRIMARY KEY (${quotedList(key)}))${
    key.length === 1 && fields[key[0]!]?.startsWith('int') ? '' : ' WITHOUT ROWID'
  }`
}

export function putStatement(name: string, { fields }: CollectionSchema): string {
  const names = Object.keys(fields)
  return `INSERT OR REPLACE INTO ${quoted(name)} (${quotedList(names)}) VALUES (${names.map(() => '?').join(', ')})`
}

export function keyCondition(key: readonly string[]): string {
  return key.map((field) => `${quoted(field)} = ?`).join(' AND ')
}

/** Values as the driver takes them. */
export function bindable(values: readonly Value[]): SQLInputValue[] {
  return values as SQLInputValue[]
}

/** Makes rows read with big integers what the port promises: int32 fields are numbers. Changes the rows it is given. */
export function restoreKinds(rows: Record<string, unknown>[], int32Fields: readonly string[]): Row[] {
  for (const row of rows) {
    for (const field of int32Fields) {
      const value = row[field]
      if (typeof value === 'bigint') row[field] = Number(value)
    }
  }
  return rows as Row[]
}

export function int32FieldsOf({ fields }: Pick<CollectionSchema, 'fields'>, select: readonly string[]): string[] {
  return select.filter((field) => fields[field] !== undefined && valueKind(fields[field]) === 'int32')
}
