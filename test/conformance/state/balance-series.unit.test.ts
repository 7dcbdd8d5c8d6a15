import { describe, expect, it } from 'vitest'
import { balanceSeries, snapshotsOf } from '#test/conformance/state/balance-series.ts'

const recordedAt = 1_000n
const snapshots = [
  { time: 10n, balance: 1n },
  { time: 20n, balance: 2n },
]
const past = [
  { asOf: 10n, balance: 1n, balanceTimestamp: 10n },
  { asOf: 20n, balance: 2n, balanceTimestamp: 20n },
]

describe('the statements about a balance', () => {
  it('begin with the last change where there are no snapshots', () => {
    const series = balanceSeries({ snapshots: [], present: { balance: 7n, timestamp: 30n }, recordedAt })

    expect(series).toEqual([{ asOf: 30n, balance: 7n, balanceTimestamp: 30n }])
  })

  it('hold always where the last change is unknown', () => {
    const series = balanceSeries({ snapshots: [], present: { balance: null, timestamp: null }, recordedAt })

    expect(series).toEqual([{ asOf: 0n, balance: null, balanceTimestamp: null }])
  })

  it('put a present that is newer than the snapshots behind them', () => {
    const series = balanceSeries({ snapshots, present: { balance: 7n, timestamp: 30n }, recordedAt })

    expect(series).toEqual([...past, { asOf: 30n, balance: 7n, balanceTimestamp: 30n }])
  })

  it.each([
    ['older than the newest snapshot', { balance: 7n, timestamp: 15n }],
    ['as old as the newest snapshot and different', { balance: 7n, timestamp: 20n }],
    ['of unknown age', { balance: 7n, timestamp: null }],
  ])('let a present that is %s hold since the recording only', (_what, present) => {
    const series = balanceSeries({ snapshots, present, recordedAt })

    expect(series).toEqual([...past, { asOf: recordedAt, balance: 7n, balanceTimestamp: present.timestamp }])
  })

  it('say a present that the newest snapshot has already only once', () => {
    expect(balanceSeries({ snapshots, present: { balance: 2n, timestamp: 20n }, recordedAt })).toEqual(past)
  })

  it('end as unknown where only snapshots know the balance', () => {
    const series = balanceSeries({ snapshots, present: undefined, recordedAt })

    expect(series).toEqual([...past, { asOf: recordedAt, balance: null, balanceTimestamp: null }])
  })
})

it('snapshots are in ascending order, one per time', () => {
  const rows = ['20', '9', '20'].map((time, index) => ({ consensus_timestamp: time, balance: String(index) }))

  expect(snapshotsOf(rows)).toEqual([
    { time: 9n, balance: 1n },
    { time: 20n, balance: 2n },
  ])
})
