import { type AccessListEntry, accessListGas } from '#src/evm/access-lists.ts'
import { type Authorization, authorizationGas } from '#src/evm/authorizations.ts'

const transactionGas = 21_000n
const creationGas = 32_000n
const zeroByteGas = 4
const otherByteGas = 16
const initCodeWordGas = 2
const wordBytes = 32
const refundShare = 5n
/** Four tokens for a byte that is not zero, one for a byte that is. */
const tokensPerByte = 4
const floorTokenGas = 10

interface Priced {
  readonly data: Uint8Array
  readonly accessList: readonly AccessListEntry[]
  readonly authorizations: readonly Authorization[]
}

/** What a transaction costs before anything runs. */
export function intrinsicGas({ data, accessList, authorizations }: Priced, isCreation: boolean): bigint {
  const zeros = zerosIn(data)
  let gas = zeros * zeroByteGas + (data.length - zeros) * otherByteGas
  if (isCreation) gas += Math.ceil(data.length / wordBytes) * initCodeWordGas
  const lists = accessListGas(accessList) + authorizationGas(authorizations)
  return transactionGas + BigInt(gas) + lists + (isCreation ? creationGas : 0n)
}

/** The least that a transaction costs with its call data, whatever it runs (EIP-7623). */
export function dataFloorGas(data: Uint8Array): bigint {
  const zeros = zerosIn(data)
  const tokens = zeros + (data.length - zeros) * tokensPerByte
  return transactionGas + BigInt(tokens * floorTokenGas)
}

/** Half a megabyte takes an iterator ten times as long. */
function zerosIn(data: Uint8Array): number {
  let zeros = 0
  for (let at = 0; at < data.length; at++) if (data[at] === 0) zeros += 1
  return zeros
}

/** Of what storage gives back, at most a fifth of the gas used. */
export function refundOf(refund: bigint, used: bigint): bigint {
  const most = used / refundShare
  return refund < most ? refund : most
}
