import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { showStatus } from '#src/cli/show-status.ts'
import { Terminal } from '#src/cli/terminal.ts'
import { silentLogger } from '#src/ports/logger.ts'
import { StatusBoard } from '#src/runtime/watch/status.ts'

const status = { latestBlock: 1n, consensusEnd: undefined, blocks: 1, transactions: 1 }
let end: () => void = () => undefined

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  end()
  vi.useRealTimers()
})

function given(stream: { isTTY: boolean; columns?: number }) {
  const written: string[] = []
  const logged: object[] = []
  const out = { ...stream, write: (text: string) => written.push(text) }
  const board = new StatusBoard(() => performance.now())
  const terminal = new Terminal({ out, err: out, format: 'auto', colours: false })
  end = showStatus(board, terminal, { ...silentLogger, info: (fields: object) => logged.push(fields) })
  return { board, written, logged }
}

it('logs the first status, then one in ten minutes while nothing is to be told', () => {
  const { board, logged } = given({ isTTY: false })
  vi.advanceTimersByTime(60_000)
  expect(logged).toHaveLength(0)
  board.setImport(status)
  vi.advanceTimersByTime(5_000)
  expect(logged).toHaveLength(1)
  vi.advanceTimersByTime(595_000)
  expect(logged).toHaveLength(1)
  vi.advanceTimersByTime(5_000)
  expect(logged).toHaveLength(2)
})

it('logs every five seconds while catching up', () => {
  const { board, logged } = given({ isTTY: false })
  board.setImport({ ...status, blocksTotal: 100 })
  vi.advanceTimersByTime(20_000)
  expect(logged).toHaveLength(4)
})

it('logs when a problem comes and when it goes', () => {
  const { board, logged } = given({ isTTY: false })
  board.setImport(status)
  vi.advanceTimersByTime(20_000)
  board.setImport({ ...status, problem: 'a file is missing' })
  vi.advanceTimersByTime(20_000)
  board.setImport(status)
  vi.advanceTimersByTime(20_000)
  expect(logged.map((fields) => (fields as { problem?: string }).problem)).toEqual([
    undefined,
    'a file is missing',
    undefined,
  ])
})

it('fits a problem into the line of a terminal', () => {
  const { board, written } = given({ isTTY: true, columns: 60 })
  board.setImport({ ...status, problem: 'File x is missing; copy it from another node and the import goes on' })
  vi.advanceTimersByTime(500)
  expect(written).toEqual(['import waits: File x is missing; see the log above'])
})

it('draws at a report where timers are kept waiting, not more often than the line is made to change', () => {
  const { board, written } = given({ isTTY: true, columns: 100 })
  const startMs = performance.now()
  const clock = vi.spyOn(performance, 'now')
  for (const afterMs of [100, 600, 700, 1_200]) {
    clock.mockReturnValue(startMs + afterMs)
    board.setImport({ ...status, blocksTotal: 2 })
  }
  clock.mockRestore()
  expect(written.filter((text) => text.startsWith('[####'))).toHaveLength(2)
})
