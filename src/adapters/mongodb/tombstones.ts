import type { AnyBulkWriteOperation } from 'mongodb'
import type { Connection, Stored } from '#src/adapters/mongodb/connection.ts'
import { collectionNames, rowsName } from '#src/adapters/mongodb/instance.ts'
import { encodePart, rangeBelow } from '#src/adapters/mongodb/key-text.ts'
import { insert } from '#src/adapters/mongodb/row-writes.ts'
import { deletedField, versionField } from '#src/adapters/mongodb/shape.ts'

/**
 * What is left of a deleted row keeps an owner that was shut out from writing it again. Nobody is held up for so long and
 * then goes on with the same connection, so that afterwards it can go.
 */
const keptMs = 24 * 3_600_000
/** Rows per list, and lists read at once. */
const rowsPerList = 1_000
const listsAtOnce = 20

export interface Tombstones {
  readonly scope: string
  readonly collection: string
  readonly version: bigint
  /** Filters that find the documents. */
  readonly filters: readonly object[]
}

/** Writes down which rows were deleted, so that they are found again without an index over all rows. */
export async function recordTombstones(
  connection: Connection,
  { scope, collection, version, filters }: Tombstones,
): Promise<void> {
  for (let start = 0; start < filters.length; start += rowsPerList) {
    const _id = `${scope}/${collection}/${encodePart('int64', version)}/${encodePart('int32', start)}`
    const list = { _id, collection, version, at: new Date(), filters: filters.slice(start, start + rowsPerList) }
    await insert(connection, collectionNames.tombstones, [list])
  }
}

/**
 * Removes what deletions of more than a day ago left. The lists of a collection come in the order of its commits, so that
 * no more of them is read than can go.
 */
export async function removeOldTombstones(
  connection: Connection,
  scope: string,
  collections: Iterable<string>,
): Promise<void> {
  const before = Date.now() - keptMs
  for (const collection of collections) while (await removeOldest(connection, scope, collection, before));
}

/** Returns whether there may be more. */
async function removeOldest(
  connection: Connection,
  scope: string,
  collection: string,
  before: number,
): Promise<boolean> {
  const { lower, upper } = rangeBelow(`${scope}/${collection}`)
  const lists = connection.collection(collectionNames.tombstones)
  const filter = { _id: { $gte: lower, $lt: upper } }
  const oldest = await connection.run(() => lists.find(filter, { sort: { _id: 1 }, limit: listsAtOnce }).toArray())
  for (const list of oldest) {
    if ((list['at'] as Date).getTime() >= before) return false
    await removeRows(connection, scope, list)
    await connection.run(() => lists.deleteOne({ _id: list._id }))
  }
  return oldest.length === listsAtOnce
}

async function removeRows(connection: Connection, scope: string, list: Stored): Promise<void> {
  const rows = connection.collection(rowsName(scope, String(list['collection'])))
  const operations = (list['filters'] as object[]).map((filter): AnyBulkWriteOperation<Stored> => {
    return { deleteOne: { filter: { ...filter, [deletedField]: true, [versionField]: { $lte: list['version'] } } } }
  })
  await connection.run(() => rows.bulkWrite(operations, { ordered: false }))
}

export async function forgetTombstones(connection: Connection, scope: string): Promise<void> {
  const { lower, upper } = rangeBelow(scope)
  const lists = connection.collection(collectionNames.tombstones)
  await connection.run(() => lists.deleteMany({ _id: { $gte: lower, $lt: upper } }))
}
