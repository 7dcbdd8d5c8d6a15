/** 0x and 40 lower-case hex digits. */
export type HexAddress = `0x${string}`

const addressDigits = 40
const longZeroStart = `0x${'0'.repeat(24)}`

/** Accounts up to this number are the system's. */
export const lastSystemAccount = 750n
/** Code of accounts up to this number is nothing, whatever is there. */
export const lastCodelessAccount = 1_000n

export function longZeroOf(id: bigint): HexAddress {
  return `0x${id.toString(16).padStart(addressDigits, '0')}`
}

/** The number that a long-zero address says; undefined for any other. */
export function numberOf(address: HexAddress): bigint | undefined {
  return address.startsWith(longZeroStart) ? BigInt(address) : undefined
}

export function isSystemAccount(address: HexAddress): boolean {
  const number = numberOf(address)
  return number !== undefined && number <= lastSystemAccount
}

export function addressOfWord(word: bigint): HexAddress {
  return longZeroOf(BigInt.asUintN(160, word))
}
