import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatLedgerTime, maxInt64, parseLedgerTime, saturatingLedgerTime } from '#src/domain/ledger-time.ts'

describe('ledger time', () => {
  it('reads back what it writes, for every time that a request can name', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 9_999_999_999_999_999_999n }), (time) => {
        expect(parseLedgerTime(formatLedgerTime(time))).toBe(time)
      }),
    )
  })

  it.each([
    ['0', 0n],
    ['1', 1_000_000_000n],
    ['1.5', 1_500_000_000n],
    ['0.000000001', 1n],
    ['1234567890.00', 1_234_567_890_000_000_000n],
  ])('pads the fraction of %s on the right', (text, time) => {
    expect(parseLedgerTime(text)).toBe(time)
  })

  it.each(['', '.', '1.', '.5', '-1', '+1', '1e3', ' 1', '12345678901', '1.0000000001', '１'])('refuses %j', (text) => {
    expect(parseLedgerTime(text)).toBeUndefined()
  })

  it('always writes nine fraction digits, also before the epoch', () => {
    expect([0n, 1n, -1n, -1_500_000_000n, maxInt64].map(formatLedgerTime)).toEqual([
      '0.000000000',
      '0.000000001',
      '-0.000000001',
      '-1.500000000',
      '9223372036.854775807',
    ])
  })

  it.each([1_000_000_000n, 4_294_967_295n, 4_294_967_296n, 1n << 61n, (1n << 62n) - 1n, 1n << 62n])(
    'writes %d ns with the seconds and nanoseconds that it has',
    (time) => {
      const fraction = (time % 1_000_000_000n).toString().padStart(9, '0')
      expect(formatLedgerTime(time)).toBe(`${time / 1_000_000_000n}.${fraction}`)
    },
  )

  it('saturates at the limits of 64 bits', () => {
    expect(saturatingLedgerTime(5n, 7)).toBe(5_000_000_007n)
    expect(saturatingLedgerTime(maxInt64, 999_999_999)).toBe(maxInt64)
    expect(saturatingLedgerTime(-maxInt64, 0)).toBe(-maxInt64 - 1n)
  })
})
