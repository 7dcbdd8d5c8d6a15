import { LedgerError } from '#src/domain/errors.ts'
import { FieldReader, wireBytes } from '#src/domain/field-reader.ts'
import type { AbiValue } from '#src/evm/abi/types.ts'
import { type HexAddress, longZeroOf, numberOf } from '#src/evm/addresses.ts'
import type { EntityFacts } from '#src/evm/ledger-state.ts'

/** Fields of the protobuf Key. */
const field = { contract: 1, ed25519: 2, threshold: 5, list: 6, secp256k1: 7, delegatable: 8 } as const
const contractNumber = 3
const keysOfList = 1
const neededOfThreshold = 1
const keysOfThreshold = 2
const ed25519Bytes = 32
const secp256k1Bytes = 33
const none = new Uint8Array(0)
const nobody = longZeroOf(0n)
const fail = (reason: string): LedgerError =>
  new LedgerError('fact_unknown', `A key of the ledger is malformed: ${reason}`)

/** A key by what it is; `many` is a list or a threshold of keys. */
export type KeyParts =
  | { readonly kind: 'contract' | 'delegatable'; readonly contract: bigint }
  | { readonly kind: 'ed25519' | 'secp256k1'; readonly bytes: Uint8Array }
  | { readonly kind: 'many'; readonly keys: readonly Uint8Array[]; readonly needed: number }

export type SimpleKey = Exclude<KeyParts, { readonly kind: 'many' }>

/** What a serialized key is; undefined for one that is none: the empty list. */
export function partsOfKey(key: Uint8Array | null): KeyParts | undefined {
  if (key === null) return undefined
  const reader = new FieldReader(Buffer.from(key), fail)
  if (!reader.next() || reader.wire !== wireBytes) return undefined
  if (reader.field === field.ed25519) return { kind: 'ed25519', bytes: reader.bytes() }
  if (reader.field === field.secp256k1) return { kind: 'secp256k1', bytes: reader.bytes() }
  if (reader.field === field.contract) return { kind: 'contract', contract: contractOf(reader.message()) }
  if (reader.field === field.delegatable) return { kind: 'delegatable', contract: contractOf(reader.message()) }
  return manyOf(reader)
}

/** A list needs all of its keys, a threshold some. */
function manyOf(reader: FieldReader): KeyParts | undefined {
  if (reader.field === field.list) {
    const keys = listed(reader.message())
    return keys.length === 0 ? undefined : { kind: 'many', keys, needed: keys.length }
  }
  if (reader.field !== field.threshold) return undefined
  const threshold = reader.message()
  let needed = 0
  let keys: Uint8Array[] = []
  while (threshold.next()) {
    if (threshold.field === neededOfThreshold) needed = threshold.int32()
    else if (threshold.field === keysOfThreshold) keys = listed(threshold.message())
  }
  return keys.length === 0 ? undefined : { kind: 'many', keys, needed }
}

function contractOf(id: FieldReader): bigint {
  while (id.next()) if (id.field === contractNumber) return id.int64()
  return 0n
}

function listed(list: FieldReader): Uint8Array[] {
  const keys: Uint8Array[] = []
  while (list.next()) if (list.field === keysOfList) keys.push(list.bytes())
  return keys
}

/** The key of an account or contract: a contract without one has itself for it. */
export function keyOfWho(who: EntityFacts | undefined): Uint8Array | null {
  if (who === undefined || who.key !== null) return who?.key ?? null
  return who.kind === 'contract' ? (contractKey(field.contract, longZeroOf(who.id)) ?? null) : null
}

/** A key as contracts see it, `KeyValue`: what they can't see counts for nothing. */
export function keyValue(key: Uint8Array | null): AbiValue {
  const parts = partsOfKey(key)
  const contract = parts?.kind === 'contract' ? longZeroOf(parts.contract) : nobody
  const delegatable = parts?.kind === 'delegatable' ? longZeroOf(parts.contract) : nobody
  const ed25519 = parts?.kind === 'ed25519' ? parts.bytes : none
  const secp256k1 = parts?.kind === 'secp256k1' ? parts.bytes : none
  return [false, contract, ed25519, secp256k1, delegatable]
}

/** The serialized key that a contract means; undefined where it names none or several, or bytes that are none. */
export function keyOfValue(value: readonly AbiValue[], inherited: Uint8Array | null): Uint8Array | undefined {
  const [isInherited, contract, ed25519, secp256k1, delegatable] = value as readonly [
    boolean,
    HexAddress,
    Uint8Array,
    Uint8Array,
    HexAddress,
  ]
  const meant: (Uint8Array | undefined)[] = []
  if (isInherited) meant.push(inherited ?? undefined)
  if (contract !== nobody) meant.push(contractKey(field.contract, contract))
  if (ed25519.length > 0) meant.push(ed25519.length === ed25519Bytes ? wrapped(field.ed25519, ed25519) : undefined)
  if (secp256k1.length > 0)
    meant.push(secp256k1.length === secp256k1Bytes ? wrapped(field.secp256k1, secp256k1) : undefined)
  if (delegatable !== nobody) meant.push(contractKey(field.delegatable, delegatable))
  return meant.length === 1 ? meant[0] : undefined
}

function contractKey(kind: number, address: HexAddress): Uint8Array | undefined {
  const number = numberOf(address)
  const evmAddress = 4
  const id =
    number === undefined
      ? wrapped(evmAddress, Buffer.from(address.slice(2), 'hex'))
      : Buffer.from([contractNumber << 3, ...varint(number)])
  return wrapped(kind, id)
}

function wrapped(number: number, bytes: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from([(number << 3) | wireBytes, bytes.length]), bytes])
}

function varint(value: bigint): number[] {
  const bytes: number[] = []
  let rest = value
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80)
  return [...bytes, Number(rest)]
}

/** The simple keys inside a key, whatever of them is needed. */
export function simpleKeysIn(key: Uint8Array | null): SimpleKey[] {
  const parts = partsOfKey(key)
  if (parts?.kind === 'many') return parts.keys.flatMap(simpleKeysIn)
  return parts === undefined ? [] : [parts]
}

/** Whether enough of its simple keys signed. */
export function isKeySatisfied(key: Uint8Array | null, hasSigned: (simple: SimpleKey) => boolean): boolean {
  const parts = partsOfKey(key)
  if (parts?.kind === 'many') return parts.keys.filter((each) => isKeySatisfied(each, hasSigned)).length >= parts.needed
  return parts !== undefined && hasSigned(parts)
}
