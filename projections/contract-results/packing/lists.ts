import { RLP } from '@ethereumjs/rlp'
import type { SlotChange } from '#projections/contracts/schema.ts'
import { asBuffer } from '#src/domain/bytes.ts'
import type { Authorization } from '#src/domain/ethereum-transaction.ts'

const idBytes = 8

function encodeId(id: bigint): Buffer {
  const bytes = Buffer.allocUnsafe(idBytes)
  bytes.writeBigInt64BE(id)
  return bytes
}

/** RLP: a list of contract, slot, value read, value written (an empty list for none), 1 for a migration. */
export function encodeStateChanges(changes: readonly SlotChange[]): Buffer | null {
  if (changes.length === 0) return null
  const items = changes.map(({ contract, slot, valueRead, valueWritten, migration }) => [
    encodeId(contract),
    slot,
    valueRead,
    valueWritten ?? [],
    migration ? 1 : 0,
  ])
  return asBuffer(RLP.encode(items))
}

export function decodeStateChanges(bytes: Uint8Array | null): SlotChange[] {
  if (bytes === null) return []
  return listOf(RLP.decode(bytes)).map((item) => {
    const [contract, slot, valueRead, valueWritten, migration] = listOf(item)
    return {
      contract: asBuffer(bytesOf(contract)).readBigInt64BE(0),
      slot: bytesOf(slot),
      valueRead: bytesOf(valueRead),
      valueWritten: Array.isArray(valueWritten) ? null : bytesOf(valueWritten),
      migration: bytesOf(migration).length > 0,
    }
  })
}

/** RLP as in the transaction. */
export function encodeAuthorizations(list: readonly Authorization[] | null): Buffer | null {
  if (list === null) return null
  const items = list.map(({ chainId, address, nonce, yParity, r, s }) => [chainId, address, nonce, yParity, r, s])
  return asBuffer(RLP.encode(items))
}

export function decodeAuthorizations(bytes: Uint8Array): Authorization[] {
  return listOf(RLP.decode(bytes)).map((item) => {
    const [chainId, address, nonce, yParity, r, s] = listOf(item).map((field) => asBuffer(bytesOf(field)))
    return {
      chainId: chainId!,
      address: address!,
      nonce: numberOf(nonce!),
      yParity: Number(numberOf(yParity!)),
      r: r!,
      s: s!,
    }
  })
}

type Item = Uint8Array | Item[]

function listOf(item: Item | undefined): Item[] {
  if (!Array.isArray(item)) throw new TypeError('the packed bytes hold no list here')
  return item
}

function bytesOf(item: Item | undefined): Uint8Array {
  if (item === undefined || Array.isArray(item)) throw new TypeError('the packed bytes hold a list here')
  return item
}

function numberOf(bytes: Buffer): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${bytes.toString('hex')}`)
}
