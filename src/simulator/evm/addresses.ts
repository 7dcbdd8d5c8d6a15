import { RLP } from '@ethereumjs/rlp'
import { keccak256 } from '#src/domain/keccak.ts'
import { hexBytes } from '#src/simulator/ids.ts'

/** Where CREATE puts a contract, as 40 hex digits: it depends on the creator and how many it made before. */
export function createAddress(creator: string, nonce: number): string {
  return addressIn(keccak256(RLP.encode([hexBytes(creator), nonce])))
}

function addressIn(digest: Buffer): string {
  return digest.subarray(12).toString('hex')
}
