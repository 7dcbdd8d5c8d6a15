import { expect, it } from 'vitest'
import { isLedgerError } from '#src/domain/errors.ts'
import { CallThrottle } from '#src/evm/call-throttle.ts'

function textOf(work: () => unknown): string {
  try {
    work()
    return 'taken'
  } catch (error) {
    return isLedgerError(error, 'throttled') ? error.message : String(error)
  }
}

it('takes so many requests a second, and as many again a second later', () => {
  let time = 0
  const throttle = new CallThrottle({
    requestsPerSecond: 2,
    gasPerSecond: 100n,
    gasGivenBackPercent: 100,
    now: () => time,
  })
  const take = () => textOf(() => throttle.take(1n))
  expect([take(), take(), take()]).toEqual(['taken', 'taken', 'Requests per second rate limit exceeded'])
  time = 1_000
  expect([take(), take(), take()]).toEqual(['taken', 'taken', 'Requests per second rate limit exceeded'])
})

it('gives back the share of the gas that was not used', () => {
  const bounds = { requestsPerSecond: 10, gasPerSecond: 100n, now: () => 0 }
  const throttle = new CallThrottle({ ...bounds, gasGivenBackPercent: 50 })
  const giveBack = throttle.take(100n)
  expect(textOf(() => throttle.take(1n))).toBe('Gas per second rate limit exceeded.')
  giveBack(20n)
  expect(textOf(() => throttle.take(41n))).toBe('Gas per second rate limit exceeded.')
  expect(textOf(() => throttle.take(40n))).toBe('taken')
})

it('counts each of several calls that come together, and all that there are for more', () => {
  let time = 0
  const throttle = new CallThrottle({
    requestsPerSecond: 4,
    gasPerSecond: 100n,
    gasGivenBackPercent: 100,
    now: () => time,
  })
  const take = (calls: number) => textOf(() => throttle.take(1n, calls))
  expect([take(3), take(2), take(1)]).toEqual(['taken', 'Requests per second rate limit exceeded', 'taken'])
  time = 1_000
  expect([take(16), take(1)]).toEqual(['taken', 'Requests per second rate limit exceeded'])
})
