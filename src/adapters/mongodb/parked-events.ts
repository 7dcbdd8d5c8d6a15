import type { Connection, Stored } from '#src/adapters/mongodb/connection.ts'
import { collectionNames } from '#src/adapters/mongodb/instance.ts'
import { encodePart, rangeBelow } from '#src/adapters/mongodb/key-text.ts'
import { insert } from '#src/adapters/mongodb/row-writes.ts'
import type { Position } from '#src/ports/message-log.ts'
import type { ParkedEvent } from '#src/ports/read-store.ts'

/** Parked events of all instances in one collection; `_id` is `<scope>/<sequence>`. */
export function parkedDocument(scope: string, { sequence, error }: ParkedEvent): Stored {
  return { _id: idOf(scope, sequence), error, resolved: false }
}

/**
 * Adds those that are not there yet. One that was forgotten stays as a mark, so that an owner that was shut out and
 * still writes its rows does not bring it back.
 */
export async function writeParked(connection: Connection, documents: readonly Stored[]): Promise<void> {
  if (documents.length === 0) return
  for (const { _id, error } of await insert(connection, collectionNames.parked, documents))
    await connection.run(() => parkedIn(connection).updateOne({ _id, resolved: false }, { $set: { error } }))
}

export async function resolveParked(
  connection: Connection,
  scope: string,
  sequences: readonly Position[],
): Promise<void> {
  const ids = sequences.map((sequence) => idOf(scope, sequence))
  await connection.run(() =>
    parkedIn(connection).updateMany({ _id: { $in: ids }, resolved: false }, { $set: { resolved: true, error: '' } }),
  )
}

export async function removeParked(connection: Connection, scope: string): Promise<void> {
  const { lower, upper } = rangeBelow(scope)
  await connection.run(() => parkedIn(connection).deleteMany({ _id: { $gte: lower, $lt: upper } }))
}

/** Those after a sequence up to another, inclusive: those of a commit that is not done do not count. */
export function parkedFilter(scope: string, after: Position, upTo: Position): object {
  return { _id: { $gt: idOf(scope, after), $lte: idOf(scope, upTo) }, resolved: false }
}

export function parkedEvent({ _id, error }: Stored): ParkedEvent {
  const unsigned = BigInt(`0x${_id.slice(_id.lastIndexOf('/') + 1)}`)
  return { sequence: Number(unsigned ^ (1n << 63n)), error: String(error) }
}

function idOf(scope: string, sequence: Position): string {
  return `${scope}/${encodePart('int64', BigInt(sequence))}`
}

function parkedIn(connection: Connection) {
  return connection.collection(collectionNames.parked)
}
