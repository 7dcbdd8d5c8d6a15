import { encodeEvent } from '#src/events/codec.ts'
import { outputTypes } from '#src/events/event-types.ts'
import type { LogRecord } from '#src/ports/message-log.ts'
import {
  type CollectionSchema,
  type ProjectionSchema,
  type Row,
  type RowReader,
  type Value,
  valueKind,
} from '#src/ports/read-store.ts'
import type { AnyOutput } from '#src/runtime/fold/projection.ts'
import { RelatedRows } from '#src/runtime/outputs/related-rows.ts'

/** The key of a row, which is also the key of its message: by the newest message is known where to go on. */
export type RowKey = readonly Value[]

export interface OutputPage {
  readonly records: readonly LogRecord[]
  /** Of the last row looked at, also where that is no event. */
  readonly last: RowKey
}

export interface PageBounds {
  /** Behind this row; undefined: from the first. */
  readonly after: RowKey | undefined
  /** Rows of times up to here are complete, ns. */
  readonly through: bigint
  readonly rowsMax: number
}

/** The rows of one build of a read model as the events of one of its outputs. */
export class OutputRows {
  readonly #output: AnyOutput
  readonly #schema: ProjectionSchema
  readonly #collection: CollectionSchema
  readonly #reader: Pick<RowReader, 'find' | 'get'>

  constructor(output: AnyOutput, schema: ProjectionSchema, reader: Pick<RowReader, 'find' | 'get'>) {
    this.#output = output
    this.#schema = schema
    this.#collection = schema.collections[output.rows]!
    this.#reader = reader
  }

  /** undefined where no row follows. */
  async page(bounds: PageBounds): Promise<OutputPage | undefined> {
    const rows = await this.#find(bounds)
    const last = rows.at(-1)
    if (last === undefined) return undefined
    const related = new RelatedRows(this.#schema)
    let records: LogRecord[]
    do records = rows.flatMap((row) => this.#recordOf(row, related) ?? [])
    while (await related.load(this.#reader))
    return { records, last: this.#keyOf(last) }
  }

  async has(key: RowKey): Promise<boolean> {
    const [row] = await this.#reader.get(this.#output.rows, [key], this.#collection.key)
    return row !== undefined
  }

  /** The key that a message has; undefined where its text is none of ours. */
  parseKey(text: string): RowKey | undefined {
    const parts = text.split('/')
    const { key, fields } = this.#collection
    if (parts.length !== key.length || !parts.every((part) => /^-?\d{1,19}$/.test(part))) return undefined
    return parts.map((part, index) => (valueKind(fields[key[index]!]!) === 'int64' ? BigInt(part) : Number(part)))
  }

  /** The rest of the time that the page before may have ended in the middle of, then what follows it. */
  async #find({ after, through, rowsMax: limit }: PageBounds): Promise<Row[]> {
    const { key, fields } = this.#collection
    const query = { collection: this.#output.rows, index: key, select: Object.keys(fields) }
    const upper = { value: through, inclusive: true }
    if (after === undefined) return this.#reader.find({ ...query, upper, limit })
    const [time = null, number] = after
    const sameTime =
      number === undefined
        ? []
        : await this.#reader.find({ ...query, prefix: [time], lower: { value: number, inclusive: false }, limit })
    if (sameTime.length === limit) return sameTime
    const lower = { value: time, inclusive: false }
    return [...sameTime, ...(await this.#reader.find({ ...query, lower, upper, limit: limit - sameTime.length }))]
  }

  #recordOf(row: Row, related: RelatedRows): LogRecord | undefined {
    const event = this.#eventOf(row, related)
    if (event === undefined) return undefined
    const [time] = this.#keyOf(row)
    const type = outputTypes[this.#output.topic]
    return { type, key: this.#keyOf(row).join('/'), time: time as bigint, value: encodeEvent(type, event) }
  }

  #eventOf(row: Row, related: RelatedRows): ReturnType<AnyOutput['event']> {
    const before = related.missing
    try {
      const event = this.#output.event(row, related)
      return related.missing === before ? event : undefined
    } catch (error) {
      if (related.missing === before) throw error
      // Without all rows it may fail that does not with them: it is made again once they are loaded.
      return undefined
    }
  }

  #keyOf(row: Row): RowKey {
    return this.#collection.key.map((field) => row[field]!)
  }
}
