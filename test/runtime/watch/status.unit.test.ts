import { describe, expect, it } from 'vitest'
import { exactJson } from '#src/cli/exact-json.ts'
import type { ProjectionStatus } from '#src/runtime/watch/status.ts'
import { formatDuration, formatLag, StatusBoard } from '#src/runtime/watch/status.ts'

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
    expect(board.line()).toBe(
      'block 41 at 1700000000.000000001  3,000 transactions since start  lag 100 events, 2.5 s  1,000 tx/s',
    )
    expect(board.fields()).toEqual({
      latestBlock: 41n,
      transactionsSinceStart: 3_000,
      lagEvents: 100,
      lagSeconds: 2.5,
      transactionsPerSecond: 1_000,
    })
  })

  it("names what is paused, and counts its lag as nobody else's", () => {
    const board = new StatusBoard(() => 0)
    board.setProjections([projection, { ...projection, name: 'blocks', version: 2, position: 1, state: 'paused' }])
    expect(board.line()).toBe('blocks v2  0.1%  1 / 1,000  paused')
    expect(board.fields()).toMatchObject({ lagEvents: 100, paused: 'blocks v2' })
    board.setImport({ latestBlock: 9n, consensusEnd: undefined, blocks: 10, transactions: 20 })
    expect(board.line()).toMatch(/ tx\/s {2}paused: blocks v2$/)
  })

  it('says days where a lag is longer than one', () => {
    expect([formatLag(0.04), formatLag(86_399), formatLag(86_400), formatLag(1.65e9)]).toEqual([
      '0.0 s',
      '86399.0 s',
      '1.0 days',
      '19097.2 days',
    ])
    expect([formatDuration(44.2), formatDuration(86_399), formatDuration(100_000)]).toEqual([
      '45s',
      '23h 59m',
      '1d 03h',
    ])
  })

  it('is a progress bar where the amount is known', () => {
    const board = new StatusBoard(() => 0)
    board.setImport({ latestBlock: 9n, consensusEnd: undefined, blocks: 10, transactions: 20, blocksTotal: 40 })
    expect(board.line()).toBe('[######..................] 25.0%  10 / 40 blocks  20 transactions since start  0 tx/s')
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

  it('of projections alone says how far the one furthest behind is, how fast it goes, and when it is done', () => {
    let nowMs = 0
    const board = new StatusBoard(() => nowMs)
    const blocks = { ...projection, name: 'blocks', position: 1_000 }
    board.setProjections([blocks, { ...projection, position: 0, head: 2_922_000 }])
    nowMs = 4_000
    board.setProjections([blocks, { ...projection, position: 1_204_000, head: 2_922_000 }])
    expect(board.line()).toBe('transactions v1  41.2%  1,204,000 / 2,922,000  301k/s  eta 6s')
    expect(board.fields()).toEqual({ lagEvents: 1_718_000, lagSeconds: 2.5 })
    board.setProjections([{ ...projection, position: 2_922_000, head: 2_922_000 }])
    expect(board.line()).toMatch(/^transactions v1 {2}100\.0% {2}2,922,000 \/ 2,922,000 {2}\d+k\/s$/)
  })

  it('says nothing of a lag where no read model is looked at, since zero would say that all is well', () => {
    const board = new StatusBoard(() => 0)
    board.setImport({ latestBlock: 41n, consensusEnd: 1n, blocks: 1, transactions: 2 })
    expect(Object.keys(JSON.parse(exactJson(board.fields())))).toEqual([
      'latestBlock',
      'transactionsSinceStart',
      'transactionsPerSecond',
    ])
  })

  it('says a problem whole where it fits, and else the reason and where the rest is', () => {
    const board = new StatusBoard(() => 0)
    const problem = 'No file of node 3 is there; copy it into the folder, and the import goes on'
    board.setImport({ latestBlock: 1n, consensusEnd: undefined, blocks: 1, transactions: 1, problem })
    expect(board.line()).toBe(`import waits: ${problem}`)
    expect(board.line(79)).toBe('import waits: No file of node 3 is there; see the log above')
    expect(board.line(40)).toBe('import waits: No fil…; see the log above')
    expect(board.line(40).length).toBeLessThanOrEqual(40)
  })

  it.each(['It is empty; look elsewhere now', 'It is empty. Look elsewhere now'])(
    'takes the reason out of "%s"',
    (problem) => {
      const board = new StatusBoard(() => 0)
      board.setImport({ latestBlock: undefined, consensusEnd: undefined, blocks: 0, transactions: 0, problem })
      expect(board.line(44)).toBe('import waits: It is empty; see the log above')
    },
  )

  it('tells catching up from following the ledger', () => {
    let nowMs = 0
    const board = new StatusBoard(() => nowMs)
    const importTo = (seconds: number, rest: { blocks?: number; blocksTotal?: number } = {}): void =>
      board.setImport({
        latestBlock: 1n,
        consensusEnd: BigInt(seconds) * 1_000_000_000n,
        blocks: 1,
        transactions: 1,
        ...rest,
      })
    importTo(0)
    expect(board.isCatchingUp).toBe(false)
    nowMs = 6_000
    importTo(8)
    expect(board.isCatchingUp).toBe(false)
    importTo(3_600)
    expect(board.isCatchingUp).toBe(true)
    nowMs = 60_000
    importTo(3_610)
    nowMs = 66_000
    importTo(3_616)
    nowMs = 72_000
    importTo(3_622)
    expect(board.isCatchingUp).toBe(false)
    importTo(3_622, { blocks: 3, blocksTotal: 4 })
    expect(board.isCatchingUp).toBe(true)
    importTo(3_622)
    board.setProjections([{ ...projection, state: 'catching_up' }])
    expect(board.isCatchingUp).toBe(true)
    board.setProjections([projection])
    expect(board.isCatchingUp).toBe(false)
  })
})
