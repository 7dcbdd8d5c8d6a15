import { expect, it } from 'vitest'
import { Waits, waitCounts } from '#src/http/waits.ts'

const bounds = { atOnceMax: 3, perClientMax: 2 }

function refusalOf(enter: () => unknown): string {
  try {
    enter()
  } catch (error) {
    return (error as Error).message
  }
  return 'none'
}

it('counts a client, and all of them, over the threads that share the counts', () => {
  const counts = waitCounts(2)
  const [one, other] = [1, 2].map((thread) => new Waits({ ...bounds, counts, thread }))
  const leave = one!.enter('a')
  other!.enter('a')
  expect(refusalOf(() => one!.enter('a'))).toMatch(/^2 requests of this address wait already/)
  other!.enter('b')
  expect(refusalOf(() => one!.enter('c'))).toMatch(/^3 requests wait already/)
  expect([one!.atOnce, one!.refused, other!.refused]).toEqual([3, { client: 1, all: 1 }, { client: 0, all: 0 }])
  leave()
  leave()
  expect(other!.atOnce).toBe(2)
  one!.enter('a')
})

it('forgets what a thread had begun that is no more', () => {
  const counts = waitCounts(2)
  new Waits({ ...bounds, counts, thread: 1 }).enter('a')
  const dead = new Waits({ ...bounds, counts, thread: 2 })
  dead.enter('a')
  dead.enter('b')
  const inItsPlace = new Waits({ ...bounds, counts, thread: 2 })
  expect(inItsPlace.atOnce).toBe(1)
  inItsPlace.enter('a')
})
