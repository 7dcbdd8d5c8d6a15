import { RLP } from '@ethereumjs/rlp'

type Item = Uint8Array | Item[]

/** What a transaction says that it will touch (EIP-2930): a contract, and slots of its storage. */
export interface AccessListEntry {
  /** At most 20 bytes. */
  readonly address: Uint8Array
  /** At most 32 bytes each. */
  readonly storageKeys: readonly Uint8Array[]
}

const addressBytes = 20
const wordBytes = 32

/** The entries of a decoded list; throws a RangeError where one is none. */
export function accessListEntries(items: readonly Item[]): AccessListEntry[] {
  return items.map((item) => {
    const [address, keys, ...others] = Array.isArray(item) ? item : []
    const isEntry = isBytes(address, addressBytes) && Array.isArray(keys) && others.length === 0
    if (!isEntry || !keys.every((key) => isBytes(key, wordBytes))) throw new RangeError('no entry of an access list')
    return { address, storageKeys: keys }
  })
}

function isBytes(item: Item | undefined, max: number): item is Uint8Array {
  return item instanceof Uint8Array && item.length <= max
}

/** Of its RLP, as the entries one behind the other or as the list of them; undefined of bytes that are neither. */
export function readAccessList(bytes: Uint8Array): AccessListEntry[] | undefined {
  try {
    const items = itemsOf(bytes)
    const [only] = items
    const isList = items.length === 1 && Array.isArray(only) && only.every((item) => Array.isArray(item))
    return accessListEntries(isList ? only : items)
  } catch {
    // The bytes of a transaction are read when it is recorded; what a statement says may be anything.
    return undefined
  }
}

function itemsOf(bytes: Uint8Array): Item[] {
  const items: Item[] = []
  for (let rest = bytes; rest.length > 0; ) {
    const { data, remainder } = RLP.decode(rest, true)
    items.push(data)
    rest = remainder
  }
  return items
}
