import { expect, it } from 'vitest'
import { AnswerCache, type FinishedAnswer } from '#src/http/answer-cache.ts'

function answer(length: number) {
  return { body: Buffer.alloc(length), headers: {} }
}

/** Offered as often as it takes to be kept. */
function keep(cache: AnswerCache, key: string, position: number, kept: { body: Buffer; headers: object }): void {
  for (let times = 0; times < 2; times++) cache.offer(key, position, kept as FinishedAnswer)
}

it('keeps an answer only when it is asked for again, and knows that across positions', () => {
  const cache = new AnswerCache({ entriesMax: 10, bytesMax: 1_000 })
  cache.offer('a', 1, answer(10))
  expect(cache.get('a', 1)).toBeUndefined()
  cache.offer('a', 1, answer(10))
  expect(cache.get('a', 1)?.body).toHaveLength(10)
  cache.offer('a', 2, answer(11))
  expect(cache.get('a', 2)?.body).toHaveLength(11)
})

it('remembers a bounded number of addresses', () => {
  const cache = new AnswerCache({ entriesMax: 2, bytesMax: 1_000 })
  for (let key = 0; key < 9; key++) cache.offer(String(key), 1, answer(1))
  cache.offer('0', 1, answer(1))
  expect(cache.get('0', 1)).toBeUndefined()
  cache.offer('8', 1, answer(1))
  expect(cache.get('8', 1)).toBeDefined()
})

it('gives back what was kept at the same position only', () => {
  const cache = new AnswerCache({ entriesMax: 10, bytesMax: 1_000 })
  const kept = answer(10)
  keep(cache, 'a', 5, kept)
  expect(cache.get('a', 5)).toEqual(kept)
  expect(cache.get('a', 6)).toBeUndefined()
  keep(cache, 'b', 6, answer(1))
  expect(cache.get('a', 5)).toBeUndefined()
  keep(cache, 'late', 5, answer(1))
  expect(cache.get('late', 5)).toBeUndefined()
})

it('throws away the least recently used answers beyond its limits', () => {
  const cache = new AnswerCache({ entriesMax: 2, bytesMax: 100 })
  keep(cache, 'a', 1, answer(10))
  keep(cache, 'b', 1, answer(10))
  cache.get('a', 1)
  keep(cache, 'c', 1, answer(10))
  expect(['a', 'b', 'c'].map((key) => cache.get(key, 1) !== undefined)).toEqual([true, false, true])
  keep(cache, 'd', 1, answer(85))
  expect(['a', 'c', 'd'].map((key) => cache.get(key, 1) !== undefined)).toEqual([false, true, true])
  keep(cache, 'e', 1, answer(101))
  expect(cache.get('e', 1)).toBeUndefined()
})

it('throws its answers away after a while, since rows may change without the read model moving', () => {
  let nowMs = 0
  const cache = new AnswerCache({ entriesMax: 10, bytesMax: 1_000, ageMaxMs: 5_000, now: () => nowMs })
  const offer = (body: string) => cache.offer('/a', 7, { body, headers: {} })
  offer('first')
  offer('first')
  nowMs = 5_000
  expect(String(cache.get('/a', 7)?.body)).toBe('first')
  nowMs = 5_001
  expect(cache.get('/a', 7)).toBeUndefined()
  offer('second')
  expect(String(cache.get('/a', 7)?.body)).toBe('second')
})
