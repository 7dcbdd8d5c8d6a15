import { describe, expect, it } from 'vitest'
import { stakingProjection } from '#projections/staking/projection.ts'
import { stakingSchema } from '#projections/staking/schema.ts'
import { findPendingRewards } from '#queries/staking/find-pending-rewards.ts'
import type { EventOf } from '#schemas/events/types.ts'
import { maxInt64, startOfDay } from '#src/domain/ledger-time.ts'
import type { LogRecord } from '#src/ports/message-log.ts'
import { rowsAt } from '#src/runtime/serve/rows-at.ts'
import { alice, bob, publish, recordOf, transactionRecorded } from '#test/support/events.ts'
import { foldGround } from '#test/support/fold-ground.ts'

type Body<T extends keyof EventOf<'TransactionRecorded'>> = NonNullable<EventOf<'TransactionRecorded'>[T]>

const hbar = 100_000_000n
const noon = startOfDay(1n) / 2n
const on = (day: number, after = noon) => startOfDay(BigInt(day)) + after
const rates = new Map([
  [101, 7n],
  [102, 11n],
  [103, 13n],
])

const recorded = (facts: Parameters<typeof transactionRecorded>[0]) =>
  recordOf('TransactionRecorded', transactionRecorded({ successful: true, ...facts }))

function created(
  account: bigint,
  time: bigint,
  balance: bigint,
  staking: Partial<Body<'cryptoCreateAccount'>>,
): LogRecord {
  const cryptoCreateAccount = { declineReward: false, stakedNodeId: null, stakedAccountId: null, ...staking }
  return recorded({
    type: 11,
    consensusTimestamp: time,
    entityId: account,
    cryptoCreateAccount: cryptoCreateAccount as Body<'cryptoCreateAccount'>,
    transfers: [[account, balance]],
  })
}

/** The update shortly after midnight that ends the period of a day. */
function ended(day: number, rate: bigint, node = 3n): LogRecord {
  const nodeStake = [
    { nodeId: node, rewardRate: rate, maxStake: 0n, minStake: 0n, stake: 0n, stakeNotRewarded: 0n, stakeRewarded: 0n },
  ]
  const nodeStakeUpdate = { nodeStake } as Partial<Body<'nodeStakeUpdate'>> as Body<'nodeStakeUpdate'>
  return recorded({ type: 51, consensusTimestamp: on(day + 1, 1n), nodeStakeUpdate, transfers: [] })
}

const moved = (time: bigint, transfers: [bigint, bigint][], rewarded: bigint[] = []) =>
  recorded({
    consensusTimestamp: time,
    transfers,
    stakingRewards: rewarded.map((accountId) => ({ accountId, amount: 5n })),
  })

const updatesUpTo = (last: number) =>
  Array.from({ length: last - 99 }, (_, index) => ended(100 + index, rates.get(100 + index) ?? 5n))

