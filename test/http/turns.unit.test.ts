import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { type Priority, priorities, Turns } from '#src/http/turns.ts'

/** Turns of 5 ms by a clock that the steps themselves move on. */
function clockedTurns() {
  let nowMs = 1
  const turns = new Turns({ turnMs: 5, now: () => nowMs })
  const steps: string[] = []
  const work = async (name: string, priority: Priority, count: number, stepMs: number): Promise<void> => {
    for (let step = 0; step < count; step++) {
      await turns.goOn(priority)
      steps.push(name)
      nowMs += stepMs
    }
  }
  return { turns, steps, work }
}

it('lets go on at once what finds the thread free', () => {
  const { turns } = clockedTurns()
  expect(turns.arrive()).toBeUndefined()
  expect(turns.goOn(priorities.search)).toBeUndefined()
  expect(turns.waiting).toBe(0)
})

it('answers whoever has read least before a search goes on, and the search all the same', async () => {
  const { steps, work } = clockedTurns()
  const search = work('search', priorities.search, 20, 6)
  const pages = [1, 2, 3, 4].map((page) => work(`page ${page}`, priorities.first, 2, 1))
  await Promise.all([...pages, search])
  const lastPage = steps.findLastIndex((step) => step.startsWith('page'))
  expect(steps.slice(0, lastPage).filter((step) => step === 'search').length).toBeLessThanOrEqual(4)
  expect(steps.filter((step) => step === 'search')).toHaveLength(20)
})

it('lets a search move in every turn while pages take all the time there is', async () => {
  const { steps, work } = clockedTurns()
  await Promise.all([work('page', priorities.first, 40, 5), work('search', priorities.search, 10, 5)])
  expect(steps.indexOf('search')).toBeLessThan(5)
  expect(steps.lastIndexOf('search')).toBeLessThan(30)
})

it('takes one step a turn while connections arrive', async () => {
  const { turns, steps, work } = clockedTurns()
  turns.hurry()
  const pages = Promise.all([1, 2, 3].map((page) => work(`page ${page}`, priorities.first, 1, 0)))
  expect(steps).toEqual([])
  await nextTurn()
  turns.hurry()
  expect(steps).toHaveLength(1)
  await pages
  expect(steps).toHaveLength(3)
  expect(turns.waiting).toBe(0)
})
