import type { AnyBulkWriteOperation } from 'mongodb'
import type { CallSize } from '#src/adapters/mongodb/call-size.ts'
import type { Connection, Stored } from '#src/adapters/mongodb/connection.ts'
import { duplicatesIn } from '#src/adapters/mongodb/errors.ts'
import { type Shape, versionField } from '#src/adapters/mongodb/shape.ts'
import { LedgerError } from '#src/domain/errors.ts'

/** Most rows sent at once; fewer where the server is slow, since a call has to be done within the time that it may take. */
const insertRowsMax = 1_000
/** Calls under way together. */
const callsAtOnce = 2
/** Rounds until every row of a batch is known to be there; more than two mean that others write the same rows. */
const roundsMax = 10

export interface RowWrites {
  /** Full name of the collection. */
  readonly name: string
  readonly shape: Shape
  /** At most one document per key. */
  readonly documents: readonly Stored[]
  /** Of the commit: of all these documents. */
  readonly version: bigint
  /** Insert first, which is cheaper for rows that do not exist. */
  readonly insertFirst: boolean
}

/**
 * Writes documents where there is none of a higher version. When it resolves each of them, or one of a higher version,
 * is there. Returns how many of those that it tried to insert had to be replaced.
 */
export async function writeRows(connection: Connection, writes: RowWrites): Promise<number> {
  const { name, shape, documents, insertFirst } = writes
  const existing: Stored[] = insertFirst ? [] : [...documents]
  if (insertFirst) {
    const size = connection.callSize(`insert ${name}`)
    await inBatches(documents, { size, rowsMax: insertRowsMax }, async (batch) => {
      const refused = await insert(connection, name, batch)
      existing.push(...(shape.isFacts ? await differing(connection, name, refused) : refused))
    })
  }
  if (existing.length > 0) {
    const limits = { size: connection.callSize(`replace ${name}`), rowsMax: await connection.replaceRowsMax() }
    await inBatches(existing, limits, (batch) => replaceOlder(connection, writes, batch))
  }
  return existing.length
}

async function inBatches(
  documents: readonly Stored[],
  { size, rowsMax }: { readonly size: CallSize; readonly rowsMax: number },
  work: (batch: readonly Stored[]) => Promise<void>,
): Promise<void> {
  let start = 0
  const next = async (): Promise<void> => {
    while (start < documents.length) {
      const batch = documents.slice(start, start + size.rows(rowsMax))
      start += batch.length
      await size.measured(batch.length, () => work(batch))
    }
  }
  await Promise.all(Array.from({ length: callsAtOnce }, next))
}

/**
 * Those that the store does not have as they are. What a commit had added before it failed is there when it is made again; to
 * replace all of it takes many times as long as adding it, and a store that failed of too much work would get ever more of it.
 */
async function differing(
  connection: Connection,
  name: string,
  documents: readonly Stored[],
): Promise<readonly Stored[]> {
  if (documents.length === 0) return documents
  const ids = documents.map(({ _id }) => _id)
  // Majority: what only the primary has yet could be lost below the checkpoint.
  const options = { batchSize: ids.length, readConcern: 'majority' } as const
  const found = await connection.run(() =>
    connection
      .collection(name)
      .find({ _id: { $in: ids } }, options)
      .toArray(),
  )
  const bytesOf = (document: Stored): Buffer =>
    Buffer.from(connection.bson.serialize({ ...document, [versionField]: null }))
  const there = new Map(found.map((document) => [document._id, bytesOf(document)]))
  return documents.filter((document) => !there.get(document._id)?.equals(bytesOf(document)))
}

/** Returns those whose key exists. */
export async function insert(connection: Connection, name: string, documents: readonly Stored[]): Promise<Stored[]> {
  return connection.run(async () => {
    try {
      await connection.collection(name).insertMany(documents as Stored[], { ordered: false })
      return []
    } catch (error) {
      const places = duplicatesIn(error)
      if (!places) throw error
      return places.map((place) => documents[place]!)
    }
  })
}

/**
 * A guarded upsert of a row that exists in a higher version tries to insert it and fails of its key; so it does when two
 * insert it at the same time, and then it has to be tried again. Which of the two it was is read back. Some servers stop
 * at the first such failure, so nothing is taken for written in a batch that had one.
 */
async function replaceOlder(connection: Connection, writes: RowWrites, documents: readonly Stored[]): Promise<void> {
  const { name } = writes
  let open = documents
  for (let round = 0; open.length > 0; round++) {
    if (round === roundsMax)
      throw new LedgerError('store_unavailable', `Rows of ${name} keep being written by somebody else`, { name })
    if (await upsert(connection, writes, open)) return
    open = await notNewer(connection, writes, open)
  }
}

/** Returns false when at least one of them met an existing key. */
async function upsert(
  connection: Connection,
  { name, shape, version }: RowWrites,
  documents: readonly Stored[],
): Promise<boolean> {
  const operations = documents.map((document): AnyBulkWriteOperation<Stored> => {
    const filter = { ...shape.filterOf(document), [versionField]: { $lte: version } }
    return { replaceOne: { filter, replacement: document, upsert: true } }
  })
  return connection.run(async () => {
    try {
      await connection.collection(name).bulkWrite(operations, { ordered: false })
      return true
    } catch (error) {
      if (!duplicatesIn(error)) throw error
      return false
    }
  })
}

async function notNewer(
  connection: Connection,
  { name, version }: RowWrites,
  documents: readonly Stored[],
): Promise<Stored[]> {
  const ids = documents.map(({ _id }) => _id)
  const newer = await connection.run(() =>
    connection
      .collection(name)
      .find({ _id: { $in: ids }, [versionField]: { $gt: version } }, { projection: { _id: 1 } })
      .toArray(),
  )
  const done = new Set(newer.map(({ _id }) => _id))
  return documents.filter(({ _id }) => !done.has(_id))
}
