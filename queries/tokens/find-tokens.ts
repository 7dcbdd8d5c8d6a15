import type { RelationRow } from '#projections/tokens/schema.ts'
import type { TokenContext } from '#queries/tokens/reads.ts'

type Context = Pick<TokenContext, 'rows'>

/** How much of the token there was at a time; undefined where nobody knows. */
export async function findSupply({ rows }: Context, token: bigint, time: bigint): Promise<bigint | undefined> {
  const [newest] = await rows.tokens.get('supplies', [[token]], ['since', 'supply'])
  if (newest === undefined || newest.since <= time) return newest?.supply
  const [earlier] = await rows.tokens.at(time).find({
    collection: 'supplyChanges',
    index: ['token', 'time'],
    prefix: [token],
    descending: true,
    limit: 1,
    select: ['supply'],
  })
  return earlier?.supply
}

/** What answers show of a relation. */
const shownFields = ['token', 'automatic', 'created', 'freezeStatus', 'kycStatus'] as const

export type ShownRelation = Pick<RelationRow, (typeof shownFields)[number]>

/** The relations of one account to these tokens at the request's instant, in their order; undefined where none is known. */
export async function findRelations(
  { rows }: Context,
  account: bigint,
  ids: readonly bigint[],
): Promise<(ShownRelation | undefined)[]> {
  const keys = ids.map((id) => [id, account] as const)
  return rows.tokens.get('relations', keys, shownFields)
}
