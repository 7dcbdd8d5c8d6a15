import type { Message } from '#src/simulator/codec.ts'
import { accountId, wrapped } from '#src/simulator/ids.ts'
import type { Entity, LedgerChange } from '#src/simulator/ledger-change.ts'
import type { Holder, Staking } from '#src/simulator/ledger-state.ts'
import type { Movement } from '#src/simulator/movement.ts'
import type { World } from '#src/simulator/world.ts'

export const tinybarsPerHbar = 100_000_000
/** A reward for periods longer ago than this is forfeited. */
const periodsPaid = 365

/** Whom a staker stakes to, one of both; -1 and 0 are how one stops. What is not named stays. */
export interface StakingChoice {
  readonly node?: number
  readonly account?: number
  readonly decline?: boolean
}

/** Follows a staker's wish from today on. What was earned under the former choice is owed at once. */
export function chooseStaking(world: World, holder: Holder, { node, account, decline }: StakingChoice): void {
  const former = holder.staking
  const staking: Staking = former ?? { ...undecided }
  if (former) staking.owed += pendingReward(staking)
  if (node !== undefined) Object.assign(staking, { node, account: former ? 0 : null })
  if (account !== undefined) Object.assign(staking, { account, node: former ? -1 : null })
  if (decline !== undefined) staking.decline = decline
  if (former || node !== undefined || account !== undefined) staking.periodStart = world.today
  holder.staking = staking
  world.noteStaker(holder)
}

const undecided: Staking = { node: null, account: null, decline: false, periodStart: null, stake: null, owed: 0 }

/** The choice as fields of a body that creates something, or updates it. */
export function stakingFields({ node, account, decline }: StakingChoice, update: boolean): Message {
  return {
    ...(node === undefined ? {} : { stakedNodeId: node }),
    ...(account === undefined ? {} : { stakedAccountId: accountId(account) }),
    ...(decline === undefined ? {} : { declineReward: update ? wrapped(decline) : decline }),
  }
}

/** What the ledger holds after a choice. */
export function stakingFacts({ staking }: Holder): Partial<Entity> {
  if (!staking) return {}
  return {
    stakedNode: staking.node,
    stakedAccount: staking.account,
    declineReward: staking.decline,
    stakePeriodStart: staking.periodStart,
  }
}

/** A node mostly, sometimes another account. */
export function someChoice(world: World, num: number): StakingChoice {
  const { prng, options, state } = world
  if (prng.chance(0.15)) return { account: world.userOtherThan(num).num }
  const candidate = prng.chance(0.05) ? world.some(state.nodes) : undefined
  return { node: candidate?.id ?? prng.below(options.nodes), ...(prng.chance(0.2) ? { decline: true } : {}) }
}

/** What the next change of the staker's balance or choice brings it. */
export function pendingReward({ node, decline, periodStart, stake }: Staking): number {
  if (!stake || decline || node === null || node < 0) return 0
  return (periodStart ?? -1) >= stake.end ? 0 : stake.pending
}

/** Pays everyone whose balance changes what is due, once a period. Their periods start anew with yesterday. */
export function payRewards(world: World, movements: readonly Movement[]): Movement[] {
  const rewards: Movement[] = []
  for (const [num] of movements) {
    const staking = world.holder(num)?.staking
    if (!staking) continue
    const due = staking.owed + pendingReward(staking)
    if (due <= 0) continue
    staking.owed = 0
    staking.periodStart = Math.max(staking.periodStart ?? -1, world.today - 1)
    rewards.push([num, due])
  }
  return rewards
}

/**
 * The end of a staking period: everyone who stakes to a node earns its rate for each whole hbar that they staked when the
 * period began, and starts the next one with what they and those who stake to them own now.
 */
export function endPeriod(world: World, end: number, rates: readonly number[]): LedgerChange[] {
  const { state } = world
  const stakedTo = stakedToAccounts(world)
  const forfeited = state.rewardRates[String(end - periodsPaid)] ?? []
  const changes: LedgerChange[] = []
  for (const holder of world.stakers) {
    const { staking } = holder
    if (!staking || !earns(staking)) continue
    const pending = pendingAtEnd(staking, end, rates, forfeited)
    const stakedToMe = stakedTo.get(holder.num) ?? 0
    const node = staking.node ?? -1
    staking.stake = { end, node, atStart: holder.balance + stakedToMe, pending }
    if (world.observer) changes.push(stakeChange(holder.num, staking.stake, stakedToMe))
  }
  state.stakePeriodEnd = end
  state.rewardRates[String(end)] = [...rates]
  delete state.rewardRates[String(end - periodsPaid - 1)]
  return changes
}

function stakeChange(num: number, stake: NonNullable<Staking['stake']>, stakedToMe: number): LedgerChange {
  const set = {
    endPeriod: stake.end,
    nodeAtStart: stake.node,
    stakeAtStart: BigInt(stake.atStart),
    stakedToMe: BigInt(stakedToMe),
    pendingReward: BigInt(stake.pending),
  }
  return { table: 'stakes', key: String(num), set }
}

function earns({ node, decline }: Staking): boolean {
  return !decline && node !== null && node >= 0
}

/** Tinybars that others stake to an account, by its number. */
function stakedToAccounts(world: World): Map<number, number> {
  const sums = new Map<number, number>()
  for (const { balance, staking } of world.stakers) {
    if (staking?.account) sums.set(staking.account, (sums.get(staking.account) ?? 0) + balance)
  }
  return sums
}

function pendingAtEnd(
  { stake, periodStart }: Staking,
  end: number,
  rates: readonly number[],
  forfeitedRates: readonly number[],
): number {
  if (!stake || stake.node < 0) return 0
  const rate = rates[stake.node]
  if (rate === undefined) return stake.pending
  const hbars = Math.floor(stake.atStart / tinybarsPerHbar)
  const start = periodStart ?? -1
  if (start > end - 1) return 0
  if (start === end - 1) return rate * hbars
  const forfeited = end - start > periodsPaid ? (forfeitedRates[stake.node] ?? 0) * hbars : 0
  return stake.pending + rate * hbars - forfeited
}

/** Tinybars staked to each node as of now: of those who want rewards, and of those who declined them. */
export function stakeByNode(world: World): { readonly rewarded: number[]; readonly declined: number[] } {
  const rewarded = world.options.stakes.map(() => 0)
  const declined = world.options.stakes.map(() => 0)
  const stakedTo = stakedToAccounts(world)
  for (const { num, balance, staking } of world.stakers) {
    const node = staking?.node ?? -1
    const sums = staking?.decline ? declined : rewarded
    if (node >= 0 && node < sums.length) sums[node] = (sums[node] ?? 0) + balance + (stakedTo.get(num) ?? 0)
  }
  return { rewarded, declined }
}
