import { expect, it } from 'vitest'
import { RequestWatch, requestCountsLength } from '#src/runtime/watch/request-shares.ts'

const good = { route: '/api/v1/blocks', method: 'GET', status: 200, seconds: 0.01 }

function watchAt(): { watch: RequestWatch; clock: { ms: number } } {
  const clock = { ms: 5_000 }
  return { watch: new RequestWatch(() => clock.ms, '/api/v1'), clock }
}

it('tells the share of failed and slow requests of the last minute', () => {
  const { watch, clock } = watchAt()
  for (let count = 0; count < 90; count++) watch.observe(good)
  for (let count = 0; count < 6; count++) watch.observe({ ...good, status: 503 })
  clock.ms += 30_000
  for (let count = 0; count < 4; count++) watch.observe({ ...good, seconds: 3 })
  expect(watch.shares).toEqual({ failed: 0.06, slow: 0.04 })
  clock.ms += 30_000
  expect(watch.shares).toEqual({ failed: 0, slow: 1 })
  clock.ms += 30_000
  expect(watch.shares).toEqual({ failed: 0, slow: 0 })
})

it('counts neither other addresses, nor waits that were asked for, nor a single failure', () => {
  const { watch } = watchAt()
  for (let count = 0; count < 5; count++) watch.observe({ ...good, route: '/health/readiness', status: 503 })
  for (let count = 0; count < 5; count++) watch.observe({ ...good, seconds: 8, waited: true })
  watch.observe({ ...good, status: 500 })
  expect(watch.shares).toEqual({ failed: 0, slow: 0 })
})

it('tells the same in every thread that shares its counts', () => {
  const counts = new Uint32Array(new SharedArrayBuffer(4 * requestCountsLength))
  const clock = { ms: 5_000 }
  const [one, other] = [0, 1].map(() => new RequestWatch(() => clock.ms, '/api/v1', counts)) as [
    RequestWatch,
    RequestWatch,
  ]
  for (let count = 0; count < 5; count++) one.observe(good)
  for (let count = 0; count < 5; count++) other.observe({ ...good, status: 500 })
  expect([one.shares, other.shares]).toEqual([one.shares, { failed: 0.5, slow: 0 }])
  clock.ms += 60_000
  one.observe(good)
  expect(other.shares).toEqual({ failed: 0, slow: 0 })
})
