import { asBuffer } from '#src/domain/bytes.ts'

/** More bytes than nearly every row of contracts has. */
const together = Buffer.allocUnsafeSlow(16_384)

/**
 * Lower-case hex digits of several values; none of null. They are made by one conversion of all of them, since one costs as much
 * as the digits of some 500 bytes.
 */
export function hexDigitsOf(values: readonly (Uint8Array | null)[]): string[] {
  let length = 0
  for (const value of values) if (value !== null) length += value.length
  if (length > together.length) return values.map((value) => (value === null ? '' : asBuffer(value).toString('hex')))
  let end = 0
  for (const value of values) {
    if (value === null || value.length === 0) continue
    together.set(value, end)
    end += value.length
  }
  const digits = together.toString('hex', 0, end)
  let at = 0
  return values.map((value) => {
    const start = at
    at += 2 * (value?.length ?? 0)
    return digits.slice(start, at)
  })
}

const wordDigits = 64
const zeros = '0'.repeat(wordDigits)

/** With leading zeros up to a word of the EVM, of at most so many bytes; longer values stay as they are. */
export function wordDigitsOf(digits: string): string {
  return digits.length >= wordDigits ? digits : zeros.slice(digits.length) + digits
}
