import { RLP } from '@ethereumjs/rlp'
import { keccak256 } from '#src/domain/keccak.ts'
import { hexBytes } from '#src/simulator/ids.ts'

/** Where CREATE puts a contract, as 40 hex digits: it depends on the creator and how many it made before. */
export function createAddress(creator: string, nonce: number): string {
  return addressIn(keccak256(RLP.encode([hexBytes(creator), nonce])))
}

/** Where CREATE2 puts a contract: the creator chooses by the salt, the code is part of it. */
export function create2Address(creator: string, salt: Uint8Array, initcode: Uint8Array): string {
  return addressIn(keccak256(Buffer.concat([Buffer.of(0xff), hexBytes(creator), salt, keccak256(initcode)])))
}

function addressIn(digest: Buffer): string {
  return digest.subarray(12).toString('hex')
}
