import { holderAt, type NameRow } from '#projections/entity-ids/schema.ts'
import type { AccountID, ContractID } from '#schemas/events/types.ts'
import { evmAddressBytes, evmAddressOfAlias } from '#src/domain/evm-address.ts'
import { type Entity, resolveAccount, resolveContract } from '#src/events/ids.ts'

/** Finds the row of a name: `(name) => rows.get('entityNames', name)`. */
export type FindName = (name: Uint8Array) => NameRow | undefined

/** The entity that a body names as an account, by number, EVM address or alias; null when it names none that exists. */
export function accountIdOf(id: AccountID | null, find: FindName, time: bigint): bigint | null {
  return idOf(resolveAccount(id), find, time)
}

/** The same of a contract, by number or EVM address. */
export function contractIdOf(id: ContractID | null, find: FindName, time: bigint): bigint | null {
  return idOf(resolveContract(id), find, time)
}

/** The entity of an id that the decoder has already read: a number, or a name that only state resolves. */
export function idOf({ id, address }: Entity, find: FindName, time: bigint): bigint | null {
  if (address === null) return id
  const holder = holderAt(find(address), time)
  if (holder !== undefined || address.length === evmAddressBytes) return holder ?? null
  // The account of a secp256k1 key may have been made by its address, before the key was known.
  const derived = evmAddressOfAlias(address)
  return derived === null ? null : (holderAt(find(derived), time) ?? null)
}
