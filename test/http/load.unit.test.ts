import { expect, it } from 'vitest'
import { Load } from '#src/http/load.ts'

it('lets in so many requests at once, in all threads that share the count', () => {
  const counts = new Int32Array(new SharedArrayBuffer(8))
  const [one, other] = [new Load(2, counts, 1), new Load(2, counts, 2)]
  one.enter()
  other.enter()
  expect(() => one.enter()).toThrow('2 requests are being answered already')
  expect([one.atOnce, other.atOnce]).toEqual([2, 2])
  other.leave()
  one.enter()
  expect(other.atOnce).toBe(2)
})

it('counts nothing any more of what a thread had begun that is gone', () => {
  const counts = new Int32Array(new SharedArrayBuffer(8))
  const [one, other] = [new Load(2, counts, 1), new Load(2, counts, 2)]
  one.enter()
  other.enter()
  const inItsPlace = new Load(2, counts, 2)
  expect(one.atOnce).toBe(1)
  inItsPlace.enter()
  expect(() => one.enter()).toThrow('2 requests are being answered already')
})
