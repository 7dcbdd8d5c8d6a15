import { accountText } from '#projections/entities/account-packing.ts'
import type { EntityChange } from '#projections/entities/changes/effect.ts'
import {
  type CurrentEntityRow,
  type EntitiesSchema,
  type EntityRow,
  type EntityVersionRow,
  isAccount,
} from '#projections/entities/schema.ts'
import type { FoldedRows } from '#src/runtime/fold/projection.ts'

type Rows = FoldedRows<EntitiesSchema>

/** What is known of an entity of which nothing but a change was seen. */
export function unknownEntity(id: bigint, from: bigint): EntityRow {
  return {
    id,
    type: 'UNKNOWN',
    from,
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

/**
 * Opens the version that a change makes at a time; a second change of the same time becomes part of it. A change from
 * before the current version is covered by the statement that this one comes from.
 */
export function changeEntity(rows: Rows, id: bigint, time: bigint, change: EntityChange): void {
  const before = rows.get('entities', id)
  if (before === undefined) {
    putCurrent(rows, changed(unknownEntity(id, time), change))
    return
  }
  if (before.from > time) return
  if (before.from === time) {
    putCurrent(rows, changed(before, change))
    return
  }
  rows.put('entityVersions', versionOf(before, time))
  putCurrent(rows, changed({ ...before, from: time, previous: before.from }, change))
}

/** Changes the current version in place. Returns false where there is no such entity. */
export function changeInPlace(rows: Rows, id: bigint, change: EntityChange): boolean {
  const row = rows.get('entities', id)
  if (row) putCurrent(rows, changed(row, change))
  return row !== undefined
}

/** An account is written as it is shown: it is listed many times for each change. */
function putCurrent(rows: Rows, row: EntityRow): void {
  rows.put('entities', { ...row, shown: isAccount(row) ? accountText(row) : null })
}

/** Of what is over, nobody keeps how it is shown: there are more versions than entities, and they are seldom asked for. */
function versionOf(row: EntityRow & Partial<Pick<CurrentEntityRow, 'shown'>>, to: bigint): EntityVersionRow {
  const { shown: _, ...state } = row
  return { ...state, to }
}

function changed(row: EntityRow, change: EntityChange): EntityRow {
  const next: Record<string, unknown> = { ...row }
  for (const [field, value] of Object.entries(change)) if (value !== undefined) next[field] = value
  return next as EntityRow
}

/** What is true of an entity from its `from` to `to`, or until something else is said. */
export interface StatedEntity {
  readonly entity: Omit<EntityRow, 'previous'>
  readonly to: bigint | null
}

/** Puts a statement in the place of everything that was known from its time on. */
export function stateEntity(rows: Rows, { entity, to }: StatedEntity): void {
  const { id, from } = entity
  const before = versionBefore(rows, id, from)
  if (before && (before.to === undefined || before.to > from)) rows.put('entityVersions', versionOf(before, from))
  const stated: EntityRow = { ...entity, previous: before?.from ?? null }
  if (to === null) {
    putCurrent(rows, stated)
    return
  }
  rows.remove('entities', id)
  if (to > from) rows.put('entityVersions', versionOf(stated, to))
}

/** The newest version before a time. Forgets the later ones; the current one stays, for the statement replaces it. */
function versionBefore(rows: Rows, id: bigint, time: bigint): (EntityRow & Partial<EntityVersionRow>) | undefined {
  let row: (EntityRow & Partial<EntityVersionRow>) | undefined = rows.get('entities', id)
  for (let isCurrent = true; row !== undefined && row.from >= time; isCurrent = false) {
    if (!isCurrent) rows.remove('entityVersions', id, row.from)
    row = row.previous === null ? undefined : rows.get('entityVersions', id, row.previous)
  }
  return row
}
