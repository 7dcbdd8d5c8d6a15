import { asBuffer } from '#src/domain/bytes.ts'

/** Items before the nonce, by the kind of transaction: legacy ones begin with it, typed ones with the chain. */
const typedKinds: ReadonlySet<number> = new Set([1, 2, 4])

/** The sender's nonce in the raw bytes of an Ethereum transaction; undefined when they cannot be read. */
export function nonceOf(data: Uint8Array): bigint | undefined {
  const bytes = asBuffer(data)
  const kind = bytes[0] ?? 0
  const isTyped = typedKinds.has(kind)
  if (!isTyped && kind < 0xc0) return undefined
  const list = headerAt(bytes, isTyped ? 1 : 0)
  if (list === undefined || !list.isList) return undefined
  const first = headerAt(bytes, list.start)
  const nonce = isTyped && first ? headerAt(bytes, first.end) : first
  if (nonce === undefined || nonce.isList || nonce.end - nonce.start > 8) return undefined
  const hex = bytes.toString('hex', nonce.start, nonce.end)
  return hex === '' ? 0n : BigInt(`0x${hex}`)
}

interface Item {
  readonly isList: boolean
  /** Where the payload begins and ends. */
  readonly start: number
  readonly end: number
}

/** The RLP item at an offset; undefined where the bytes end before it does. */
function headerAt(bytes: Buffer, offset: number): Item | undefined {
  const first = bytes[offset]
  if (first === undefined) return undefined
  if (first < 0x80) return { isList: false, start: offset, end: offset + 1 }
  const isList = first >= 0xc0
  const short = first - (isList ? 0xc0 : 0x80)
  const lengthBytes = short > 55 ? short - 55 : 0
  const start = offset + 1 + lengthBytes
  if (lengthBytes > 6 || start > bytes.length) return undefined
  const length = lengthBytes === 0 ? short : bytes.readUIntBE(offset + 1, lengthBytes)
  return start + length > bytes.length ? undefined : { isList, start, end: start + length }
}
