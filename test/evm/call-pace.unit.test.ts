import { expect, it } from 'vitest'
import { longZeroOf } from '#src/evm/addresses.ts'
import { newestRules } from '#src/evm/rules.ts'
import { CallPace } from '#src/evm/threads/call-pace.ts'
import type { CallJob } from '#src/evm/threads/messages.ts'

const settings = { rules: newestRules, chainId: 298, validatePayerBalance: true }

function jobOf(contract: bigint, selector: string, gas = 15_000_000n): CallJob {
  const data = Buffer.from(`${selector}${'00'.repeat(32)}`, 'hex')
  const request = { from: undefined, to: longZeroOf(contract), data, gas, gasPrice: 0n, value: 0n }
  return { kind: 'call', request, settings }
}

it('expects of what nobody has called yet that it uses its gas, and of a function what it took', () => {
  const pace = new CallPace()
  const job = jobOf(2_001n, '70a08231')
  expect(pace.expectedMs(job)).toBeCloseTo(4_500)
  pace.saw(job, 2, 30_000n)
  expect(pace.expectedMs(job)).toBe(2)
  expect(pace.expectedMs(jobOf(2_001n, 'a9059cbb'))).toBeCloseTo(4_500)
  expect(pace.expectedMs(jobOf(2_002n, '70a08231'))).toBeCloseTo(4_500)
})

it('learns from long runs what gas lasts for, at once what is slower and slowly what is faster', () => {
  const pace = new CallPace()
  const unknown = jobOf(2_009n, '00000000')
  pace.saw(jobOf(2_001n, '70a08231'), 9_000, 15_000_000n)
  expect(pace.expectedMs(unknown)).toBeCloseTo(9_000)
  pace.saw(jobOf(2_002n, '70a08231'), 1_000, 15_000_000n)
  expect(pace.expectedMs(unknown)).toBeCloseTo(8_200)
})

it('expects of what has run longer than it used to that it uses up its gas', () => {
  const pace = new CallPace()
  const job = jobOf(2_001n, '70a08231')
  pace.saw(job, 100)
  expect(pace.expectedMs(job, 40)).toBe(60)
  expect(pace.expectedMs(job, 500)).toBeCloseTo(4_000)
  expect(pace.expectedMs(job, 6_000)).toBe(0)
})

it('learns nothing of a contract from code that a call brings along', () => {
  const pace = new CallPace()
  const { request, ...job } = jobOf(2_001n, '70a08231')
  const code = Buffer.from('00', 'hex')
  const override = { address: longZeroOf(2_001n), balance: undefined, nonce: undefined, code, storage: undefined }
  pace.saw({ ...job, request: { ...request, overrides: [override as never] } }, 1)
  expect(pace.expectedMs({ ...job, request })).toBeCloseTo(4_500)
})
