import { keccak256 } from '#src/domain/keccak.ts'

/** Forty hex digits in the mixed case of EIP-55, with 0x. */
export function checksumAddress(digits: string): string {
  const lower = digits.toLowerCase()
  const hash = keccak256(Buffer.from(lower, 'latin1')).toString('hex')
  let text = '0x'
  for (let index = 0; index < lower.length; index++) {
    const digit = lower[index]!
    text += Number.parseInt(hash[index]!, 16) >= 8 ? digit.toUpperCase() : digit
  }
  return text
}

const form = /^(?:0x)?([0-9a-fA-F]{40})$/

/** Lower-case digits of an address as callers write it: mixed case has to be its checksum. undefined: it is none. */
export function parseEvmAddress(text: string): string | undefined {
  const [, digits] = form.exec(text) ?? []
  if (digits === undefined) return undefined
  const lower = digits.toLowerCase()
  const isOneCase = digits === lower || digits === digits.toUpperCase()
  return isOneCase || checksumAddress(lower) === `0x${digits}` ? lower : undefined
}
