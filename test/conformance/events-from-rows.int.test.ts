import { describe, expect, it } from 'vitest'
import type { CaseRows } from '#test/conformance/case-file.ts'
import { eventsOf } from '#test/conformance/decode-statements.ts'
import { eventsOfCase } from '#test/conformance/events-from-rows.ts'
import { anyInstant } from '#test/conformance/state/recorded-at.ts'

const caseOf = (rows: CaseRows) => ({ name: 'by/hand', config: null, now: null, rows, requests: [] })
const transaction = { consensus_timestamp: '100', valid_start_ns: '90', payer_account_id: '2', type: 14, result: 22 }
const transfer = { consensus_timestamp: '100', entity_id: '7', amount: '5', payer_account_id: '2' }
const entity = {
  id: '7',
  type: 'ACCOUNT',
  memo: '',
  balance: '50',
  balance_timestamp: '40',
  timestamp_range: { from: '30', to: null },
}

describe('the events of a case', () => {
  const rows = {
    transaction: [transaction],
    crypto_transfer: [transfer, { ...transfer, consensus_timestamp: '120', payer_account_id: '3' }],
    record_file: [{ index: '1', hash: 'ab', consensus_start: '100', consensus_end: '110', count: '1', gas_used: '-1' }],
    entity: [entity],
  }
  const { blocks, made } = eventsOfCase(caseOf(rows))
  const records = blocks.flat()

  it('are facts by blocks, then statements inside a snapshot', () => {
    expect(blocks.map((block) => block.map(({ type }) => type))).toEqual([
      ['SnapshotStarted', 'SnapshotCompleted'],
      ['TransactionRecorded', 'BlockRecorded'],
      ['TransactionRecorded'],
      ['SnapshotStarted', 'EntitySnapshotted', 'AccountBalanceSnapshotted', 'SnapshotCompleted'],
    ])
  })

  it('have times that ascend, up to when the answers were recorded', () => {
    expect(records.map(({ time }) => time)).toEqual([0n, 0n, 100n, 110n, 120n, 120n, 120n, 120n, anyInstant])
    expect(eventsOf(records, 'EntitySnapshotted')).toMatchObject([{ asOf: 30n }])
    expect(eventsOf(records, 'AccountBalanceSnapshotted')).toMatchObject([{ asOf: 40n, balance: 50n }])
  })

  it('count what they state', () => {
    expect(eventsOf(records, 'SnapshotCompleted').map(({ count }) => count)).toEqual([0n, 2n])
  })

  it('have a transaction made for what moved without one', () => {
    expect(made).toBe(1)
    expect(eventsOf(records, 'TransactionRecorded')).toMatchObject([
      { consensusTimestamp: 100n, payerAccountId: 2n, transfers: [{ accountId: 7n, amount: 5n }] },
      {
        consensusTimestamp: 120n,
        payerAccountId: 3n,
        type: 14,
        result: 22,
        transfers: [{ accountId: 7n, amount: 5n }],
      },
    ])
  })
})

it('rewards and fees without a transaction share the one that is made for their time', () => {
  const at = { consensus_timestamp: '5', payer_account_id: '4' }
  const { blocks, made } = eventsOfCase(
    caseOf({
      staking_reward_transfer: [{ ...at, account_id: '7', amount: '3' }],
      assessed_custom_fee: [
        { ...at, amount: '2', collector_account_id: '8', token_id: null, effective_payer_account_ids: ['7'] },
      ],
    }),
  )

  expect(made).toBe(1)
  expect(eventsOf(blocks.flat(), 'TransactionRecorded')).toMatchObject([
    {
      consensusTimestamp: 5n,
      payerAccountId: 4n,
      nonce: 1,
      parentConsensusTimestamp: null,
      transactionHash: null,
      stakingRewards: [{ accountId: 7n, amount: 3n }],
      assessedCustomFees: [{ amount: 2n, collectorAccountId: 8n, effectivePayerAccountIds: [7n] }],
    },
  ])
})

it('a statement about a time after the facts has that time', () => {
  const { blocks } = eventsOfCase(
    caseOf({ transaction: [transaction], entity: [{ ...entity, balance_timestamp: '400' }] }),
  )

  expect(blocks.at(-1)?.map(({ type, time }) => [type, time])).toEqual([
    ['SnapshotStarted', 100n],
    ['EntitySnapshotted', 100n],
    ['AccountBalanceSnapshotted', 400n],
    ['SnapshotCompleted', anyInstant],
  ])
})
