import type { RelationRow } from '#projections/tokens/schema.ts'
import type { TokenRows } from '#projections/tokens/token-rows.ts'

type Relation = Pick<RelationRow, 'token' | 'account'>
type Begun = Pick<RelationRow, 'automatic' | 'freezeStatus' | 'kycStatus'>

/** A relation that only a transfer or a status tells of. */
const implied = { associated: 1, automatic: 0, created: null, freezeStatus: null, kycStatus: null } as const

/** A new relation, which takes over nothing of an earlier one. */
export function beginRelation(rows: TokenRows, { token, account }: Relation, time: bigint, begun: Begun): void {
  rows.put('relations', { token, account, from: time, until: null, associated: 1, created: time, ...begun })
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
  rows.put('relations', { ...known, token, account, from: time, until: null, ...change })
}

/** Whether the account may hold the token. */
export function isAssociated(rows: TokenRows, { token, account }: Relation): boolean {
  const known = rows.get('relations', token, account)
  return known?.associated === 1 && known.until === null
}
