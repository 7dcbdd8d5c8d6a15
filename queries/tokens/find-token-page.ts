import type { EntityRow } from '#projections/entities/schema.ts'
import type { ShownTokenRow } from '#projections/tokens/schema.ts'
import { findIdsWithKey } from '#queries/common/find-by-public-key.ts'
import { inSteps, type Step } from '#queries/common/in-steps.ts'
import { valuesOf } from '#queries/common/range.ts'
import type { TokenCriteria } from '#queries/tokens/criteria.ts'
import { findGivenTokens, findHeldTokens, type HeldToken } from '#queries/tokens/find-held-tokens.ts'
import { findNames } from '#queries/tokens/find-names.ts'
import type { HoldingContext } from '#queries/tokens/reads.ts'

/** What a list shows of a token and its entity, and what it is chosen by. */
const tokenFields = ['id', 'type', 'listed'] as const
const tokenFieldsAndName = [...tokenFields, 'name'] as const
const entityFields = ['key'] as const
const entityFieldsAndKey = ['key', 'publicKey'] as const

/** Its name is there only where it is asked for. */
type ReadToken = Pick<ShownTokenRow, (typeof tokenFields)[number]> & Partial<Pick<ShownTokenRow, 'name'>>

export interface ListedToken {
  readonly token: ReadToken
  readonly entity: Pick<EntityRow, 'key'>
}

/** Tokens that may be of a page, in its order. */
interface Candidates {
  readonly ids: readonly bigint[]
  /** Their rows, where they were found by these. */
  readonly tokens?: readonly ReadToken[]
}

/** A page of tokens by id. Established clients see no token that is not an entity. */
export async function findTokenPage(context: HoldingContext, criteria: TokenCriteria): Promise<ListedToken[]> {
  const page: ListedToken[] = []
  for await (const candidates of findCandidates(context, criteria)) {
    for (const token of await findListed(context, candidates, criteria))
      if (page.length < criteria.limit) page.push(token)
    if (page.length === criteria.limit) break
  }
  return page
}

/** Tokens in order, a step at a time, by what leaves the fewest. Whether they meet the other conditions is looked at later. */
async function* findCandidates(context: HoldingContext, criteria: TokenCriteria): AsyncGenerator<Candidates> {
  const { ids, account, names, order, limit } = criteria
  const given = valuesOf(ids, order)
  if (given !== undefined) {
    yield account === undefined ? { ids: given } : idsOf(await findGivenTokens(context, account, given))
  } else if (names.length > 0) for await (const ids of findNames(context, names, order)) yield { ids }
  else if (account !== undefined)
    for await (const held of findHeldTokens(context, account, { ...ids, order }, limit)) yield idsOf(held)
  else yield* findAll(context, criteria)
}

function idsOf(held: readonly HeldToken[]): Candidates {
  return { ids: held.map(({ token }) => token) }
}

async function* findAll(context: HoldingContext, criteria: TokenCriteria): AsyncGenerator<Candidates> {
  const { publicKey, order, limit } = criteria
  const { rows, pause } = context
  const range = { ...criteria.ids, order, limit }
  if (publicKey !== undefined) {
    const find = (step: Step): Promise<bigint[]> => findIdsWithKey(rows.entities, publicKey, step)
    for await (const ids of inSteps(range, pause, find, (id) => id)) yield { ids }
    return
  }
  const find = (step: Step): Promise<ReadToken[]> => findTokens(context, criteria, step)
  for await (const tokens of inSteps(range, pause, find, ({ id }) => id))
    yield { ids: tokens.map(({ id }) => id), tokens }
}

function findTokens({ rows }: HoldingContext, { type }: TokenCriteria, step: Step): Promise<ReadToken[]> {
  const ofTokens = { ...step, collection: 'tokens', select: tokenFields } as const
  return type === undefined
    ? rows.tokens.find({ ...ofTokens, index: ['id'] })
    : rows.tokens.find({ ...ofTokens, index: ['type', 'id'], prefix: [type] })
}

async function findListed(
  context: HoldingContext,
  { ids, tokens: found }: Candidates,
  { ids: { excluded }, names, publicKey, type }: TokenCriteria,
): Promise<ListedToken[]> {
  const fields = names.length > 0 ? tokenFieldsAndName : tokenFields
  const [tokens, entities]: [(ReadToken | undefined)[], (Pick<EntityRow, 'key'> | undefined)[]] = await Promise.all([
    found
      ? [...found]
      : context.rows.tokens.get(
          'tokens',
          ids.map((id) => [id] as const),
          fields,
        ),
    findEntities(context, ids, publicKey),
  ])
  return ids.flatMap((id, index) => {
    const [token, entity] = [tokens[index], entities[index]]
    if (token === undefined || entity === undefined || excluded.includes(id)) return []
    if (type !== undefined && token.type !== type) return []
    return names.every((name) => contains(token.name ?? '', name)) ? [{ token, entity }] : []
  })
}

/** One with another key than the one asked for is as good as none. */
async function findEntities(
  { rows }: HoldingContext,
  ids: readonly bigint[],
  publicKey: string | undefined,
): Promise<(Pick<EntityRow, 'key'> | undefined)[]> {
  const keys = ids.map((id) => [id] as const)
  if (publicKey === undefined) return rows.entities.get('entities', keys, entityFields)
  const found = await rows.entities.get('entities', keys, entityFieldsAndKey)
  return found.map((entity) => (entity?.publicKey === publicKey ? entity : undefined))
}

function contains(name: string, part: string): boolean {
  return name.toLowerCase().includes(part.toLowerCase())
}
