import {
  type RelationRow,
  type ShownTokenRow,
  type TokenRow,
  tokenRowFields,
  tokensSchema,
} from '#projections/tokens/schema.ts'
import { newestAt } from '#queries/common/newest-at.ts'
import { type VersionFields, versionsOf } from '#queries/common/versions-of.ts'
import type { TokenContext } from '#queries/tokens/reads.ts'

type Context = Pick<TokenContext, 'rows' | 'checkpoint'>

const tokens = versionsOf(tokensSchema, 'tokens')
const relations = versionsOf(tokensSchema, 'relations')

/** The tokens as they are at the request's bound, in the order asked; undefined where there is none. */
export function findCurrentTokens<F extends keyof ShownTokenRow>(
  { rows, checkpoint }: Context,
  ids: readonly bigint[],
  fields: VersionFields<F>,
): Promise<(Pick<ShownTokenRow, F> | undefined)[]> {
  const keys = ids.map((id) => [id] as const)
  return tokens.get(rows.tokens, keys, checkpoint.time, fields)
}

/** The same of rows that were read already, as the newest that there are. */
export function tokensAtBound<F extends keyof ShownTokenRow>(
  { rows, checkpoint }: Context,
  newest: readonly (Pick<ShownTokenRow, F> | undefined)[],
  fields: VersionFields<F>,
): Promise<(Pick<ShownTokenRow, F> | undefined)[]> {
  return tokens.atInstant(rows.tokens, newest, checkpoint.time, fields)
}

/** The newest version that had begun at a time, as it was known at the request's bound. */
export function findTokenAt({ rows }: Context, id: bigint, time: bigint): Promise<TokenRow | undefined> {
  return tokens.begunAt(rows.tokens, [id], time, tokenRowFields)
}

/** How much of the token there was at a time; undefined where nobody knows. */
export async function findSupply({ rows }: Context, token: bigint, time: bigint): Promise<bigint | undefined> {
  const [newest] = await rows.tokens.get('supplies', [[token]], ['since', 'supply'])
  if (newest === undefined || newest.since <= time) return newest?.supply
  const [earlier] = await rows.tokens.find({
    collection: 'supplyChanges',
    index: ['token', 'time'],
    prefix: [token],
    ...newestAt(time),
    select: ['supply'],
  })
  return earlier?.supply
}

/** What answers show of a relation, and what finds its versions. */
const shownFields = ['token', 'from', 'until', 'automatic', 'created', 'freezeStatus', 'kycStatus'] as const

export type ShownRelation = Pick<RelationRow, (typeof shownFields)[number]>

/** The relations of one account to these tokens at the request's bound, in their order; undefined where none is known. */
export async function findRelations(
  { rows, checkpoint: { time } }: Context,
  account: bigint,
  ids: readonly bigint[],
): Promise<(ShownRelation | undefined)[]> {
  const keys = ids.map((id) => [id, account] as const)
  return relations.get(rows.tokens, keys, time, shownFields)
}
