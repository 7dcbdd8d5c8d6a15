import type { LogRecord } from '#src/ports/message-log.ts'
import { transaction } from '#test/projections/hooks/story.ts'
import { bytesField, varintField } from '#test/support/protobuf-writer.ts'

export const feeSchedule = 111n
export const exchangeRates = 112n
export const simpleFees = 113n
export const throttles = 123n

export const created = (time: bigint, file: bigint, contents: Uint8Array): LogRecord =>
  transaction(time, 17, file, { fileCreate: { contents: Buffer.from(contents) } })
export const updated = (time: bigint, file: bigint, contents: Uint8Array): LogRecord =>
  transaction(time, 19, file, { fileUpdate: { contents: Buffer.from(contents) } })
export const appended = (time: bigint, file: bigint, contents: Uint8Array): LogRecord =>
  transaction(time, 16, file, { fileAppend: { contents: Buffer.from(contents) } })

/** So many cents for one hbar until a second, then twice as many until ten seconds later. */
export function rates(cents: number, expires = 100): Buffer {
  return Buffer.concat([bytesField(1, rate(cents, expires)), bytesField(2, rate(2 * cents, expires + 10))])
}

function rate(cents: number, expires: number): Buffer {
  return Buffer.concat([varintField(1, 1), varintField(2, cents), bytesField(3, varintField(1, expires))])
}

/** What cannot be read: a part whose rest is missing. */
export const half = Buffer.from('0aff', 'hex')

export interface Schedule {
  readonly gas: number
  readonly expires: number
}

/** The price of gas of contract calls until a second (expires), and what follows. */
export function schedule(current: Schedule, next: Schedule): Buffer {
  const part = ({ gas, expires }: Schedule) => {
    const fees = bytesField(3, bytesField(3, varintField(8, gas)))
    return Buffer.concat([bytesField(1, varintField(1, 6), fees), bytesField(2, varintField(1, expires))])
  }
  return Buffer.concat([bytesField(1, part(current)), bytesField(2, part(next))])
}
