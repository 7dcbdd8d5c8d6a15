import type { Connection, Stored } from '#src/adapters/mongodb/connection.ts'
import { rowsName } from '#src/adapters/mongodb/instance.ts'
import { parkedDocument, writeParked } from '#src/adapters/mongodb/parked-events.ts'
import { writeRows } from '#src/adapters/mongodb/row-writes.ts'
import { deletedField, type Shape, versionField } from '#src/adapters/mongodb/shape.ts'
import { recordTombstones } from '#src/adapters/mongodb/tombstones.ts'
import type { DeleteRow, ParkedEvent, PutRow } from '#src/ports/read-store.ts'

const parkedPart = '$parked'

/** Collections of which a commit replaced more rows than it added; the next ones will do likewise. */
export type Habits = Set<string>

/** Documents that one commit writes. */
export class WriteSet {
  readonly #shapes: ReadonlyMap<string, Shape>
  readonly #scope: string
  readonly #documents = new Map<string, Stored[]>()

  constructor(shapes: ReadonlyMap<string, Shape>, scope: string) {
    this.#shapes = shapes
    this.#scope = scope
  }

  get isEmpty(): boolean {
    return this.#documents.size === 0
  }

  put({ collection, row }: PutRow): void {
    this.restore(collection, this.#shape(collection).put(row))
  }

  remove({ collection, key }: DeleteRow): void {
    this.restore(collection, this.#shape(collection).remove(key))
  }

  park(event: ParkedEvent): void {
    this.restore(parkedPart, parkedDocument(this.#scope, event))
  }

  /** What a journal keeps of it. */
  *images(): Generator<{ in: string; as: Stored }> {
    for (const [part, documents] of this.#documents) for (const document of documents) yield { in: part, as: document }
  }

  restore(part: string, document: object): void {
    const documents = this.#documents.get(part)
    if (documents) documents.push(document as Stored)
    else this.#documents.set(part, [document as Stored])
  }

  /** Writes the rows as those of this version, and notes down which were deleted. */
  async writeRows(connection: Connection, version: bigint, habits: Habits): Promise<void> {
    for (const [part, plain] of this.#documents) {
      if (part === parkedPart) continue
      const documents = plain.map((document): Stored => ({ ...document, [versionField]: version }))
      const shape = this.#shape(part)
      const name = rowsName(this.#scope, part)
      const insertFirst = !habits.has(part)
      const existing = await writeRows(connection, { name, shape, documents, version, insertFirst })
      if (insertFirst && existing * 2 > documents.length) habits.add(part)
      const deleted = documents.filter((document) => document[deletedField] === true)
      const filters = deleted.map((document) => shape.filterOf(document))
      await recordTombstones(connection, { scope: this.#scope, collection: part, version, filters })
    }
  }

  async writeParked(connection: Connection): Promise<void> {
    await writeParked(connection, this.#documents.get(parkedPart) ?? [])
  }

  #shape(collection: string): Shape {
    const shape = this.#shapes.get(collection)
    if (!shape) throw new Error(`${this.#scope} has no collection ${collection}`)
    return shape
  }
}
