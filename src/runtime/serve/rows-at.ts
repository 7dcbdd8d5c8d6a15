import {
  type CollectionSchema,
  movesName,
  type ProjectionSchema,
  type Row,
  type RowQuery,
  type RowReader,
  type RowsAt,
  type Value,
  versionsName,
} from '#src/ports/read-store.ts'
import { compareRows, fieldsOf, matches, withFields } from '#src/runtime/serve/matching-rows.ts'

type Reader = Pick<RowReader, 'get' | 'find' | 'newestTime'>
type Key = readonly Value[]
type Select = readonly string[]
type Found = Row | undefined

/** What tells when a version is in force. */
const term = ['from', 'until']
/** Rows of one change index that are newer than the instant: nearly always there are none, or what a block or two did. */
const changedUsual = 1_000

/** The rows of a read model as they were at an instant (ns), however far its reader is ahead of it. */
export function rowsAt<S extends ProjectionSchema>(schema: S, reader: Reader, time: bigint): RowsAt<S> {
  // What a store returns is as the schema says.
  return new BoundedReader(schema.collections, reader, time, time) as unknown as RowsAt<S>
}

/** Nearly always nothing is later than the instant: then a read is what it is without one, but for a look at each row. */
class BoundedReader implements Reader {
  readonly #collections: ProjectionSchema['collections']
  readonly newest: Reader
  readonly #time: bigint
  /** What is known: the request's instant. */
  readonly #known: bigint

  constructor(collections: ProjectionSchema['collections'], reader: Reader, time: bigint, known: bigint) {
    this.#collections = collections
    this.newest = reader
    this.#time = time
    this.#known = known
  }

  get isNewest(): boolean {
    const newest = this.newest.newestTime?.()
    return newest !== undefined && newest <= this.#time
  }

  at(time: bigint): BoundedReader {
    return time < this.#time ? new BoundedReader(this.#collections, this.newest, time, this.#known) : this
  }

  get(collection: string, keys: readonly Key[], select: Select): Promise<Found[]> {
    const shape = this.#shape(collection)
    if (shape.time !== undefined) return this.#getFacts(collection, keys, select, shape.time)
    if (shape.kind === 'versioned') return this.#getVersions(collection, keys, select)
    return this.newest.get(collection, keys, select)
  }

  find(query: RowQuery): Promise<Row[]> {
    const shape = this.#shape(query.collection)
    if (shape.time !== undefined) return this.#findFacts(query, shape.time)
    if (shape.kind === 'versioned') return this.findEach([query])
    return this.newest.find(query)
  }

  /** The first rows of several ranges of an index that follow each other. */
  async findEach(queries: readonly RowQuery[]): Promise<Row[]> {
    const [first] = queries
    if (first === undefined) return []
    const shape = this.#shape(first.collection)
    if (shape.kind === 'versioned') return this.#findVersions(queries, first, shape)
    const found: Row[] = []
    for (const query of queries)
      if (found.length < first.limit) found.push(...(await this.find({ ...query, limit: first.limit - found.length })))
    return found
  }

