import { greatestAccount } from '#projections/balances/schema.ts'
import { findCount } from '#queries/balances/find-count.ts'
import type { Instant } from '#queries/balances/instant.ts'
import type { Holders } from '#queries/balances/params.ts'
import type { BalanceContext } from '#queries/balances/reads.ts'
import type { KeyCondition } from '#queries/common/account-parameters.ts'
import { min } from '#queries/common/bigints.ts'
import { findIdsWithKey, withKey } from '#queries/common/find-by-public-key.ts'
import { findHolder } from '#queries/common/find-entity.ts'
import { inSteps, type Step } from '#queries/common/in-steps.ts'
import type { Order } from '#queries/common/parameters.ts'
import { includes, sorted } from '#queries/common/range.ts'

export interface HoldersQuery {
  readonly holders: Holders
  readonly publicKey: KeyCondition | undefined
  readonly order: Order
  readonly at: Instant
  /** Of the page. */
  readonly limit: number
}

/** Ids of accounts that may be listed, in order, a step at a time. Whether they have a balance is looked at afterwards. */
export async function* findHolders(context: BalanceContext, query: HoldersQuery): AsyncGenerator<bigint[]> {
  const { holders, publicKey, order, limit } = query
  const isWanted = (id: bigint): boolean => includes({ ...holders.range, equal: [] }, id)
  const given = await givenIds(context, holders)
  if (given !== undefined) {
    const ids = sorted([...given].filter(isWanted), order)
    yield publicKey === undefined ? ids : await withKey(context.rows.entities, ids, publicKey.matches)
    return
  }
  const range = { lower: holders.range.lower, upper: await greatestAt(context, query), order, limit }
  const find = (step: Step): Promise<bigint[]> => findCandidates(context, publicKey?.equal, step)
  for await (const found of inSteps(range, context.pause, find, (id) => id)) {
    const ids = found.filter(isWanted)
    yield publicKey === undefined ? ids : await withKey(context.rows.entities, ids, publicKey.matches)
  }
}

async function findCandidates({ rows }: BalanceContext, key: string | undefined, step: Step): Promise<bigint[]> {
  if (key !== undefined) return findIdsWithKey(rows.entities, key, step)
  const select = ['account'] as const
  const found = await rows.balances.find({ collection: 'balances', index: ['account'], ...step, select })
  return found.map(({ account }) => account)
}

/** The greatest id that may be listed: those of accounts that came later are not even read. */
async function greatestAt(context: BalanceContext, { at, holders }: HoldersQuery): Promise<bigint> {
  const { rows, checkpoint, checkpoints } = context
  const { upper } = holders.range
  const isNewest = at.time === undefined && checkpoints.balances.position <= checkpoint.position
  const greatest = isNewest ? undefined : await findCount(rows.balances, greatestAccount, at)
  return greatest === undefined ? upper : min(greatest, upper)
}

/** Accounts given by `eq`, each once; undefined where none is. */
async function givenIds({ rows }: BalanceContext, { range, name }: Holders): Promise<Set<bigint> | undefined> {
  if (range.equal.length === 0 && name === undefined) return undefined
  const ids = new Set(range.equal)
  if (name === undefined) return ids
  const bytes = name.kind === 'alias' ? name.alias : name.kind === 'address' ? Buffer.from(name.hex, 'hex') : undefined
  const id = name.kind === 'id' ? name.id : bytes && (await findHolder(rows.entities, bytes))
  return id === undefined ? ids : ids.add(id)
}
