import { crc32 } from 'node:zlib'
import { type Connection, checkpointConcern } from '#src/adapters/mongodb/connection.ts'
import { collectionNames, type PendingCommit } from '#src/adapters/mongodb/instance.ts'
import { rangeBelow } from '#src/adapters/mongodb/key-text.ts'
import type { WriteSet } from '#src/adapters/mongodb/write-set.ts'
import { LedgerError } from '#src/domain/errors.ts'

/**
 * After-images of a commit, written before it is decided. A chunk is one document with as many images as fit, packed, so
 * that its size is known exactly and no server has to look inside.
 */
interface Image {
  /** Which part of the write set, and the document. */
  readonly in: string
  readonly as: object
}

/** Writes the journal of a commit, over what is there of it, and returns how many chunks it has. */
export async function writeJournal(
  connection: Connection,
  journal: string,
  epoch: bigint,
  writes: WriteSet,
): Promise<number> {
  let chunks = 0
  for (const images of chunksOf(connection, writes)) {
    const _id = chunkId(journal, chunks)
    const data = connection.bson.serialize({ images })
    const chunk = { _id, epoch, data, sum: crc32(data) }
    await connection.run(() => chunksIn(connection).replaceOne({ _id }, chunk, { upsert: true }))
    chunks += 1
  }
  return chunks
}

/** Reads a journal back into the write set; rejects with `store_damaged` when a chunk is missing. */
export async function readJournal(
  connection: Connection,
  { journal, chunks }: PendingCommit,
  into: WriteSet,
): Promise<void> {
  for (let index = 0; index < chunks; index++) {
    const _id = chunkId(journal, index)
    const chunk = await connection.run(() => chunksIn(connection).findOne({ _id }))
    if (chunk === null) {
      throw new LedgerError(
        'store_damaged',
        `Chunk ${index + 1} of ${chunks} of the interrupted commit ${journal} is missing; restore the database, or remove the read model so that it is built again`,
        { journal, chunks, missing: index },
      )
    }
    if (typeof chunk['sum'] === 'number' && chunk['sum'] !== crc32(chunk['data'] as Uint8Array)) {
      throw new LedgerError(
        'store_damaged',
        `Chunk ${index + 1} of ${chunks} of the interrupted commit ${journal} is not the one that was written; restore the database, or remove the read model so that it is built again`,
        { journal, chunks, damaged: index },
      )
    }
    const { images } = connection.bson.deserialize(chunk['data'] as Uint8Array, {
      useBigInt64: true,
      promoteBuffers: true,
    })
    for (const image of images as Image[]) into.restore(image.in, image.as)
  }
}

/** Removes the chunks of a commit that is done. */
export async function removeJournal(connection: Connection, { journal, chunks }: PendingCommit): Promise<void> {
  const ids = Array.from({ length: chunks }, (_, index) => chunkId(journal, index))
  await connection.run(() => chunksIn(connection).deleteMany({ _id: { $in: ids } }))
}

/** Removes what owners before this epoch wrote for commits that were never decided. Later owners' chunks stay. */
export async function removeUndecided(connection: Connection, scope: string, epoch: bigint): Promise<void> {
  const { lower, upper } = rangeBelow(scope)
  const filter = { _id: { $gte: lower, $lt: upper }, epoch: { $lt: epoch } }
  await connection.run(() => chunksIn(connection).deleteMany(filter))
}

function* chunksOf({ bson, settings }: Connection, writes: WriteSet): Generator<Image[]> {
  let images: Image[] = []
  let bytes = 0
  for (const image of writes.images()) {
    const size = bson.calculateObjectSize(image) + 16
    if (images.length > 0 && bytes + size > settings.journalChunkBytesMax) {
      yield images
      images = []
      bytes = 0
    }
    images.push(image)
    bytes += size
  }
  if (images.length > 0) yield images
}

function chunkId(journal: string, index: number): string {
  return `${journal}/${String(index).padStart(6, '0')}`
}

function chunksIn(connection: Connection) {
  return connection.collection(collectionNames.journal, checkpointConcern)
}
