import { type RelationRow, type ShownTokenRow, type TokenRow, tokenRowFields } from '#projections/tokens/schema.ts'
import { newestAt } from '#queries/common/newest-at.ts'
import { versionsAt } from '#queries/common/version-at.ts'
import type { TokenContext } from '#queries/tokens/reads.ts'

type Context = Pick<TokenContext, 'rows' | 'checkpoint'>

type TokenField = keyof ShownTokenRow
type Always = 'id' | 'from' | 'until'

/** The tokens as they are at the request's bound, in the order asked; undefined where there is none. */
export async function findCurrentTokens<F extends TokenField = keyof TokenRow>(
  context: Context,
  ids: readonly bigint[],
  fields: readonly (F | Always)[] = tokenRowFields as F[],
): Promise<(Pick<ShownTokenRow, F | Always> | undefined)[]> {
  const keys = ids.map((id) => [id] as const)
  const found: (Pick<ShownTokenRow, F | Always> | undefined)[] = await context.rows.tokens.get('tokens', keys, fields)
  return tokensAtBound(context, found, fields)
}

/** The same of rows that were read already, as the newest that there are. */
export function tokensAtBound<F extends TokenField>(
  context: Context,
  newest: readonly (Pick<ShownTokenRow, F | Always> | undefined)[],
  fields: readonly (F | Always)[],
): Promise<(Pick<ShownTokenRow, F | Always> | undefined)[]> {
  const { time } = context.checkpoint
  return versionsAt(newest, time, ({ id }) => findVersions(context, id, time, fields))
}

/**
 * The newest version that had begun at a time, as it was known at the request's bound. As established clients know it,
 * whoever asks about the past gets it, whether or not it had ended.
 */
export async function findTokenAt(context: Context, id: bigint, time: bigint): Promise<TokenRow | undefined> {
  const [newest] = await context.rows.tokens.get('tokens', [[id]], tokenRowFields)
  if (newest === undefined || newest.from <= time) return newest
  return (await findVersions(context, id, time, tokenRowFields))[0]
}

function findVersions<F extends TokenField>(
  { rows }: Context,
  id: bigint,
  time: bigint,
  fields: readonly F[],
): Promise<Pick<ShownTokenRow, F>[]> {
  return rows.tokens.find({
    collection: 'tokenVersions',
    index: ['id', 'from'],
    prefix: [id],
    ...newestAt(time),
    select: fields,
  })
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
  const found = await rows.tokens.get(
    'relations',
    ids.map((id) => [id, account]),
    shownFields,
  )
  return versionsAt(found, time, ({ token }) =>
    rows.tokens.find({
      collection: 'relationVersions',
      index: ['token', 'account', 'from'],
      prefix: [token, account],
      ...newestAt(time),
      select: shownFields,
    }),
  )
}
