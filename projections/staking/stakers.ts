import { balanceIn, blockOf, isStakerIn, withBalance, withStaker } from '#projections/staking/packing/account-blocks.ts'
import { isSameStake, packRuns, type Run, runOf, tailRunsMax, unpackRuns } from '#projections/staking/packing/runs.ts'
import { newestKey, type stakingSchema } from '#projections/staking/schema.ts'
import type { RowOf } from '#src/ports/read-store.ts'
import type { FoldedRows } from '#src/runtime/fold/projection.ts'

export type StakingRows = FoldedRows<typeof stakingSchema>
export type StakerRow = RowOf<typeof stakingSchema, 'stakers'>

const nothing = new Uint8Array(0)

export function balanceOf(rows: StakingRows, account: bigint): bigint {
  return balanceIn(rows.get('accountBlocks', blockOf(account)), account)
}

/** Adds to a balance. What was at stake until now is noted first. */
export function moveStake(rows: StakingRows, account: bigint, amount: bigint, from: bigint): void {
  const block = rows.get('accountBlocks', blockOf(account))
  const staker = isStakerIn(block, account) ? settled(rows, account) : undefined
  rows.put('accountBlocks', withBalance(block, account, balanceIn(block, account) + amount))
  if (staker === undefined) return
  rows.put('stakers', { ...staker, from })
  if (staker.stakedAccount !== 0n) addToTarget(rows, staker.stakedAccount, amount, from)
}

function addToTarget(rows: StakingRows, account: bigint, amount: bigint, from: bigint): void {
  const target = settled(rows, account)
  rows.put('stakers', { ...target, stakedToMe: target.stakedToMe + amount, from })
  markStaker(rows, account)
}

function markStaker(rows: StakingRows, account: bigint): void {
  const block = rows.get('accountBlocks', blockOf(account))
  if (!isStakerIn(block, account)) rows.put('accountBlocks', withStaker(block, account))
}

const newStaker = {
  node: -1n,
  stakedAccount: 0n,
  declines: 0,
  periodStart: -1n,
  since: 0n,
  stakedToMe: 0n,
  seen: 0,
  stated: 0,
  chunks: 0,
  tail: nothing,
  from: 0n,
}

export function newestUpdate(rows: StakingRows): number {
  return rows.get('newest', newestKey)?.update ?? 0
}

/** The staker with its stake noted for every update so far: nothing had changed since it was touched last. */
export function settled(rows: StakingRows, account: bigint): StakerRow {
  const update = newestUpdate(rows)
  const row = rows.get('stakers', account)
  if (row === undefined) return { account, ...newStaker, seen: update }
  if (row.seen === update) return row
  return { ...withRun(rows, row, runOf(row.seen + 1, row, balanceOf(rows, account))), seen: update }
}

export function withRun(rows: StakingRows, row: StakerRow, run: Run): StakerRow {
  const runs = unpackRuns(row.tail)
  if (isSameStake(runs.at(-1), run)) return row
  const [first] = runs
  if (first === undefined || runs.length < tailRunsMax) return { ...row, tail: packRuns([...runs, run]) }
  rows.put('runs', { account: row.account, first: first.from, packed: row.tail })
  return { ...row, chunks: row.chunks + 1, tail: packRuns([run]) }
}

export type Choice = Pick<StakerRow, 'node' | 'stakedAccount' | 'declines' | 'periodStart'>

export function choiceOf({ node, stakedAccount, declines, periodStart }: Choice): Choice {
  return { node, stakedAccount, declines, periodStart }
}

/** The account stakes otherwise from a time on. */
export function choose(rows: StakingRows, account: bigint, choice: Choice, time: bigint, from: bigint): void {
  const before = settled(rows, account)
  const balance = balanceOf(rows, account)
  rows.put('choices', { account, since: time, ...choice })
  rows.put('stakers', { ...before, ...choice, since: time, from })
  markStaker(rows, account)
  if (before.stakedAccount === choice.stakedAccount || balance === 0n) return
  if (before.stakedAccount !== 0n) addToTarget(rows, before.stakedAccount, -balance, from)
  if (choice.stakedAccount !== 0n) addToTarget(rows, choice.stakedAccount, balance, from)
}
