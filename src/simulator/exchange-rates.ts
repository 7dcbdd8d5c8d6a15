import { type Message, messageType } from '#src/simulator/codec.ts'
import type { LedgerChange } from '#src/simulator/ledger-change.ts'
import type { Instant } from '#src/simulator/time.ts'

/** Number of the file that says what an hbar is worth. */
export const ratesFile = 112
const hbarEquivalent = 30_000
const hourSeconds = 3_600

/** The ExchangeRateSet of an instant: rates change with the hour and wander around 12 US cents an hbar. */
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

/** The ExchangeRateSet that the changes bring into force; undefined when they leave the rates as they are. */
export function ratesSetBy(changes: readonly LedgerChange[]): Message | undefined {
  const change = changes.find(({ table, key }) => table === 'networkFiles' && key === String(ratesFile))
  if (change?.table !== 'networkFiles') return undefined
  const type = messageType('proto.ExchangeRateSet')
  return type.toObject(type.decode(Buffer.from(change.set.contents ?? '', 'hex')), { longs: Number }) as Message
}
