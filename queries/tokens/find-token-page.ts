import type { EntityRow } from '#projections/entities/schema.ts'
import type { TokenRow } from '#projections/tokens/schema.ts'
import { findCurrent } from '#queries/accounts/find-version.ts'
import { max, min } from '#queries/common/bigints.ts'
import { sorted } from '#queries/common/selection.ts'
import type { TokenCriteria } from '#queries/tokens/criteria.ts'
import { findGivenTokens, findHeldTokens } from '#queries/tokens/find-held-tokens.ts'
import { findNames } from '#queries/tokens/find-names.ts'
import { findCurrentTokens } from '#queries/tokens/find-tokens.ts'
import type { HoldingContext } from '#queries/tokens/reads.ts'

/** What a list shows of a token and its entity, and what it is chosen by. */
const tokenFields = ['id', 'from', 'until', 'type', 'name', 'symbol', 'decimals', 'metadata'] as const
const entityFields = ['id', 'from', 'key', 'publicKey'] as const

export interface ListedToken {
  readonly token: Pick<TokenRow, (typeof tokenFields)[number]>
  readonly entity: Pick<EntityRow, (typeof entityFields)[number]>
}

/** Rows read at once, after a first step of a page. */
const stepRows = 200

/** A page of tokens by id. Established clients see no token that is not an entity. */
export async function findTokenPage(context: HoldingContext, criteria: TokenCriteria): Promise<ListedToken[]> {
  const page: ListedToken[] = []
  for await (const ids of findCandidates(context, criteria)) {
    for (const token of await findListed(context, ids, criteria)) if (page.length < criteria.limit) page.push(token)
    if (page.length === criteria.limit) break
  }
  return page
}

/** Ids in order, a step at a time, from what leaves the fewest. Whether they meet the other conditions is looked at later. */
async function* findCandidates(context: HoldingContext, criteria: TokenCriteria): AsyncGenerator<readonly bigint[]> {
  const { ids, account, names, order, limit } = criteria
  const { lower, upper, equal } = ids
  if (equal.length > 0) {
    const given = sorted(
      equal.filter((id) => id >= lower && id <= upper),
      order,
    )
    yield account === undefined ? given : (await findGivenTokens(context, account, given)).map(({ token }) => token)
  } else if (names.length > 0) yield* findNames(context, names, order)
  else if (account !== undefined) {
    for await (const held of findHeldTokens(context, account, { lower, upper, order }, limit))
      yield held.map(({ token }) => token)
  } else yield* findAll(context, criteria)
}

async function* findAll(context: HoldingContext, criteria: TokenCriteria): AsyncGenerator<bigint[]> {
  const { ids, order, limit } = criteria
  let { lower, upper } = ids
  for (let rows = limit; lower <= upper; rows = stepRows) {
    const step = await findStep(context, criteria, { lower, upper, rows })
    yield step
    const last = step.at(-1)
    if (last === undefined || step.length < rows) return
    if (order === 'asc') lower = max(lower, last + 1n)
    else upper = min(upper, last - 1n)
    await context.pause()
  }
}

interface Step {
  readonly lower: bigint
  readonly upper: bigint
  readonly rows: number
}

async function findStep(
  { rows }: HoldingContext,
  { publicKey, type, order }: TokenCriteria,
  { lower, upper, rows: limit }: Step,
): Promise<bigint[]> {
  const bounds = { lower: { value: lower, inclusive: true }, upper: { value: upper, inclusive: true } }
  const common = { ...bounds, descending: order === 'desc', limit, select: ['id'] as const }
  const found =
    publicKey !== undefined
      ? rows.entities.find({ ...common, collection: 'entities', index: ['publicKey', 'id'], prefix: [publicKey] })
      : type !== undefined
        ? rows.tokens.find({ ...common, collection: 'tokens', index: ['type', 'id'], prefix: [type] })
        : rows.tokens.find({ ...common, collection: 'tokens', index: ['id'] })
  return (await found).map(({ id }) => id)
}

async function findListed(
  context: HoldingContext,
  ids: readonly bigint[],
  { ids: { excluded }, names, publicKey, type }: TokenCriteria,
): Promise<ListedToken[]> {
  const wanted = ids.filter((id) => !excluded.includes(id))
  const [tokens, entities] = await Promise.all([
    findCurrentTokens(context, wanted, tokenFields),
    findCurrent(context.rows.entities, wanted, context.checkpoint, entityFields),
  ])
  return wanted.flatMap((_id, index) => {
    const [token, entity] = [tokens[index], entities[index]]
    if (token === undefined || entity === undefined) return []
    if (type !== undefined && token.type !== type) return []
    if (publicKey !== undefined && entity.publicKey !== publicKey) return []
    return names.every((name) => contains(token.name, name)) ? [{ token, entity }] : []
  })
}

function contains(name: string, part: string): boolean {
  return name.toLowerCase().includes(part.toLowerCase())
}
