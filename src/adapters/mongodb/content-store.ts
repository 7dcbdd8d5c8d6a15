import { type Connection, checkpointConcern } from '#src/adapters/mongodb/connection.ts'
import { duplicatesIn } from '#src/adapters/mongodb/errors.ts'
import { collectionNames } from '#src/adapters/mongodb/instance.ts'
import { packContent, unpackContent } from '#src/adapters/packed-content.ts'
import { type ContentHash, type ContentStore, contentHashOf } from '#src/ports/content-store.ts'

/** Hashes are `_id`s: what is there already is not written again. */
export class MongoContentStore implements ContentStore {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  async put(texts: readonly string[]): Promise<void> {
    const { Binary } = this.#connection.bson
    for (const text of new Set(texts)) {
      const document = { _id: contentHashOf(text), packed: new Binary(packContent(text)) }
      await this.#connection.run(async () => {
        try {
          await this.#documents.insertOne(document)
        } catch (error) {
          if (!duplicatesIn(error)) throw error
        }
      })
    }
  }

  async get(hashes: readonly ContentHash[]): Promise<ReadonlyMap<ContentHash, string>> {
    const { timeoutMs: maxTimeMS } = this.#connection.settings
    const found = await this.#connection.run(() =>
      this.#documents.find({ _id: { $in: [...hashes] } }, { maxTimeMS }).toArray(),
    )
    return new Map(found.map(({ _id, packed }) => [_id, unpackContent(_id, bytesOf(packed))]))
  }

  /** The connection belongs to the stores. */
  async close(): Promise<void> {}

  get #documents() {
    return this.#connection.collection(collectionNames.contents, checkpointConcern)
  }
}

/** The driver gives bytes as they are or in an object around them, as the collection's options say. */
function bytesOf(packed: unknown): Uint8Array {
  if (packed instanceof Uint8Array) return packed
  return (packed as { readonly buffer: Uint8Array }).buffer
}
