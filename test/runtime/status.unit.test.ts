import { describe, expect, it } from 'vitest'
import type { ProjectionStatus } from '#src/runtime/status.ts'
import { StatusBoard } from '#src/runtime/status.ts'

const projection: ProjectionStatus = {
  name: 'transactions',
  version: 1,
  position: 900,
  head: 1_000,
  lagSeconds: 2.5,
  stalledSeconds: 0,
  parked: 0,
  state: 'following',
}

describe('status line', () => {
  it('says newest block, transactions, the greatest lag and the rate', () => {
    let nowMs = 0
    const board = new StatusBoard(() => nowMs)
    const status = { latestBlock: 41n, consensusEnd: 1_700_000_000_000_000_001n, blocks: 42 }
    board.setImport({ ...status, transactions: 1_000 })
    nowMs = 2_000
    board.setImport({ ...status, transactions: 3_000 })
    board.setProjections([projection, { ...projection, name: 'blocks', position: 999, lagSeconds: 0 }])
    expect(board.line()).toBe('block 41 at 1700000000.000000001  3,000 transactions  lag 100 events, 2.5 s  1,000 tx/s')
    expect(board.fields()).toEqual({
      latestBlock: 41,
      transactions: 3_000,
      lagEvents: 100,
      lagSeconds: 2.5,
      transactionsPerSecond: 1_000,
    })
  })

  it('is a progress bar where the amount is known', () => {
    const board = new StatusBoard(() => 0)
    board.setImport({ latestBlock: 9n, consensusEnd: undefined, blocks: 10, transactions: 20, blocksTotal: 40 })
    expect(board.line()).toBe(
      '[######..................] 25.0%  10 / 40 blocks  20 transactions  lag 0 events, 0.0 s  0 tx/s',
    )
  })

  it('forgets rates of long ago', () => {
    let nowMs = 0
    const board = new StatusBoard(() => nowMs)
    for (const [at, transactions] of [
      [0, 0],
      [1_000, 50_000],
      [20_000, 50_100],
      [25_000, 50_600],
    ] as const) {
      nowMs = at
      board.setImport({ latestBlock: 1n, consensusEnd: undefined, blocks: 1, transactions })
    }
    expect(board.transactionsPerSecond).toBe(100)
  })
})
