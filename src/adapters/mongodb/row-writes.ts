import type { AnyBulkWriteOperation } from 'mongodb'
import type { Connection, Stored } from '#src/adapters/mongodb/connection.ts'
import { duplicatesIn } from '#src/adapters/mongodb/errors.ts'
import { type Shape, versionField } from '#src/adapters/mongodb/shape.ts'
import { LedgerError } from '#src/domain/errors.ts'

/** Rows sent at once: replacing takes longer, and one call has to be done within the time that a call may take. */
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
 * is there. Returns how many of those that it tried to insert existed.
 */
export async function writeRows(connection: Connection, writes: RowWrites): Promise<number> {
  const { name, documents, insertFirst } = writes
  const existing: Stored[] = insertFirst ? [] : [...documents]
  if (insertFirst) {
    await inBatches(documents, insertRowsMax, async (batch) => {
      existing.push(...(await insert(connection, name, batch)))
    })
  }
  if (existing.length > 0)
    await inBatches(existing, await connection.replaceRowsMax(), (batch) => replaceOlder(connection, writes, batch))
  return existing.length
}

async function inBatches(
  documents: readonly Stored[],
  size: number,
  work: (batch: readonly Stored[]) => Promise<void>,
): Promise<void> {
  let start = 0
  const next = async (): Promise<void> => {
    while (start < documents.length) {
      const batch = documents.slice(start, start + size)
      start += size
      await work(batch)
    }
  }
  await Promise.all(Array.from({ length: callsAtOnce }, next))
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
