const transactionGas = 21_000n
const creationGas = 32_000n
const zeroByteGas = 4
const otherByteGas = 16
const initCodeWordGas = 2
const wordBytes = 32
const refundShare = 5n

/** What a transaction costs before anything runs. */
export function intrinsicGas(data: Uint8Array, isCreation: boolean): bigint {
  let gas = 0
  for (const byte of data) gas += byte === 0 ? zeroByteGas : otherByteGas
  if (isCreation) gas += Math.ceil(data.length / wordBytes) * initCodeWordGas
  return transactionGas + BigInt(gas) + (isCreation ? creationGas : 0n)
}

/** Of what storage gives back, at most a fifth of the gas used. */
export function refundOf(refund: bigint, used: bigint): bigint {
  const most = used / refundShare
  return refund < most ? refund : most
}
