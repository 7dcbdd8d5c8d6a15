import { expect, it } from 'vitest'
import { eventsOf } from '#test/conformance/decode-statements.ts'
import { stakingStatements } from '#test/conformance/state/staking.ts'

it('stakes of accounts are versions', () => {
  const row = {
    id: '7',
    end_stake_period: '19000',
    pending_reward: '5',
    staked_node_id_start: '-1',
    staked_to_me: '6',
    stake_total_start: '8',
    timestamp_range: { from: '20', to: null },
  }
  const statements = stakingStatements({
    entity_stake: [row],
    entity_stake_history: [{ ...row, timestamp_range: { from: '10', to: '20' }, pending_reward: '1' }],
  })

  expect(eventsOf(statements, 'AccountStakeSnapshotted')).toEqual([
    expect.objectContaining({ asOf: 10n, validTo: 20n, pendingReward: 1n }),
    {
      accountId: 7n,
      asOf: 20n,
      validTo: null,
      endStakePeriod: 19_000n,
      pendingReward: 5n,
      stakedNodeIdStart: -1n,
      stakedToMe: 6n,
      stakeTotalStart: 8n,
    },
  ])
})

it('stakes of nodes are one statement for each update', () => {
  const row = { epoch_day: '1', max_stake: '-1', min_stake: '2', reward_rate: '3', stake: '4', staking_period: '7' }
  const stakes = { ...row, stake_not_rewarded: '5', stake_rewarded: '6' }
  const statements = stakingStatements({
    node_stake: [
      { ...stakes, node_id: '1', consensus_timestamp: '20' },
      { ...stakes, node_id: '2', consensus_timestamp: '10' },
      { ...stakes, node_id: '0', consensus_timestamp: '20' },
    ],
  })

  const updates = eventsOf(statements, 'NodeStakesSnapshotted')
  expect(updates.map(({ asOf, nodes }) => [asOf, nodes.map(({ nodeId }) => nodeId)])).toEqual([
    [20n, [1n, 0n]],
    [10n, [2n]],
  ])
  expect(updates[1]?.nodes).toEqual([
    {
      nodeId: 2n,
      epochDay: 1n,
      stakingPeriod: 7n,
      maxStake: -1n,
      minStake: 2n,
      rewardRate: 3n,
      stake: 4n,
      stakeNotRewarded: 5n,
      stakeRewarded: 6n,
    },
  ])
})

it('figures of the network are stated apart from those of nodes, beyond 53 bits exactly', () => {
  const columns = [
    'epoch_day',
    'max_stake_rewarded',
    'max_staking_reward_rate_per_hbar',
    'max_total_reward',
    'node_reward_fee_denominator',
    'node_reward_fee_numerator',
    'reserved_staking_rewards',
    'reward_balance_threshold',
    'stake_total',
    'staking_period',
    'staking_period_duration',
    'staking_periods_stored',
    'staking_reward_fee_denominator',
    'staking_reward_fee_numerator',
    'staking_reward_rate',
    'staking_start_threshold',
    'unreserved_staking_reward_balance',
  ]
  const row = Object.fromEntries(
    columns.map((column, index) => [column, String(9_000_000_000_000_000_000n + BigInt(index))]),
  )

  const [stake] = eventsOf(
    stakingStatements({ network_stake: [{ ...row, consensus_timestamp: '3' }] }),
    'NetworkStakeSnapshotted',
  )

  const camelCase = (column: string) => column.replace(/_(.)/g, (_match, letter: string) => letter.toUpperCase())
  const expected = columns.map((column, index) => [camelCase(column), 9_000_000_000_000_000_000n + BigInt(index)])
  expect(stake).toEqual({ asOf: 3n, ...Object.fromEntries(expected) })
})
