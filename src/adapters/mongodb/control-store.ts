import { crc32 } from 'node:zlib'
import { type Connection, checkpointConcern, type Stored } from '#src/adapters/mongodb/connection.ts'
import { duplicatesIn } from '#src/adapters/mongodb/errors.ts'
import { collectionNames } from '#src/adapters/mongodb/instance.ts'
import { LedgerError } from '#src/domain/errors.ts'
import type { ControlDocument, ControlStore } from '#src/ports/control-store.ts'

/** Names are `_id`s; a replacement is a compare-and-set on the revision, awaited by a majority. */
export class MongoControlStore implements ControlStore {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  async get(name: string): Promise<ControlDocument | undefined> {
    const { timeoutMs: maxTimeMS } = this.#connection.settings
    const found = await this.#connection.run(() => this.#documents.findOne({ _id: name }, { maxTimeMS }))
    return found === null ? undefined : documentOf(found)
  }

  async list(prefix: string): Promise<readonly ControlDocument[]> {
    const { timeoutMs: maxTimeMS } = this.#connection.settings
    // Nothing sorts behind the last character there is.
    const filter = { _id: { $gte: prefix, $lt: `${prefix}\u{10ffff}` } }
    const found = await this.#connection.run(() =>
      this.#documents.find(filter, { sort: { _id: 1 }, maxTimeMS }).toArray(),
    )
    return found.map(documentOf)
  }

  put(name: string, text: string, revision: number): Promise<boolean> {
    return revision === 0 ? this.#create(name, text) : this.#replace(name, text, revision)
  }

  async remove(name: string): Promise<void> {
    await this.#connection.run(() => this.#documents.deleteOne({ _id: name }))
  }

  /** The connection belongs to the stores. */
  async close(): Promise<void> {}

  async #create(name: string, text: string): Promise<boolean> {
    return this.#connection.run(async () => {
      try {
        await this.#documents.insertOne({ _id: name, revision: 1, text, ...sumOf(text, 1) })
        return true
      } catch (error) {
        if (!duplicatesIn(error)) throw error
        return false
      }
    })
  }

  async #replace(name: string, text: string, revision: number): Promise<boolean> {
    const change = { $set: { revision: revision + 1, text, ...sumOf(text, revision + 1) } }
    const result = await this.#connection.run(() => this.#documents.updateOne({ _id: name, revision }, change))
    return result.matchedCount === 1
  }

  get #documents() {
    return this.#connection.collection(collectionNames.control, checkpointConcern)
  }
}

/** Beside the revision that it is of: an earlier release, at work at the same time, writes the text anew and leaves the checksum. */
function sumOf(text: string, summed: number) {
  return { sum: crc32(text), summed }
}

function documentOf({ _id, revision, text, sum, summed }: Stored): ControlDocument {
  if (Number(summed) === Number(revision) && Number(sum) !== crc32(String(text)))
    throw new LedgerError(
      'store_damaged',
      `The document ${_id} is not the one that was written; restore the database`,
      {
        document: _id,
      },
    )
  return { name: _id, revision: Number(revision), text: String(text) }
}
