import { readInt64 } from '#src/domain/int64-words.ts'

/** Most tokens of an account that a list of accounts shows, and that are packed beside it. */
export const holdingsMax = 50

export interface Holding {
  readonly token: bigint
  readonly balance: bigint
}

const holdingBytes = 16

/** Ascending tokens with their balances. */
export function unpackHoldings(bytes: Uint8Array): Holding[] {
  const holdings: Holding[] = []
  for (let at = 0; at < bytes.length; at += holdingBytes)
    holdings.push({ token: readInt64(bytes, at), balance: readInt64(bytes, at + 8) })
  return holdings
}

/** With the balance of one token, or without that token; null when there are too many to be packed. */
export function withHolding(bytes: Uint8Array, token: bigint, balance: bigint | undefined): Uint8Array | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0
  while (at < bytes.length && view.getBigInt64(at) < token) at += holdingBytes
  const after = at < bytes.length && view.getBigInt64(at) === token ? at + holdingBytes : at
  const width = balance === undefined ? 0 : holdingBytes
  const length = at + width + bytes.length - after
  if (length > holdingsMax * holdingBytes) return null
  const changed = new Uint8Array(length)
  changed.set(bytes.subarray(0, at))
  changed.set(bytes.subarray(after), at + width)
  if (balance !== undefined) {
    const target = new DataView(changed.buffer)
    target.setBigInt64(at, token)
    target.setBigInt64(at + 8, balance)
  }
  return changed
}
