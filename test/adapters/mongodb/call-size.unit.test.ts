import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CallSize } from '#src/adapters/mongodb/call-size.ts'

const timeoutMs = 8_000
const rowsMax = 1_000

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function takes<T>(milliseconds: number, result: () => T): () => Promise<T> {
  return async () => {
    vi.advanceTimersByTime(milliseconds)
    return result()
  }
}

function fails(): never {
  throw new Error('timed out')
}

describe('the rows of a call', () => {
  it('are as many as there may be until one was made, and while calls are quick', async () => {
    const size = new CallSize(timeoutMs)
    expect(size.rows(rowsMax)).toBe(rowsMax)
    expect(
      await size.measured(
        rowsMax,
        takes(500, () => 'done'),
      ),
    ).toBe('done')
    expect(size.rows(rowsMax)).toBe(rowsMax)
  })

  it('are those that come through in a quarter of the time that there is', async () => {
    const size = new CallSize(timeoutMs)
    await size.measured(
      rowsMax,
      takes(4_000, () => undefined),
    )
    expect(size.rows(rowsMax)).toBe(500)
  })

  it('become fewer each time that a call took too long, down to one', async () => {
    const size = new CallSize(timeoutMs)
    const tried: number[] = []
    for (let round = 0; round < 5; round++) {
      const rows = size.rows(100)
      tried.push(rows)
      await expect(size.measured(rows, takes(timeoutMs, fails))).rejects.toThrow('timed out')
    }
    expect(tried).toEqual([100, 25, 6, 1, 1])
  })

  it('become more again when the store is faster', async () => {
    const size = new CallSize(timeoutMs)
    await expect(size.measured(100, takes(timeoutMs, fails))).rejects.toThrow('timed out')
    await size.measured(
      25,
      takes(100, () => undefined),
    )
    expect(size.rows(rowsMax)).toBe(500)
  })

  it('do not become more by a call that fails at once', async () => {
    const size = new CallSize(timeoutMs)
    await expect(size.measured(100, takes(timeoutMs, fails))).rejects.toThrow('timed out')
    await expect(size.measured(25, takes(1, fails))).rejects.toThrow('timed out')
    expect(size.rows(rowsMax)).toBe(25)
  })
})
