import type { Message } from '#src/simulator/codec.ts'
import type { Instant } from '#src/simulator/time.ts'

const hbarEquivalent = 30_000
const hourSeconds = 3_600

/** The ExchangeRateSet in force: rates change with the hour and wander around 12 US cents an hbar. */
export function exchangeRates({ seconds }: Instant): Message {
  const hour = Math.floor(seconds / hourSeconds)
  return { currentRate: rateOf(hour), nextRate: rateOf(hour + 1) }
}

function rateOf(hour: number): Message {
  return {
    hbarEquiv: hbarEquivalent,
    centEquiv: 360_000 + ((hour * 7_919) % 20_011) - 10_000,
    expirationTime: { seconds: (hour + 1) * hourSeconds },
  }
}
