import { RLP } from '@ethereumjs/rlp'
import { accessListEntries } from '#src/domain/access-list.ts'
import { asBuffer } from '#src/domain/bytes.ts'
import { keccak256 } from '#src/domain/keccak.ts'
import { maxInt64 } from '#src/domain/ledger-time.ts'

/** What the raw bytes of an Ethereum transaction say. Amounts and prices are weibars, big-endian. */
export interface EthereumTransaction {
  /** 0 legacy, 1 EIP-2930, 2 EIP-1559, 4 EIP-7702. */
  readonly type: number
  /** null of a legacy transaction that names none. */
  readonly chainId: Buffer | null
  readonly nonce: bigint
  readonly gasPrice: Buffer | null
  readonly maxFeePerGas: Buffer | null
  readonly maxPriorityFeePerGas: Buffer | null
  readonly gasLimit: bigint
  /** 20 bytes, empty for a creation. */
  readonly toAddress: Buffer
  /** Signed: a number whose first bit is set begins with a zero byte. */
  readonly value: Buffer
  readonly callData: Buffer
  /** RLP of the entries; null when there are none. */
  readonly accessList: Buffer | null
  /** Of EIP-7702; null for other types. */
  readonly authorizationList: readonly Authorization[] | null
  /** Parity of the signature. */
  readonly recoveryId: number
  readonly signatureR: Buffer
  readonly signatureS: Buffer
  /** Of a legacy transaction; null for other types. */
  readonly signatureV: Buffer | null
}

/** Permission of an account to run the code of a contract (EIP-7702). */
export interface Authorization {
  readonly chainId: Buffer
  readonly address: Buffer
  readonly nonce: bigint
  readonly yParity: number
  readonly r: Buffer
  readonly s: Buffer
}

type Item = Uint8Array | Item[]

/** Several read models ask for the same bytes, and a fold for what it wants and for what it writes. */
const decoded = new WeakMap<Uint8Array, EthereumTransaction | 'unreadable'>()

/** The transaction in raw bytes; undefined when they are of no known type, or not what that type has. */
export function decodeEthereumTransaction(data: Uint8Array): EthereumTransaction | undefined {
  let known = decoded.get(data)
  if (known === undefined) {
    known = read(data) ?? 'unreadable'
    decoded.set(data, known)
  }
  return known === 'unreadable' ? undefined : known
}

function read(data: Uint8Array): EthereumTransaction | undefined {
  try {
    const kind = data[0] ?? 0
    if (kind >= 0xc0) return legacy(fieldsOf(data, 9))
    const rest = data.subarray(1)
    if (kind === 1) return accessListed(fieldsOf(rest, 11))
    if (kind === 2) return dynamicFee(fieldsOf(rest, 12))
    return kind === 4 ? codeDelegating(fieldsOf(rest, 13)) : undefined
  } catch {
    // Whatever the bytes are, they stay with the event that has them.
    return undefined
  }
}

/** Where the call data stands in the list, by type. */
const dataPlaces: Readonly<Record<number, number>> = { 0: 5, 1: 6, 2: 7, 4: 7 }

/**
 * The hash of a transaction as the sender signed it: Keccak-256 of its raw bytes, with the call data in place where that was uploaded
 * as a file. Undefined where the bytes hold no transaction that data could be put into.
 */
export function ethereumHash(data: Uint8Array, uploaded?: Uint8Array): Buffer | undefined {
  if (uploaded === undefined) return keccak256(data)
  const transaction = decodeEthereumTransaction(data)
  if (transaction === undefined) return undefined
  const head = transaction.type === 0 ? data.subarray(0, 0) : data.subarray(0, 1)
  const items = RLP.decode(data.subarray(head.length)) as Item[]
  items[dataPlaces[transaction.type]!] = uploaded
  return keccak256(Buffer.concat([head, RLP.encode(items)]))
}

/** The items of the one list that there is; throws for another number of them. */
function fieldsOf(bytes: Uint8Array, count: number): Item[] {
  const items: Item = RLP.decode(bytes)
  if (!Array.isArray(items) || items.length !== count) throw new RangeError(`no list of ${count} items`)
  return items
}

const noFees = { gasPrice: null, maxFeePerGas: null, maxPriorityFeePerGas: null }

