import type { RelationRow } from '#projections/tokens/schema.ts'
import type { TokenRows } from '#projections/tokens/token-rows.ts'

type Relation = Pick<RelationRow, 'token' | 'account'>
type Begun = Pick<RelationRow, 'automatic' | 'freezeStatus' | 'kycStatus'>

/** A relation that only a transfer or a status tells of. */
const implied = { associated: 1, automatic: 0, created: null, freezeStatus: null, kycStatus: null } as const

/** Puts the newest version. The one before ends where it begins, and leaves no trace where both begin at the same time. */
export function replaceRelation(rows: TokenRows, relation: RelationRow): void {
  const { token, account, from } = relation
  const before = rows.get('relations', token, account)
  if (before && before.from < from) rows.put('relationVersions', { ...before, until: before.until ?? from })
  rows.put('relations', relation)
}

/** A new relation, which takes over nothing of an earlier one. */
export function beginRelation(rows: TokenRows, { token, account }: Relation, time: bigint, begun: Begun): void {
  replaceRelation(rows, { token, account, from: time, until: null, associated: 1, created: time, ...begun })
}

/** Opens the version that a change makes; of a relation that nobody knows it is the first. */
export function changeRelation(
  rows: TokenRows,
  { token, account }: Relation,
  time: bigint,
  change: Partial<Pick<RelationRow, 'associated' | 'freezeStatus' | 'kycStatus'>>,
): void {
  const before = rows.get('relations', token, account)
  if (before && before.from > time) return
  const known = before?.until === null ? before : implied
  replaceRelation(rows, { ...known, token, account, from: time, until: null, ...change })
}

/** Whether the account may hold the token. */
export function isAssociated(rows: TokenRows, { token, account }: Relation): boolean {
  const known = rows.get('relations', token, account)
  return known?.associated === 1 && known.until === null
}
