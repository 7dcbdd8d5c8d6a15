import { expect, it } from 'vitest'
import { AnswerCache } from '#src/http/answer-cache.ts'

function answer(length: number) {
  return { body: Buffer.alloc(length), headers: {} }
}

it('gives back what was kept at the same position only', () => {
  const cache = new AnswerCache({ entriesMax: 10, bytesMax: 1_000 })
  const kept = answer(10)
  cache.set('a', 5, kept)
  expect(cache.get('a', 5)).toBe(kept)
  expect(cache.get('a', 6)).toBeUndefined()
  cache.set('b', 6, answer(1))
  expect(cache.get('a', 5)).toBeUndefined()
  cache.set('late', 5, answer(1))
  expect(cache.get('late', 5)).toBeUndefined()
})

it('throws away the least recently used answers beyond its limits', () => {
  const cache = new AnswerCache({ entriesMax: 2, bytesMax: 100 })
  cache.set('a', 1, answer(10))
  cache.set('b', 1, answer(10))
  cache.get('a', 1)
  cache.set('c', 1, answer(10))
  expect(['a', 'b', 'c'].map((key) => cache.get(key, 1) !== undefined)).toEqual([true, false, true])
  cache.set('d', 1, answer(85))
  expect(['a', 'c', 'd'].map((key) => cache.get(key, 1) !== undefined)).toEqual([false, true, true])
  cache.set('e', 1, answer(101))
  expect(cache.get('e', 1)).toBeUndefined()
})
