import { describe, expect, it } from 'vitest'
import { ThreadStarts } from '#src/runtime/serve/thread-starts.ts'

const threads = (count: number): ThreadStarts[] => {
  const cells = new Int32Array(new SharedArrayBuffer(4 * count))
  return Array.from({ length: count }, (_, index) => new ThreadStarts(cells, index + 1))
}

describe('threads of a serving process', () => {
  it('listen before they can answer while none can, and count as early until they can', () => {
    const [first, second] = threads(2) as [ThreadStarts, ThreadStarts]
    expect([first.listenEarly(), second.listenEarly(), first.early]).toEqual([true, true, 2])
    first.begin()
    expect([first.early, second.early]).toEqual([1, 1])
    second.begin()
    expect([first.early, second.early]).toEqual([0, 0])
  })

  it('leave requests to one that can answer', () => {
    const [first, second] = threads(2) as [ThreadStarts, ThreadStarts]
    second.begin()
    expect([first.listenEarly(), first.early]).toEqual([false, 0])
  })

  it('begin anew where one takes the place of another', () => {
    const cells = new Int32Array(1)
    new ThreadStarts(cells).begin()
    expect(new ThreadStarts(cells).listenEarly()).toBe(true)
  })
})
