import { hexOf } from '#src/domain/bytes.ts'
import { type AbiTuple, type AbiType, type AbiValue, isDynamic } from '#src/evm/abi/types.ts'

const wordBytes = 32
const wordBits = 256
const addressBits = 160n

/** What ends the reading of bytes that are no such values: one for all, since the packed form of each redirected call is none. */
const malformed = new Error('the bytes are no values of these types')

/** The values of a tuple; undefined where the bytes are none, or a value is outside its type. What follows them is not looked at. */
export function decodeTuple({ members }: AbiTuple, bytes: Uint8Array): readonly AbiValue[] | undefined {
  try {
    return decodeList(members, bytes)
  } catch (error) {
    if (error === malformed) return undefined
    throw error
  }
}

function decodeList(types: readonly AbiType[], bytes: Uint8Array): AbiValue[] {
  let head = 0
  return types.map((type) => {
    const at = head
    head += headBytes(type)
    return isDynamic(type) ? decode(type, bytes.subarray(lengthAt(bytes, at))) : decode(type, bytes.subarray(at))
  })
}

/** How much of the head of a list a value takes. */
function headBytes(type: AbiType): number {
  if (type.kind !== 'tuple' || isDynamic(type)) return wordBytes
  return type.members.reduce((sum, member) => sum + headBytes(member), 0)
}

function decode(type: AbiType, bytes: Uint8Array): AbiValue {
  switch (type.kind) {
    case 'tuple':
      return decodeList(type.members, bytes)
    case 'array':
      return decodeArray(type.element, bytes)
    case 'bytes':
      return withLength(bytes)
    case 'string':
      return Buffer.from(withLength(bytes)).toString('utf8')
    case 'word':
      return wordAt(bytes, 0)
    default:
      return decodeWord(type, BigInt(`0x${hexOf(wordAt(bytes, 0))}`))
  }
}

function decodeArray(element: AbiType, bytes: Uint8Array): AbiValue {
  const count = lengthAt(bytes, 0)
  const rest = bytes.subarray(wordBytes)
  if (count * headBytes(element) > rest.length) throw malformed
  return decodeList(Array<AbiType>(count).fill(element), rest)
}

function withLength(bytes: Uint8Array): Uint8Array {
  const length = lengthAt(bytes, 0)
  if (wordBytes + length > bytes.length) throw malformed
  return bytes.slice(wordBytes, wordBytes + length)
}

function decodeWord(type: Exclude<AbiType, { kind: 'array' | 'tuple' }>, word: bigint): AbiValue {
  if (type.kind === 'address') {
    if (word >> addressBits > 0n) throw malformed
    return `0x${word.toString(16).padStart(40, '0')}`
  }
  if (type.kind === 'bool') {
    if (word > 1n) throw malformed
    return word === 1n
  }
  const { kind, bits } = type as { kind: 'uint' | 'int'; bits: number }
  const value = kind === 'int' ? BigInt.asIntN(wordBits, word) : word
  const inType = kind === 'int' ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value)
  if (inType !== value) throw malformed
  return value
}

/** An offset or a length: none goes beyond the bytes. */
function lengthAt(bytes: Uint8Array, at: number): number {
  const value = BigInt(`0x${hexOf(wordAt(bytes, at))}`)
  if (value > BigInt(bytes.length)) throw malformed
  return Number(value)
}

function wordAt(bytes: Uint8Array, at: number): Uint8Array {
  const word = bytes.subarray(at, at + wordBytes)
  if (word.length < wordBytes) throw malformed
  return word
}
