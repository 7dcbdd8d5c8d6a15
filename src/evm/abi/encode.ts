import { type AbiTuple, type AbiType, type AbiValue, isDynamic } from '#src/evm/abi/types.ts'

const wordBytes = 32
const wordDigits = 2 * wordBytes
const wordBits = 256

/** The values of a tuple, one after the other. */
export function encodeTuple({ members }: AbiTuple, values: readonly AbiValue[]): Buffer {
  return encodeList(members, values)
}

function encodeList(types: readonly AbiType[], values: readonly AbiValue[]): Buffer {
  const encoded = types.map((type, index) => encode(type, values[index]!))
  const headBytes = types.reduce((sum, type, index) => sum + (isDynamic(type) ? wordBytes : encoded[index]!.length), 0)
  const heads: Buffer[] = []
  const tails: Buffer[] = []
  let offset = headBytes
  for (const [index, type] of types.entries()) {
    const bytes = encoded[index]!
    if (!isDynamic(type)) {
      heads.push(bytes)
      continue
    }
    heads.push(word(BigInt(offset)))
    tails.push(bytes)
    offset += bytes.length
  }
  return Buffer.concat([...heads, ...tails])
}

function encode(type: AbiType, value: AbiValue): Buffer {
  switch (type.kind) {
    case 'uint':
    case 'int':
    case 'address':
      return word(BigInt.asUintN(wordBits, BigInt(value as bigint | string)))
    case 'bool':
      return word(value === true ? 1n : 0n)
    case 'word':
      return Buffer.from(value as Uint8Array)
    case 'bytes':
      return withLength(Buffer.from(value as Uint8Array))
    case 'string':
      return withLength(Buffer.from(value as string))
    case 'array': {
      const items = value as readonly AbiValue[]
      const types = items.map(() => type.element)
      return Buffer.concat([word(BigInt(items.length)), encodeList(types, items)])
    }
    default:
      return encodeList(type.members, value as readonly AbiValue[])
  }
}

function withLength(bytes: Buffer): Buffer {
  const padding = (wordBytes - (bytes.length % wordBytes)) % wordBytes
  return Buffer.concat([word(BigInt(bytes.length)), bytes, Buffer.alloc(padding)])
}

function word(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(wordDigits, '0'), 'hex')
}