/** nonce, gas price, gas limit, to, value, data, v, r, s */
function legacy(items: readonly Item[]): EthereumTransaction {
  const v = bytesAt(items, 6)
  const number = numberOf(v)
  return {
    type: 0,
    // EIP-155 puts the chain into v; 27 and 28 are older.
    chainId: number > 34n ? bytesOf((number - 35n) >> 1n) : null,
    nonce: int64At(items, 0),
    ...noFees,
    gasPrice: quantityAt(items, 1),
    ...callAt(items, 2),
    accessList: null,
    authorizationList: null,
    recoveryId: number % 2n === 1n ? 0 : 1,
    signatureV: v,
    signatureR: bytesAt(items, 7),
    signatureS: bytesAt(items, 8),
  }
}

/** chain id, nonce, gas price, gas limit, to, value, data, access list, parity, r, s */
function accessListed(items: readonly Item[]): EthereumTransaction {
  return {
    ...typed(1, items),
    ...noFees,
    gasPrice: quantityAt(items, 2),
    ...callAt(items, 3),
    ...signatureAt(items, 8),
  }
}

/** chain id, nonce, priority fee, fee, gas limit, to, value, data, access list, parity, r, s */
function dynamicFee(items: readonly Item[]): EthereumTransaction {
  return { ...typed(2, items), ...feesAt(items, 2), ...callAt(items, 4), ...signatureAt(items, 9) }
}

/** As dynamicFee, with the list of authorizations before the signature. */
function codeDelegating(items: readonly Item[]): EthereumTransaction {
  const authorizationList = listAt(items, 9).map(authorizationOf)
  return { ...dynamicFee([...items.slice(0, 9), ...items.slice(10)]), type: 4, authorizationList }
}

function typed(type: 1 | 2, items: readonly Item[]) {
  const accessList = listAt(items, type === 1 ? 7 : 8)
  accessListEntries(accessList)
  return {
    type,
    chainId: quantityAt(items, 0),
    nonce: int64At(items, 1),
    accessList: accessList.length === 0 ? null : Buffer.concat(accessList.map((entry) => RLP.encode(entry))),
    authorizationList: null,
    signatureV: null,
  }
}

function feesAt(items: readonly Item[], place: number) {
  return { gasPrice: null, maxPriorityFeePerGas: quantityAt(items, place), maxFeePerGas: quantityAt(items, place + 1) }
}

function callAt(items: readonly Item[], place: number) {
  return {
    gasLimit: int64At(items, place),
    toAddress: bytesAt(items, place + 1),
    value: signed(bytesAt(items, place + 2)),
    callData: bytesAt(items, place + 3),
  }
}

function signatureAt(items: readonly Item[], place: number) {
  return {
    recoveryId: Number(numberOf(bytesAt(items, place))),
    signatureR: bytesAt(items, place + 1),
    signatureS: bytesAt(items, place + 2),
  }
}

function authorizationOf(item: Item): Authorization {
  if (!Array.isArray(item) || item.length !== 6) throw new RangeError('no authorization of 6 items')
  return {
    chainId: quantityAt(item, 0),
    address: bytesAt(item, 1),
    nonce: int64At(item, 2),
    yParity: Number(numberOf(bytesAt(item, 3))),
    r: bytesAt(item, 4),
    s: bytesAt(item, 5),
  }
}

function bytesAt(items: readonly Item[], place: number): Buffer {
  const item = items[place]
  if (!(item instanceof Uint8Array)) throw new RangeError(`item ${place} is no text`)
  return asBuffer(item)
}

/** A number, of which zero is one byte: empty means that there is none. */
function quantityAt(items: readonly Item[], place: number): Buffer {
  const bytes = bytesAt(items, place)
  return bytes.length === 0 ? Buffer.alloc(1) : bytes
}

function listAt(items: readonly Item[], place: number): Item[] {
  const item = items[place]
  if (!Array.isArray(item)) throw new RangeError(`item ${place} is no list`)
  return item
}

function numberOf(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${asBuffer(bytes).toString('hex')}`)
}

/** Numbers that no ledger can count to are cut down to the largest that a row holds. */
function int64At(items: readonly Item[], place: number): bigint {
  const number = numberOf(bytesAt(items, place))
  if (number > maxInt64) return maxInt64
  return number
}

function bytesOf(number: bigint): Buffer {
  const hex = number.toString(16)
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
}

function signed(bytes: Buffer): Buffer {
  return bytes.length === 0 || bytes[0]! >= 0x80 ? Buffer.concat([Buffer.alloc(1), bytes]) : bytes
}
