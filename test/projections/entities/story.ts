import type { EntitySnapshotted, TransactionRecorded } from '#schemas/events/types.ts'
import type { LogRecord } from '#src/ports/message-log.ts'
import { recordOf } from '#test/support/events.ts'
import { type Sketch, wholeEvent } from '#test/support/whole-event.ts'

/** A transaction that succeeded, unless the facts say otherwise. */
export function transaction(
  time: bigint,
  type: number,
  entityId: bigint | null,
  facts: Sketch<TransactionRecorded>,
): LogRecord {
  const event = { consensusTimestamp: time, type, result: 22, successful: true, entityId, ...facts }
  return recordOf('TransactionRecorded', wholeEvent('TransactionRecorded', event))
}

export const accountCreated = (
  time: bigint,
  id: bigint,
  body: Sketch<NonNullable<TransactionRecorded['cryptoCreateAccount']>> = {},
  facts: Sketch<TransactionRecorded> = {},
): LogRecord => transaction(time, 11, id, { cryptoCreateAccount: body, ...facts })

export const accountUpdated = (
  time: bigint,
  id: bigint,
  body: Sketch<NonNullable<TransactionRecorded['cryptoUpdateAccount']>>,
  facts: Sketch<TransactionRecorded> = {},
): LogRecord => transaction(time, 15, id, { cryptoUpdateAccount: body, ...facts })

export const stated = (entityId: bigint, asOf: bigint, facts: Sketch<EntitySnapshotted> = {}): LogRecord =>
  recordOf('EntitySnapshotted', wholeEvent('EntitySnapshotted', { entityId, asOf, type: 'ACCOUNT', ...facts }))

/** The last event of a block, which says the version of the ledger's API. */
export const block = (end: bigint, hapiVersionMinor: number): LogRecord =>
  recordOf(
    'BlockRecorded',
    wholeEvent('BlockRecorded', { consensusEnd: end, hapiVersionMajor: 0, hapiVersionMinor, hapiVersionPatch: 0 }),
  )
