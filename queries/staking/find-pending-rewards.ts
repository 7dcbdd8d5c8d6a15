import { balanceIn, blockOf, isStakerIn } from '#projections/staking/packing/account-blocks.ts'
import { isSameStake, type Run, runOf, unpackRuns } from '#projections/staking/packing/runs.ts'
import type { stakingSchema } from '#projections/staking/schema.ts'
import { type Instant, isCurrent, latestTime } from '#queries/balances/instant.ts'
import type { RowsAt } from '#src/ports/read-store.ts'

export type StakingRows = RowsAt<typeof stakingSchema>

export interface StakingFacts {
  /** tinybar */
  readonly pendingReward: bigint
  /** Days since 1970-01-01; null where the account stakes to no node, or when unknown. */
  readonly stakePeriodStart: bigint | null
}

/** Periods for which a reward can be collected. */
const periodsMax = 365n

interface Update {
  readonly update: number
  readonly epochDay: bigint
}

const stakerFields = [
  'node',
  'stakedAccount',
  'declines',
  'periodStart',
  'since',
  'stakedToMe',
  'seen',
  'stated',
  'chunks',
  'tail',
  'from',
] as const

/** What each of the accounts has earned and was not paid yet, at an instant. */
export async function findPendingRewards(
  rows: StakingRows,
  { accounts, at }: { readonly accounts: readonly bigint[]; readonly at: Instant },
): Promise<StakingFacts[]> {
  // Balances first: a staker that is newer than its balance has noted what was at stake.
  const blocks = await findBlocks(rows, accounts)
  const chosen = accounts.filter((account) => isStakerIn(blocks.get(blockOf(account)), account))
  if (chosen.length === 0) return accounts.map(() => nothing)
  const keys = chosen.map((account) => [account] as const)
  const [stakers, newest] = await Promise.all([
    rows.get('stakers', keys, stakerFields),
    findUpdate(rows, latestTime(at)),
  ])
  const facts = new Map<bigint, StakingFacts>()
  const all = chosen.map(async (account, index) => {
    const staker = stakers[index]
    if (staker === undefined) return
    const choice = await findChoice(rows, account, staker, at)
    if (choice === undefined || choice.node < 0n) return
    const stakePeriodStart = choice.periodStart < 0n ? null : choice.periodStart
    const balance = balanceIn(blocks.get(blockOf(account)), account)
    const pendingReward =
      choice.declines === 1 ? 0n : await pendingOf(rows, { ...staker, account }, balance, choice, newest, at)
    facts.set(account, { pendingReward, stakePeriodStart })
  })
  await Promise.all(all)
  return accounts.map((account) => facts.get(account) ?? nothing)
}

/** Balances of the accounts, and who of them has ever staked: most have not. By block, since a page has several of one. */
async function findBlocks(rows: StakingRows, accounts: readonly bigint[]) {
  const blocks = [...new Set(accounts.map(blockOf))]
  const fields = ['stakers', 'balance0', 'balance1', 'balance2', 'balance3'] as const
  const found = await rows.get(
    'accountBlocks',
    blocks.map((block) => [block]),
    fields,
  )
  return new Map(blocks.map((block, index) => [block, found[index]]))
}

const nothing: StakingFacts = { pendingReward: 0n, stakePeriodStart: null }

/** The newest update at or before a time. */
async function findUpdate(rows: StakingRows, time: bigint): Promise<Update | undefined> {
  const [found] = await rows.at(time).find({
    collection: 'updates',
    index: ['time'],
    descending: true,
    limit: 1,
    select: ['update', 'epochDay'],
  })
  return found
}

interface Staker {
  readonly account: bigint
  readonly node: bigint
  readonly stakedToMe: bigint
  readonly seen: number
  readonly stated: number
  readonly chunks: number
  readonly tail: Uint8Array
}

/**
 * Each period since the last one that was paid, and at most so many, earns the node's rate for each hbar that was at stake when
 * the period began, that is at the update before.
 */
