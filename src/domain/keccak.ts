import { keccak_256 } from '@noble/hashes/sha3.js'
import { asBuffer } from '#src/domain/bytes.ts'

/** Keccak-256 as the EVM uses it (padding byte 0x01, unlike SHA3-256), which node:crypto does not offer. */
export function keccak256(data: Uint8Array): Buffer {
  return asBuffer(keccak_256(data))
}
