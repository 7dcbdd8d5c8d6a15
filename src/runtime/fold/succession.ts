import { maxInt64 } from '#src/domain/ledger-time.ts'
import { movesName, type Row, type Value, type VersionedSchema, versionsName } from '#src/ports/read-store.ts'

/** The rows of a fold as they are written, without anything that follows from it. */
export interface WrittenRows {
  read(collection: string, key: readonly Value[]): Row | undefined
  write(collection: string, row: Row): void
  erase(collection: string, key: readonly Value[]): void
}

/** What follows from a put of a collection with versions: where the version before ends, and what its row has moved from. */
export class Succession {
  readonly #collection: string
  readonly #versions: string
  readonly #schema: VersionedSchema
  readonly #moves: readonly { readonly field: string; readonly collection: string }[]

  constructor(collection: string, schema: VersionedSchema) {
    const { foundBy = [] } = schema
    this.#collection = collection
    this.#versions = versionsName(collection)
    this.#schema = schema
    this.#moves = foundBy.map((field) => ({ field, collection: movesName(collection, field) }))
  }

  /** Puts a row in the place of the newest one. */
  put(row: Row, newest: Row | undefined, rows: WrittenRows): void {
    if (newest !== undefined) this.#noteMoves(newest, row, rows)
    if (this.#schema.restated) this.#restate(row, newest, rows)
    else {
      if (newest !== undefined && fromOf(newest) < fromOf(row)) rows.write(this.#versions, endedBy(newest, fromOf(row)))
      rows.write(this.#collection, row)
    }
  }

  #restate(row: Row, newest: Row | undefined, rows: WrittenRows): void {
    const from = fromOf(row)
    const isEmpty = untilOf(row) !== null && untilOf(row)! <= from
    // The usual changes: of now, or of the same time once more.
    if (!isEmpty && newest !== undefined && fromOf(newest) === from) {
      this.#write(row, previousOf(newest), rows)
      return
    }
    const before = this.#forgetFrom(from, newest, rows)
    if (isEmpty) {
      if (before === undefined) rows.erase(this.#collection, this.#keyOf(row))
      else this.#endAt(from, before, before === newest, rows)
    } else {
      if (before !== undefined && (before === newest || ends(before) > from))
        rows.write(this.#versions, endedBy(before, from))
      this.#write(row, before === undefined ? null : fromOf(before), rows)
    }
  }

  /** Forgets the earlier versions that begin at a time or later. Returns the newest one before it. */
  #forgetFrom(time: bigint, newest: Row | undefined, rows: WrittenRows): Row | undefined {
    let row = newest
    while (row !== undefined && fromOf(row) >= time) {
      if (row !== newest) rows.erase(this.#versions, this.#versionKeyOf(row))
      const previous = previousOf(row)
      row = previous === null ? undefined : rows.read(this.#versions, [...this.#keyOf(row), previous])
    }
    return row
  }

  /** There is nothing from a time on: what was before is the newest that there was. */
  #endAt(time: bigint, before: Row, isNewest: boolean, rows: WrittenRows): void {
    if (!isNewest) rows.erase(this.#versions, this.#versionKeyOf(before))
    const none = Object.fromEntries((this.#schema.newestOnly ?? []).map((field) => [field, null]))
    rows.write(this.#collection, { ...endedBy(before, time), ...none })
  }

  #write(row: Row, previous: bigint | null, rows: WrittenRows): void {
    rows.write(this.#collection, row['previous'] === previous ? row : { ...row, previous })
  }

  #noteMoves(newest: Row, row: Row, rows: WrittenRows): void {
    for (const { field, collection } of this.#moves) {
      const value = newest[field]!
      if (value === null || value === row[field]) continue
      const moved: Record<string, Value> = { [field]: value, moved: fromOf(row) }
      for (const each of this.#schema.key) moved[each] = row[each]!
      rows.write(collection, moved)
    }
  }

  #keyOf(row: Row): Value[] {
    return this.#schema.key.map((field) => row[field]!)
  }

  #versionKeyOf(row: Row): Value[] {
    return [...this.#keyOf(row), fromOf(row)]
  }
}

/** A version that another one begins behind, at a time; it may have ended before. Of its fields those are kept that earlier ones have. */
function endedBy(version: Row, time: bigint): Row {
  return ends(version) > time ? { ...version, until: time } : version
}

function fromOf(row: Row): bigint {
  return row['from'] as bigint
}

function untilOf(row: Row): bigint | null {
  return row['until'] as bigint | null
}

function previousOf(row: Row): bigint | null {
  return row['previous'] as bigint | null
}

function ends(row: Row): bigint {
  return untilOf(row) ?? maxInt64
}
