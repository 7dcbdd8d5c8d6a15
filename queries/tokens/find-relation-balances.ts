import { PointFlag } from '#projections/balances/packing/series.ts'
import type { balancesSchema } from '#projections/balances/schema.ts'
import { findPoint } from '#queries/balances/find-point.ts'
import { type BalanceRows, type Instant, isCurrent } from '#queries/balances/instant.ts'
import type { KeyOf, RowOf } from '#src/ports/read-store.ts'

const { known, associated } = PointFlag
const listed = known | associated

export interface RelationBalance {
  /** Smallest unit of the token. */
  readonly balance: bigint
  /** ns; when the balance changed last; null when unknown. */
  readonly changed: bigint | null
}

type RelationKey = KeyOf<typeof balancesSchema, 'tokenBalances'>
type PresentRow = Pick<RowOf<typeof balancesSchema, 'tokenBalances'>, (typeof presentFields)[number]>

/** What a row tells of the present by itself. */
export const presentFields = ['token', 'balance', 'changed', 'listed', 'from'] as const

/** How much the accounts hold of the tokens at an instant, in the order asked; undefined where an account may not hold the token. */
export async function findRelationBalances(
  rows: BalanceRows,
  pairs: readonly RelationKey[],
  at: Instant,
): Promise<(RelationBalance | undefined)[]> {
  if (at.time !== undefined) return findPast(rows, pairs, at)
  return balancesOf(rows, pairs, await rows.get('tokenBalances', pairs, presentFields), at)
}

/** The same of rows that were read already. Nearly always they are what they were at the instant, and nothing is waited for. */
export async function balancesOf(
  rows: BalanceRows,
  pairs: readonly RelationKey[],
  found: readonly (PresentRow | undefined)[],
  at: Instant,
): Promise<(RelationBalance | undefined)[]> {
  const position = BigInt(at.checkpoint.position)
  if (found.some((row) => row !== undefined && row.from > position)) return findPast(rows, pairs, at)
  return found.map((row) => (row?.listed === 1 ? row : undefined))
}

async function findPast(
  rows: BalanceRows,
  pairs: readonly RelationKey[],
  at: Instant,
): Promise<(RelationBalance | undefined)[]> {
  const fields = ['account', 'token', 'changed', 'from', 'segment', 'chunks', 'points', 'tail'] as const
  const found = await rows.get('tokenBalances', pairs, fields)
  return Promise.all(
    found.map(async (row) => {
      const point = row && (await findPoint(rows, row, at))
      if (row === undefined || point === undefined || (point.flags & listed) !== listed) return undefined
      const changed = isCurrent({ from: row.from, since: point.time }, at) ? row.changed : point.time
      return { balance: point.amount, changed }
    }),
  )
}
