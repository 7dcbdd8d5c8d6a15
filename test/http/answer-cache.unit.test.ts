import { expect, it } from 'vitest'
import { AnswerCache } from '#src/http/answer-cache.ts'
import type { FinishedAnswer } from '#src/http/finished-answer.ts'

function answer(length: number): FinishedAnswer {
  return saying('x'.repeat(length))
}

function saying(body: string): FinishedAnswer {
  return { status: 200, body, encoding: 'utf8', etag: 'W/"tag"', head: [] }
}

/** Offered as often as it takes to be kept. */
function keep(cache: AnswerCache, key: string, stamp: string, kept: FinishedAnswer): void {
  for (let times = 0; times < 2; times++) cache.offer(key, stamp, kept)
}

it('keeps an answer only when it is asked for again, and knows that whatever the read models do', () => {
  const cache = new AnswerCache({ bytesMax: 10_000 })
  cache.offer('a', '1', answer(10))
  expect(cache.get('a', '1')).toBeUndefined()
  cache.offer('a', '1', answer(10))
  expect(cache.get('a', '1')?.body).toHaveLength(10)
  cache.offer('a', '2', answer(11))
  expect(cache.get('a', '2')?.body).toHaveLength(11)
})

it('remembers a bounded number of addresses, which count', () => {
  const cache = new AnswerCache({ bytesMax: 10_000 })
  for (let key = 0; key < 1_000; key++) cache.offer(`/an/address/${key}`, '1', answer(1))
  expect(cache.bytes).toBeGreaterThan(0)
  expect(cache.bytes).toBeLessThanOrEqual(1_000)
  cache.offer('/an/address/0', '1', answer(1))
  expect(cache.get('/an/address/0', '1')).toBeUndefined()
  cache.offer('/an/address/999', '1', answer(1))
  expect(cache.get('/an/address/999', '1')).toBeDefined()
})

it('gives back what was kept of the same state of the read models only', () => {
  const cache = new AnswerCache({ bytesMax: 10_000 })
  keep(cache, 'a', '5', answer(10))
  expect(cache.get('a', '5')?.body).toBe('x'.repeat(10))
  expect(cache.get('a', '6')).toBeUndefined()
  expect(cache.get('a', '5')).toBeUndefined()
  keep(cache, 'b', '7,3', answer(10))
  expect(cache.get('b', '7,4')).toBeUndefined()
})

it('throws away the least recently used answers of whatever endpoint beyond its one budget', () => {
  const cache = new AnswerCache({ bytesMax: 10_000 })
  keep(cache, '/blocks', '1', answer(3_000))
  keep(cache, '/transactions', '9', answer(3_000))
  cache.get('/blocks', '1')
  keep(cache, '/accounts', '1 9', answer(3_000))
  const kept = () => [cache.get('/blocks', '1'), cache.get('/transactions', '9'), cache.get('/accounts', '1 9')]
  expect(kept().map((each) => each !== undefined)).toEqual([true, false, true])
  expect(cache.bytes).toBeLessThanOrEqual(10_000)
})

it('stays within its budget whatever is offered, with the addresses counted, however long they are', () => {
  const cache = new AnswerCache({ bytesMax: 100_000 })
  for (let key = 0; key < 300; key++) {
    keep(cache, `${key}`.padEnd((key % 7) * 2_000, '?'), '1', answer((key * 37) % 60_000))
    expect(cache.bytes).toBeLessThanOrEqual(100_000)
  }
  expect(cache.bytes).toBeGreaterThan(50_000)
  expect(cache.entries).toBeGreaterThan(0)
})

it('gives up answers for what it remembers of addresses asked for once', () => {
  const cache = new AnswerCache({ bytesMax: 100_000 })
  const offer = (key: string) => cache.offer(key, '1', answer(500))
  for (let index = 0; index < 200; index++) for (const _ of [1, 2]) offer(`/kept/${index}`)
  const { entries } = cache
  for (let index = 0; index < 5_000; index++) {
    offer(`/once/${index}`)
    expect(cache.bytes).toBeLessThanOrEqual(100_000)
  }
  expect(cache.entries).toBeLessThan(entries)
})

it('keeps nothing that would take more than half of it, and nothing at all without a budget', () => {
  const cache = new AnswerCache({ bytesMax: 10_000 })
  keep(cache, 'large', '1', answer(5_000))
  expect(cache.get('large', '1')).toBeUndefined()
  const none = new AnswerCache({ bytesMax: 0 })
  keep(none, 'a', '1', answer(1))
  expect([none.get('a', '1'), none.bytes]).toEqual([undefined, 0])
})

it('throws its answers away after a while, since rows may change without the read model moving', () => {
  let nowMs = 0
  const cache = new AnswerCache({ bytesMax: 10_000, ageMaxMs: 5_000, now: () => nowMs })
  const offer = (body: string) => cache.offer('/a', '7', saying(body))
  offer('first')
  offer('first')
  nowMs = 5_000
  expect(cache.get('/a', '7')?.body).toBe('first')
  nowMs = 5_001
  expect(cache.get('/a', '7')).toBeUndefined()
  offer('second')
  expect(cache.get('/a', '7')?.body).toBe('second')
})
