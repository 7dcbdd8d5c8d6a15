import type { ProjectionSchema, Row, RowReader, Value } from '#src/ports/read-store.ts'
import type { ReadRows } from '#src/runtime/fold/projection.ts'
import { type RowId, type RowIds, rowIdsOf } from '#src/runtime/fold/row-id.ts'

interface Found {
  readonly ids: RowIds
  readonly rows: Map<RowId, Row | undefined>
  missing: Map<RowId, readonly Value[]>
}

/** Rows that events are made from besides their own, as committed; a few for each page of rows. */
export class RelatedRows implements ReadRows<ProjectionSchema> {
  readonly #schema: ProjectionSchema
  readonly #found = new Map<string, Found>()
  /** How many times a row was read that has to be loaded; only ever grows. */
  missing = 0

  constructor(schema: ProjectionSchema) {
    this.#schema = schema
  }

  /** The row; undefined where there is none, and until it is loaded. */
  get(collection: string, ...key: readonly Value[]): Row | undefined {
    const { ids, rows, missing } = this.#of(collection)
    const id = ids.ofKey(key)
    if (!rows.has(id)) {
      missing.set(id, key)
      this.missing += 1
    }
    return rows.get(id)
  }

  /** Loads what was read and is not here. Resolves to whether there was anything. */
  async load(reader: Pick<RowReader, 'get'>): Promise<boolean> {
    let asked = false
    for (const [collection, found] of this.#found) {
      const { missing, rows } = found
      if (missing.size === 0) continue
      asked = true
      found.missing = new Map()
      const fields = Object.keys(this.#schema.collections[collection]!.fields)
      const read = await reader.get(collection, [...missing.values()], fields)
      for (const [index, id] of [...missing.keys()].entries()) rows.set(id, read[index])
    }
    return asked
  }

  #of(collection: string): Found {
    const known = this.#found.get(collection)
    if (known) return known
    const schema = this.#schema.collections[collection]
    if (!schema) throw new Error(`there is no collection ${collection}`)
    const found = { ids: rowIdsOf(schema), rows: new Map(), missing: new Map() }
    this.#found.set(collection, found)
    return found
  }
}