describe('pending rewards', () => {
  const ground = foldGround()

  async function pendingAfter(
    records: readonly LogRecord[],
    account = alice,
    time?: bigint,
  ): Promise<bigint | undefined> {
    const sorted = [...records].sort((a, b) => (a.time < b.time ? -1 : 1))
    await publish(ground.log, sorted)
    await ground.fold([stakingProjection], { readCountMax: 2 })
    const reader = await ground.store.openReader(stakingSchema)
    const checkpoint = await reader.checkpoint()
    if (checkpoint === undefined) throw new Error('nothing was folded')
    const rows = rowsAt(stakingSchema, reader, maxInt64)
    const [facts] = await findPendingRewards(rows, { accounts: [account], at: { checkpoint, time } })
    return facts?.pendingReward
  }

  const staker = created(alice, on(100), 250n * hbar, { stakedNodeId: 3n })

  it('begin with the period after the one in which the stake began', async () => {
    expect(await pendingAfter([staker, ...updatesUpTo(100)])).toBe(0n)
  })

  it('are the node’s rate for each whole hbar at stake when the period began', async () => {
    expect(await pendingAfter([staker, ...updatesUpTo(101)])).toBe(7n * 250n)
  })

  it('add up over the periods, and can be asked of any instant', async () => {
    expect(await pendingAfter([staker, ...updatesUpTo(103)])).toBe((7n + 11n + 13n) * 250n)
    expect(await pendingAfter([], alice, on(103))).toBe((7n + 11n) * 250n)
    expect(await pendingAfter([], alice, on(99))).toBe(0n)
  })

  it('begin anew once they are paid, with the day that is not over', async () => {
    const paid = moved(on(103), [[alice, 100n * hbar]], [alice])
    expect(await pendingAfter([staker, paid, ...updatesUpTo(103)])).toBe(13n * 250n)
    expect(await pendingAfter([], alice, on(103, noon - 1n))).toBe((7n + 11n) * 250n)
  })

  it('count a balance from the update after it changed', async () => {
    const received = moved(on(102), [[alice, 50n * hbar]])
    expect(await pendingAfter([staker, received, ...updatesUpTo(103)])).toBe((7n + 11n) * 250n + 13n * 300n)
  })

  it('count what others stake to the account', async () => {
    const follower = created(bob, on(101), 40n * hbar, {
      stakedAccountId: { shardNum: 0n, realmNum: 0n, accountNum: alice, alias: null },
    })
    const spent = moved(on(102), [[bob, -10n * hbar]])
    expect(await pendingAfter([staker, follower, spent, ...updatesUpTo(103)])).toBe(7n * 250n + 11n * 290n + 13n * 280n)
    expect(await pendingAfter([], bob)).toBe(0n)
  })

  it('stop while a node is not in the updates', async () => {
    const without = ended(102, 99n, 4n)
    expect(await pendingAfter([staker, ended(100, 5n), ended(101, 7n), without, ended(103, 13n)])).toBe(
      (7n + 13n) * 250n,
    )
  })

  it('are none for who refuses them', async () => {
    const refuser = created(alice, on(100), 250n * hbar, { stakedNodeId: 3n, declineReward: true })
    expect(await pendingAfter([refuser, ...updatesUpTo(103)])).toBe(0n)
  })

  it('cover the last 365 periods and no more, each with the stake of its time', async () => {
    const days = Array.from({ length: 500 }, (_, index) => 100 + index)
    const grown = moved(on(300), [
      [bob, 0n],
      [alice, 100n * hbar],
    ])
    const expected = days
      .filter((day) => day > 599 - 365)
      .reduce((sum, day) => sum + BigInt(day) * (day > 300 ? 350n : 250n), 0n)
    expect(await pendingAfter([staker, grown, ...days.map((day) => ended(day, BigInt(day)))])).toBe(expected)
  })

  it('forfeit nothing for days on which nothing was at stake', async () => {
    const poor = created(alice, on(100), 0n, { stakedNodeId: 3n })
    const credited = moved(on(102), [[alice, 250n * hbar]])
    const until = (last: number) =>
      Array.from({ length: last - 99 }, (_, index) => ended(100 + index, BigInt(100 + index)))
    const sum = (first: number, last: number) =>
      Array.from({ length: last - first + 1 }, (_, index) => BigInt(first + index) * 250n).reduce((a, b) => a + b)
    expect(await pendingAfter([poor, credited, ...until(468)])).toBe(sum(104, 468))
    for (const day of [465, 466, 467]) expect(await pendingAfter([], alice, on(day + 1))).toBe(sum(103, day))
  })

  it('are none once the node has been gone for 365 periods', async () => {
    const others = Array.from({ length: 366 }, (_, index) => ended(104 + index, 9n, 4n))
    expect(await pendingAfter([staker, ...updatesUpTo(103), ...others])).toBe(0n)
    expect(await pendingAfter([], alice, on(104))).toBe((7n + 11n + 13n) * 250n)
    expect(await pendingAfter([], alice, on(468))).toBe(13n * 250n)
    expect(await pendingAfter([], alice, on(469))).toBe(0n)
  })

  it('forget what was stated once all of its periods are past', async () => {
    const stated = recordOf('AccountStakeSnapshotted', {
      accountId: alice,
      asOf: on(103, 1n),
      endStakePeriod: 102n,
      pendingReward: 1_000n,
      stakedNodeIdStart: 3n,
      stakeTotalStart: 300n * hbar,
    })
    const others = Array.from({ length: 370 }, (_, index) => ended(103 + index, 9n, 4n))
    await pendingAfter([staker, ...updatesUpTo(102), { ...stated, time: on(103, 2n) }, ...others])
    expect(await pendingAfter([], alice, on(467))).toBe(1_000n)
    expect(await pendingAfter([], alice, on(468))).toBe(0n)
  })

  it('keep the stake of many different updates', async () => {
    const changes = Array.from({ length: 40 }, (_, index) => moved(on(101 + index), [[alice, hbar]]))
    const days = Array.from({ length: 41 }, (_, index) => 100 + index)
    const expected = days.slice(1).reduce((sum, day) => sum + BigInt(day) * BigInt(250 + day - 101), 0n)
    expect(await pendingAfter([staker, ...changes, ...days.map((day) => ended(day, BigInt(day)))])).toBe(expected)
  })

  it('go on from what was stated', async () => {
    const stated = recordOf('AccountStakeSnapshotted', {
      accountId: alice,
      asOf: on(103, 1n),
      endStakePeriod: 102n,
      pendingReward: 1_000n,
      stakedNodeIdStart: 3n,
      stakeTotalStart: 300n * hbar,
    })
    const records = [staker, ...updatesUpTo(102), { ...stated, time: on(103, 2n) }, ended(103, 13n)]
    expect(await pendingAfter(records)).toBe(1_000n + 13n * 300n)
  })
})