async function pendingOf(
  rows: StakingRows,
  staker: Staker,
  balance: bigint,
  { periodStart }: Choice,
  newest: Update | undefined,
  at: Instant,
): Promise<bigint> {
  const stated = staker.stated === 0 ? undefined : await findStakeSnapshot(rows, staker.account, latestTime(at))
  const counts = stated !== undefined && periodStart < stated.endPeriod
  if (newest === undefined || periodStart >= newest.epochDay) return counts ? stated.pendingReward : 0n
  const oldest = newest.epochDay - periodsMax
  // What was stated does not tell its days: it is forfeited with the last of them.
  const base = counts && stated.endPeriod > oldest ? stated.pendingReward : 0n
  const paid = await findPaidUpdate(rows, periodStart > oldest ? periodStart : oldest)
  const begin = Math.max(paid, stated?.update ?? 0)
  const runs = await findRuns(rows, staker, begin, balance)
  const earned = await Promise.all(
    runs.map(({ from, node, hbars }, index) => {
      const end = Math.min(runs[index + 1]?.from ?? newest.update, newest.update)
      return earnedBy(rows, { node, hbars, after: Math.max(from, begin), end })
    }),
  )
  return earned.reduce((sum, amount) => sum + amount, base)
}

async function findStakeSnapshot(rows: StakingRows, account: bigint, time: bigint) {
  const [found] = await rows.at(time).find({
    collection: 'statedStakes',
    index: ['account', 'asOf'],
    prefix: [account],
    descending: true,
    limit: 1,
    select: ['validTo', 'endPeriod', 'pendingReward', 'update'],
  })
  return found !== undefined && (found.validTo === null || found.validTo > time) ? found : undefined
}

/** The last update whose period is paid: 0 where all of them count. */
async function findPaidUpdate(rows: StakingRows, epochDay: bigint): Promise<number> {
  const [found] = await rows.find({
    collection: 'updates',
    index: ['epochDay'],
    upper: { value: epochDay, inclusive: true },
    descending: true,
    limit: 1,
    select: ['update'],
  })
  return found?.update ?? 0
}

/** The runs that hold from an update on, and the one that nobody noted yet, since nothing changed. */
async function findRuns(rows: StakingRows, staker: Staker, begin: number, balance: bigint): Promise<Run[]> {
  const runs = unpackRuns(staker.tail)
  const first = runs[0]?.from
  if (staker.chunks > 0 && first !== undefined && first > begin)
    runs.unshift(...(await findOldRuns(rows, staker.account, begin)))
  const open = runOf(staker.seen + 1, staker, balance)
  return isSameStake(runs.at(-1), open) ? runs : [...runs, open]
}

async function findOldRuns(rows: StakingRows, account: bigint, begin: number): Promise<Run[]> {
  const chunks = await rows.find({
    collection: 'runs',
    index: ['account', 'first'],
    prefix: [account],
    descending: true,
    limit: Number(periodsMax),
    select: ['first', 'packed'],
  })
  const last = chunks.findIndex(({ first }) => first <= begin)
  const needed = last === -1 ? chunks : chunks.slice(0, last + 1)
  return needed.reverse().flatMap(({ packed }) => unpackRuns(packed))
}

interface Earning {
  readonly node: bigint
  readonly hbars: bigint
  readonly after: number
  readonly end: number
}

async function earnedBy(rows: StakingRows, { node, hbars, after, end }: Earning): Promise<bigint> {
  if (node < 0n || hbars === 0n || end <= after) return 0n
  const [before, now] = await rows.get(
    'earnings',
    [
      [node, after],
      [node, end],
    ],
    ['total'],
  )
  return ((now?.total ?? 0n) - (before?.total ?? 0n)) * hbars
}

interface Choice {
  readonly node: bigint
  readonly stakedAccount: bigint
  readonly declines: number
  readonly periodStart: bigint
}

/** Whom an account stakes to at an instant; undefined before its first choice. */
async function findChoice(
  rows: RowsAt<typeof stakingSchema>,
  account: bigint,
  staker: Choice & { readonly from: bigint; readonly since: bigint },
  at: Instant,
): Promise<Choice | undefined> {
  if (isCurrent(staker, at)) return staker
  const [found] = await rows.at(latestTime(at)).find({
    collection: 'choices',
    index: ['account', 'since'],
    prefix: [account],
    descending: true,
    limit: 1,
    select: ['node', 'stakedAccount', 'declines', 'periodStart'],
  })
  return found
}
