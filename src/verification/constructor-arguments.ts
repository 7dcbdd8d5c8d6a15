import { asBuffer } from '#src/domain/bytes.ts'
import { listAt, textAt } from '#src/verification/json.ts'
import type { Json } from '#src/verification/verification-input.ts'

/** What ends the reading of bytes that are no such values, or are not as they would be encoded. */
class NotEncoded extends Error {}

type Parameter = unknown

const wordBytes = 32

/**
 * Whether the bytes are what the ABI encodes some arguments of the constructor to, bit by bit. So they would be the same once decoded
 * and encoded again; this takes one look at each, whatever offsets say.
 */
export function areConstructorArguments(abi: readonly Json[], bytes: Uint8Array): boolean {
  const declared = abi.find((each) => textAt(each, 'type') === 'constructor')
  const inputs = listAt(declared, 'inputs')
  try {
    return endOfList(inputs.length, (index) => inputs[index], asBuffer(bytes), 0) === bytes.length
  } catch (error) {
    if (error instanceof NotEncoded) return false
    throw error
  }
}

/** Values one after the other; what is dynamic stands behind all of them, in their order, without gaps. */
function endOfList(count: number, typeAt: (index: number) => Parameter, bytes: Buffer, start: number): number {
  let head = start
  let tail = start
  for (let index = 0; index < count; index++) {
    tail += headBytes(typeAt(index))
    if (tail > bytes.length) throw new NotEncoded()
  }
  for (let index = 0; index < count; index++) {
    const type = typeAt(index)
    if (isDynamic(type)) {
      if (numberAt(bytes, head) !== tail - start) throw new NotEncoded()
      tail = endOf(type, bytes, tail)
    } else endOf(type, bytes, head)
    head += headBytes(type)
  }
  return tail
}

function endOf(type: Parameter, bytes: Buffer, at: number): number {
  const array = arrayOf(type)
  if (array !== undefined) {
    const isCounted = array.length === undefined
    const count = array.length ?? numberAt(bytes, at)
    return endOfList(count, () => array.element, bytes, isCounted ? at + wordBytes : at)
  }
  const name = textAt(type, 'type') ?? ''
  if (name === 'tuple') {
    const members = listAt(type, 'components')
    return endOfList(members.length, (index) => members[index], bytes, at)
  }
  if (name === 'bytes' || name === 'string') return endOfBytes(bytes, at)
  checkWord(name, wordAt(bytes, at))
  return at + wordBytes
}

function endOfBytes(bytes: Buffer, at: number): number {
  const length = numberAt(bytes, at)
  const start = at + wordBytes
  const end = start + Math.ceil(length / wordBytes) * wordBytes
  if (end > bytes.length) throw new NotEncoded()
  checkZeros(bytes.subarray(start + length, end))
  return end
}

/** A number stands at the end of its word, bytes at its beginning. */
function checkWord(name: string, word: Buffer): void {
  const [, kind = '', size = ''] = /^(uint|int|bytes|address|bool|function)(\d*)$/.exec(name) ?? []
  const used = {
    address: 20,
    function: 24,
    bool: 1,
    bytes: Number(size),
    uint: Number(size) / 8,
    int: Number(size) / 8,
  }[kind]
  if (used === undefined || used < 1 || used > wordBytes) throw new NotEncoded()
  const before = word.subarray(0, wordBytes - used)
  if (kind === 'bytes' || kind === 'function') checkZeros(word.subarray(used))
  else if (kind === 'int' && (word[wordBytes - used]! & 0x80) !== 0) checkAll(before, 0xff)
  else checkZeros(before)
  if (kind === 'bool' && word[wordBytes - 1]! > 1) throw new NotEncoded()
}

function checkZeros(bytes: Buffer): void {
  checkAll(bytes, 0)
}

function checkAll(bytes: Buffer, value: number): void {
  if (!bytes.every((byte) => byte === value)) throw new NotEncoded()
}

/** The element of an array, and how many there are where the type says so. */
function arrayOf(type: Parameter): { element: Parameter; length: number | undefined } | undefined {
  const [, element, count] = /^(.*)\[(\d*)\]$/.exec(textAt(type, 'type') ?? '') ?? []
  if (element === undefined) return undefined
  const components = listAt(type, 'components') as Json
  return { element: { type: element, components }, length: count === '' ? undefined : Number(count) }
}

function isDynamic(type: Parameter): boolean {
  const array = arrayOf(type)
  if (array !== undefined) return array.length === undefined || isDynamic(array.element)
  const name = textAt(type, 'type')
  return name === 'bytes' || name === 'string' || (name === 'tuple' && listAt(type, 'components').some(isDynamic))
}

/** How much of the head of a list a value takes. */
function headBytes(type: Parameter): number {
  if (isDynamic(type)) return wordBytes
  const array = arrayOf(type)
  if (array !== undefined) return (array.length ?? 0) * headBytes(array.element)
  if (textAt(type, 'type') !== 'tuple') return wordBytes
  return listAt(type, 'components').reduce<number>((sum, member) => sum + headBytes(member), 0)
}

/** A length or an offset: none goes beyond the bytes. */
function numberAt(bytes: Buffer, at: number): number {
  const word = wordAt(bytes, at)
  checkZeros(word.subarray(0, wordBytes - 4))
  const value = word.readUInt32BE(wordBytes - 4)
  if (value > bytes.length) throw new NotEncoded()
  return value
}

function wordAt(bytes: Buffer, at: number): Buffer {
  const word = bytes.subarray(at, at + wordBytes)
  if (word.length < wordBytes) throw new NotEncoded()
  return word
}
