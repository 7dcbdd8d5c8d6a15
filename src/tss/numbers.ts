/** Order of the groups of BLS12-381, in which the network's signatures are. */
export const blsOrder = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n
/** Prime field in which the coordinates of BLS12-381 are. */
export const blsPrime =
  0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaabn
/** Order of the groups of BN254; also the prime field of Baby Jubjub and of Poseidon. */
export const bnOrder = 0x30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001n
/** Order of the prime subgroup of Baby Jubjub. */
export const jubjubOrder = 0x60c89ce5c263405370a08b6d0302b0bab3eedb83920ee0a677297dc392126f1n
export const scalarBytes = 32
/** What the network can count in 64 bits. */
export const weightLimit = 1n << 64n

export function bigEndianOf(bytes: Uint8Array): bigint {
  return BigInt(`0x0${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')}`)
}

export function littleEndianOf(bytes: Uint8Array): bigint {
  return bigEndianOf(Uint8Array.from(bytes).reverse())
}

export function bigEndianBytes(value: bigint, length: number): Buffer {
  return Buffer.from(value.toString(16).padStart(length * 2, '0'), 'hex')
}

export function littleEndianBytes(value: bigint, length: number): Buffer {
  return bigEndianBytes(value, length).reverse()
}

/** The remainder in [0, modulus), also of negative values. */
export function modulo(value: bigint, modulus: bigint): bigint {
  const rest = value % modulus
  return rest < 0n ? rest + modulus : rest
}

export function powerOf(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let [result, square] = [1n, modulo(base, modulus)]
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % modulus
    square = (square * square) % modulus
  }
  return result
}

/** By Fermat: the modulus is a prime. 0 for 0. */
export function inverseOf(value: bigint, prime: bigint): bigint {
  return powerOf(value, prime - 2n, prime)
}