  async begun(collection: string, keys: readonly Key[], select: Select): Promise<Found[]> {
    const fields = withFields(select, term)
    const newest = await this.newest.get(collection, keys, fields)
    const begun = await Promise.all(newest.map((row, at) => row && this.#begun(collection, keys[at]!, row, fields)))
    return begun.map((row) => row && knownAt(row, this.#known))
  }

  async #getFacts(collection: string, keys: readonly Key[], select: Select, time: string): Promise<Found[]> {
    const place = this.#shape(collection).key.indexOf(time)
    if (place >= 0) return this.#getDated(collection, keys, select, place)
    const rows = await this.newest.get(collection, keys, withFields(select, [time]))
    const isLater = (row: Found) => row !== undefined && (row[time] as bigint) > this.#time
    return rows.some(isLater) ? rows.map((row) => (isLater(row) ? undefined : row)) : rows
  }

  /** Keys that say themselves that they are later are not asked for: they may be beyond what a store has numbers for. */
  async #getDated(collection: string, keys: readonly Key[], select: Select, place: number): Promise<Found[]> {
    const isLater = (key: Key) => (key[place] as bigint) > this.#time
    if (!keys.some(isLater)) return this.newest.get(collection, keys, select)
    const asked = keys.filter((key) => !isLater(key))
    const rows = asked.length === 0 ? [] : await this.newest.get(collection, asked, select)
    let next = 0
    return keys.map((key) => (isLater(key) ? undefined : rows[next++]))
  }

  /** By the index where that has the time, else with a look at each row. */
  async #findFacts(query: RowQuery, time: string): Promise<Row[]> {
    const { index, prefix = [], lower, upper, select } = query
    const place = index.indexOf(time)
    if (place >= 0 && place < prefix.length)
      return (prefix[place] as bigint) > this.#time ? [] : this.newest.find(query)
    if (place === prefix.length) {
      if (upper !== undefined && (upper.value as bigint) <= this.#time) return this.newest.find(query)
      if (lower !== undefined && (lower.value as bigint) > this.#time) return []
      return this.newest.find({ ...query, upper: { value: this.#time, inclusive: true } })
    }
    const isLater = (row: Row) => (row[time] as bigint) > this.#time
    return this.#findOn({ ...query, select: withFields(select, [time]) }, (rows) =>
      rows.some(isLater) ? rows.filter((row) => !isLater(row)) : rows,
    )
  }

  async #getVersions(collection: string, keys: readonly Key[], select: Select): Promise<Found[]> {
    const fields = withFields(select, term)
    const newest = await this.newest.get(collection, keys, fields)
    if (newest.every((row) => row === undefined || isPlain(row, this.#time))) return newest
    return Promise.all(newest.map((row, at) => row && this.#inForce(collection, keys[at]!, row, fields)))
  }

  /**
   * The newest rows as they were, and what changed since. Where an index tells of the changes of what the query names, or rows of their
   * own of what left it, rows that are in another place by now stand where they were; else each is looked for where it is now, and left
   * out where it was elsewhere.
   */
  async #findVersions(queries: readonly RowQuery[], first: RowQuery, shape: CollectionSchema): Promise<Row[]> {
    const { collection, index, limit, descending = false } = first
    const changes = changeIndexOf(first, shape)
    const moves = changes === undefined && isMoved(first, shape)
    const select = withFields(first.select, changes || moves ? [...term, ...index, ...shape.key] : term)
    const found: Row[] = []
    for (const query of queries) {
      if (found.length >= limit) break
      const left = (rows: Row[]) => (changes ? settled(rows, this.#time) : this.#asTheyWere(rows, query, shape))
      found.push(...(await this.#findOn({ ...query, select, limit: limit - found.length }, left)))
    }
    if ((changes === undefined && !moves) || this.isNewest) return found
    const whole = fieldsOf(shape)
    const changed = changes
      ? await this.#findLater({ collection, ...changes, select: whole })
      : await this.#findMoved(first, shape)
    if (changed.length === 0) return found
    const were = await Promise.all(changed.map((row) => this.#inForce(collection, keyOf(row, shape), row, whole)))
    const inOrder = compareRows([...index, ...shape.key], descending)
    // What changed between the two reads was found as it was already.
    const isFound = (row: Row) => found.some((known) => inOrder(known, row) === 0)
    const added = were.filter((row) => row && queries.some((query) => matches(row, query)) && !isFound(row)) as Row[]
    return [...found, ...added].sort(inOrder).slice(0, limit)
  }

  /** All that is later than the instant, however much it is. */
  async #findLater(query: Omit<RowQuery, 'limit'>): Promise<Row[]> {
    const lower = { value: this.#time, inclusive: false }
    for (let limit = changedUsual; ; limit *= 4) {
      const rows = await this.newest.find({ ...query, lower, limit })
      if (rows.length < limit) return rows
    }
  }

  /** The newest rows of what had the query's value after the instant, and then another one. */
  async #findMoved({ collection, index, prefix = [] }: RowQuery, shape: CollectionSchema): Promise<Row[]> {
    const [field = ''] = index
    const moved = await this.#findLater({
      collection: movesName(collection, field),
      index: [field, 'moved', ...shape.key],
      prefix: prefix.slice(0, 1),
      select: shape.key,
    })
    if (moved.length === 0) return moved
    const keys = new Map(moved.map((row) => [keyOf(row, shape).join(), keyOf(row, shape)]))
    const rows = await this.newest.get(collection, [...keys.values()], fieldsOf(shape))
    return rows.filter((row) => row !== undefined)
  }

  async #asTheyWere(rows: Row[], query: RowQuery, shape: CollectionSchema): Promise<Row[]> {
    if (rows.every((row) => isPlain(row, this.#time))) return rows
    const whole = fieldsOf(shape)
    const were = await Promise.all(
      rows.map((row) =>
        isSettled(row, this.#time) ? row : this.#inForce(query.collection, keyOf(row, shape), row, whole),
      ),
    )
    return settled(
      were.filter((row, at) => row !== undefined && (row === rows[at] || matches(row, query))) as Row[],
      this.#time,
    )
  }

  /** Reads on until the limit is full of rows that are left. */
  async #findOn(query: RowQuery, left: (rows: Row[]) => Row[] | Promise<Row[]>): Promise<Row[]> {
    let asked = query
    for (;;) {
      const rows = await this.newest.find(asked)
      const found = await left(rows)
      if (found.length > query.limit) return found.slice(0, query.limit)
      if (found === rows || rows.length < asked.limit || found.length === query.limit) return found
      asked = { ...query, limit: asked.limit * 2 }
    }
  }

  /** Of the newest version of a key, what was in force, as it was then known: without an end. */
  async #inForce(collection: string, key: Key, newest: Row, select: Select): Promise<Found> {
    const row = await this.#begun(collection, key, newest, select)
    return row && inForce(row, this.#time)
  }

  async #begun(collection: string, key: Key, newest: Row, select: Select): Promise<Found> {
    if ((newest['from'] as bigint) <= this.#time) return newest
    const versions = versionsName(collection)
    const { fields } = this.#shape(versions)
    const lacking = select.filter((field) => fields[field] === undefined)
    const [row] = await this.newest.find({
      collection: versions,
      index: [...this.#shape(collection).key, 'from'],
      prefix: key,
      upper: { value: this.#time, inclusive: true },
      descending: true,
      limit: 1,
      select: lacking.length === 0 ? select : select.filter((field) => !lacking.includes(field)),
    })
    if (row === undefined || lacking.length === 0) return row
    return { ...row, ...Object.fromEntries(lacking.map((field) => [field, null])) }
  }

  #shape(collection: string): CollectionSchema {
    const shape = this.#collections[collection]
    if (shape === undefined) throw new Error(`there is no collection ${collection}`)
    return shape
  }
}

function keyOf(row: Row, { key }: CollectionSchema): Key {
  return key.map((field) => row[field]!)
}

/** The index by which what the query names is found by its changes, and what to look for; undefined where there is none. */
function changeIndexOf({ index, prefix = [] }: RowQuery, { indexes = [] }: CollectionSchema) {
  const known = index.slice(0, prefix.length)
  const changes = indexes.find((fields) => {
    const leading = fields.slice(0, -1)
    return fields.at(-1) === 'from' && leading.length > 0 && leading.every((field) => known.includes(field))
  })
  return changes && { index: changes, prefix: changes.slice(0, -1).map((field) => prefix[known.indexOf(field)]!) }
}

/** Whether rows tell of what had the query's first value and has it no more. */
function isMoved({ index, prefix = [] }: RowQuery, shape: CollectionSchema): boolean {
  return prefix.length > 0 && shape.kind === 'versioned' && (shape.foundBy ?? []).includes(index[0]!)
}

function settled(rows: Row[], time: bigint): Row[] {
  if (rows.every((row) => isPlain(row, time))) return rows
  return rows.map((row) => (isSettled(row, time) ? inForce(row, time) : undefined)).filter((row) => row !== undefined)
}

function isSettled({ from }: Row, time: bigint): boolean {
  return (from as bigint) <= time
}

/** In force since before the time, without an end. */
function isPlain({ from, until }: Row, time: bigint): boolean {
  return until === null && (from as bigint) <= time
}

/** A version with the end that was known at a time. */
function knownAt(version: Row, time: bigint): Row {
  const until = version['until'] as bigint | null
  return until !== null && until > time ? { ...version, until: null } : version
}

/** A version that had begun, as it was then known. */
function inForce(version: Row, time: bigint): Found {
  const until = version['until'] as bigint | null
  if (until === null) return version
  return until <= time ? undefined : { ...version, until: null }
}
