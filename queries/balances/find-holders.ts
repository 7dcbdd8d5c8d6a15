import { balancesSchema, greatestAccount } from '#projections/balances/schema.ts'
import { entitiesSchema } from '#projections/entities/schema.ts'
import { findCount } from '#queries/balances/find-count.ts'
import type { Instant } from '#queries/balances/instant.ts'
import type { Holders } from '#queries/balances/params.ts'
import { max, min } from '#queries/common/bigints.ts'
import { findHolder } from '#queries/common/find-entity.ts'
import type { Order } from '#queries/common/parameters.ts'
import type { QueryContext } from '#queries/common/route.ts'

export const balanceReads = { balances: balancesSchema, entities: entitiesSchema }
export type BalanceContext = QueryContext<typeof balanceReads>

/** Accounts looked at in one step, after a first one of a page. */
const stepRows = 200

export interface HoldersQuery {
  readonly holders: Holders
  /** Hex digits; undefined: any. */
  readonly publicKey: string | undefined
  readonly order: Order
  readonly at: Instant
  /** Of the page. */
  readonly limit: number
}

/** Ids of accounts that may be listed, in order, a step at a time. Whether they have a balance is looked at afterwards. */
export async function* findHolders(context: BalanceContext, query: HoldersQuery): AsyncGenerator<bigint[]> {
  const { holders, order, limit } = query
  const { lower, upper, excluded } = holders.range
  const isWanted = (id: bigint): boolean => id >= lower && id <= upper && !excluded.includes(id)
  const given = await givenIds(context, holders)
  if (given !== undefined) {
    const ids = [...given].filter(isWanted).sort((a, b) => (a < b === (order === 'asc') ? -1 : 1))
    yield query.publicKey === undefined ? ids : await withKey(context, ids, query.publicKey)
    return
  }
  let from = lower
  let to = await greatestAt(context, query)
  for (let rows = limit; from <= to; rows = stepRows) {
    const step = await findStep(context, query, { from, to, rows })
    yield step.filter(isWanted)
    const last = step.at(-1)
    if (last === undefined || step.length < rows) return
    if (order === 'asc') from = max(from, last + 1n)
    else to = min(to, last - 1n)
    await context.pause()
  }
}

/** The greatest id that may be listed: of the past, those of accounts that came later are not even read. */
async function greatestAt({ rows }: BalanceContext, { at, holders }: HoldersQuery): Promise<bigint> {
  const { upper } = holders.range
  const greatest = at.time === undefined ? undefined : await findCount(rows.balances, greatestAccount, at)
  return greatest === undefined ? upper : min(greatest, upper)
}

/** Accounts given by `eq`, each once; undefined where none is. */
async function givenIds(
  { rows, checkpoint }: BalanceContext,
  { range, name }: Holders,
): Promise<Set<bigint> | undefined> {
  if (range.equal.length === 0 && name === undefined) return undefined
  const ids = new Set(range.equal)
  if (name === undefined) return ids
  const bytes = name.kind === 'alias' ? name.alias : name.kind === 'address' ? Buffer.from(name.hex, 'hex') : undefined
  const id = name.kind === 'id' ? name.id : bytes && (await findHolder(rows.entities, bytes, checkpoint))
  return id === undefined ? ids : ids.add(id)
}

async function withKey({ rows }: BalanceContext, ids: readonly bigint[], publicKey: string): Promise<bigint[]> {
  const found = await rows.entities.get(
    'entities',
    ids.map((id) => [id]),
    ['publicKey'],
  )
  return ids.filter((_id, index) => found[index]?.publicKey === publicKey)
}

interface Step {
  readonly from: bigint
  readonly to: bigint
  readonly rows: number
}

async function findStep(
  { rows }: BalanceContext,
  { publicKey, order }: HoldersQuery,
  { from, to, rows: limit }: Step,
): Promise<bigint[]> {
  const bounds = { lower: { value: from, inclusive: true }, upper: { value: to, inclusive: true } }
  const common = { ...bounds, descending: order === 'desc', limit }
  if (publicKey === undefined) {
    const found = await rows.balances.find({
      ...common,
      collection: 'balances',
      index: ['account'],
      select: ['account'],
    })
    return found.map(({ account }) => account)
  }
  const found = await rows.entities.find({
    ...common,
    collection: 'entities',
    index: ['publicKey', 'id'],
    prefix: [publicKey],
    select: ['id'],
  })
  return found.map(({ id }) => id)
}
