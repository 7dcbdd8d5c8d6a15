import type { EntityChange } from '#projections/entities/changes/effect.ts'
import { accountText } from '#projections/entities/render.ts'
import { type CurrentEntityRow, type EntitiesSchema, type EntityRow, isAccount } from '#projections/entities/schema.ts'
import type { FoldedRows } from '#src/runtime/fold/projection.ts'

type Rows = FoldedRows<EntitiesSchema>

/** What is known of an entity of which nothing but a change was seen. */
export function unknownEntity(id: bigint, from: bigint): EntityRow {
  return {
    id,
    type: 'UNKNOWN',
    from,
    until: null,
    previous: null,
    createdTimestamp: null,
    deleted: null,
    key: null,
    publicKey: null,
    alias: null,
    evmAddress: null,
    memo: '',
    expirationTimestamp: null,
    autoRenewPeriod: null,
    autoRenewAccountId: null,
    proxyAccountId: null,
    receiverSigRequired: null,
    maxAutomaticTokenAssociations: null,
    stakedAccountId: null,
    stakedNodeId: null,
    declineReward: 0,
    stakePeriodStart: null,
    ethereumNonce: null,
    obtainerId: null,
    permanentRemoval: null,
    delegationAddress: null,
  }
}

/** The newest version, where it has not ended. */
export function entityInForce(rows: Rows, id: bigint): CurrentEntityRow | undefined {
  const row = rows.get('entities', id)
  return row === undefined || row.until === null ? row : undefined
}

/**
 * Opens the version that a change makes at a time; a second change of the same time becomes part of it. A change from
 * before the newest version is covered by the statement that this one comes from.
 */
export function changeEntity(rows: Rows, id: bigint, time: bigint, change: EntityChange): void {
  const newest = rows.get('entities', id)
  if (newest !== undefined && (newest.from > time || (newest.until ?? time) > time)) return
  if (newest === undefined || newest.until !== null) putEntity(rows, { ...unknownEntity(id, time), ...said(change) })
  else if (newest.from === time) putEntity(rows, { ...newest, ...said(change) })
  // The runtime would fill in `previous`: it is here to spare a copy.
  else putEntity(rows, { ...newest, from: time, previous: newest.from, ...said(change) })
}

/** Changes the version in force in place. Returns it as it was; undefined where there is no such entity. */
export function changeInPlace(rows: Rows, id: bigint, change: EntityChange): EntityRow | undefined {
  const row = entityInForce(rows, id)
  if (row) putEntity(rows, { ...row, ...said(change) })
  return row
}

/** An account is written as it is shown: it is listed many times for each change. */
export function putEntity(rows: Rows, row: EntityRow): void {
  rows.put('entities', { ...row, shown: isAccount(row) && row.until === null ? accountText(row) : null })
}

/** What a change says: fields that it leaves as they are may be there without a value. */
function said(change: EntityChange): Partial<EntityRow> {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
}
