import { expect, it } from 'vitest'
import { checksumAddress, parseEvmAddress } from '#src/domain/verification/checksum-address.ts'

/** Those that EIP-55 gives. */
const known = [
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
]

it('writes addresses with their checksum', () => {
  expect(known.map((address) => checksumAddress(address.slice(2).toLowerCase()))).toEqual(known)
})

it('takes one case, or the checksum, with 0x or without', () => {
  for (const address of known) {
    const digits = address.slice(2)
    const lower = digits.toLowerCase()
    for (const form of [address, digits, `0x${lower}`, lower, `0x${digits.toUpperCase()}`])
      expect(parseEvmAddress(form)).toBe(lower)
  }
})

it('takes nothing else', () => {
  const wrong = ['', '0x12', `${known[0]}0`, `0X${known[0]!.slice(2)}`, known[0]!.replace('A', 'a'), 'g'.repeat(40)]
  expect(wrong.filter((text) => parseEvmAddress(text) !== undefined)).toEqual([])
})
