import { createHash, hash } from 'node:crypto'

export const hashBytes = 48
/** Class id of the object that wraps a hash in the older formats; it also takes part in the running hash. */
export const hashClassId = 0xf422da83a251741en
/** Class id of one item (record and transaction) in the older formats; it takes part in the hash of every item. */
export const recordClassId = 0xe370929ba5429d8bn
export const zeroHash = Buffer.alloc(hashBytes)

/** SHA-384 of one run of bytes. */
export function sha384(bytes: Uint8Array): Buffer {
  return hash('sha384', bytes, 'buffer')
}

/** SHA-384 of several runs one after the other. */
export function sha384Of(...parts: readonly Uint8Array[]): Buffer {
  const digest = createHash('sha384')
  for (const part of parts) digest.update(part)
  return digest.digest()
}
