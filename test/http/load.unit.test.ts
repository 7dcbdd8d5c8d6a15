import { expect, it } from 'vitest'
import { Load } from '#src/http/load.ts'

it('lets in so many requests at once, in all threads that share the count', () => {
  const count = new Int32Array(new SharedArrayBuffer(4))
  const [one, other] = [new Load(2, count), new Load(2, count)]
  one.enter()
  other.enter()
  expect(() => one.enter()).toThrow('2 requests are being answered already')
  expect([one.atOnce, other.atOnce]).toEqual([2, 2])
  other.leave()
  one.enter()
  expect(other.atOnce).toBe(2)
})
