import type { EntityIdSchema } from '#projections/entity-ids/schema.ts'
import type { TransactionRecorded } from '#schemas/events/types.ts'
import { asBuffer } from '#src/domain/bytes.ts'
import { evmAddressOfAlias } from '#src/domain/evm-address.ts'
import type { RowOf } from '#src/ports/read-store.ts'

export type Names = Omit<RowOf<EntityIdSchema, 'namedEntities'>, 'id'>

export const noNames: Names = { alias: null, evmAddress: null }

type CreationFacts = Pick<TransactionRecorded, 'record' | 'cryptoCreateAccount'>

/**
 * What a successful creation of an account names it: the record's alias before the body's, and the record's EVM address
 * before the one that the alias stands for.
 */
export function namesOfAccount({ record, cryptoCreateAccount: body }: CreationFacts): Names {
  const alias = nonEmpty(record?.alias) ?? nonEmpty(body?.alias)
  return { alias, evmAddress: nonEmpty(record?.evmAddress) ?? (alias && evmAddressOfAlias(alias)) }
}

/** A contract's address is told by the result of its creation, where it is not made of its number. */
export function namesOfContract({ record }: Pick<TransactionRecorded, 'record'>): Names {
  return { alias: null, evmAddress: nonEmpty(record?.contractCreateResult?.evmAddress) }
}

/** Names never change once given: a contract at the address of an account keeps the account's. */
export function mergedNames(known: Names | undefined, added: Names): Names {
  return { alias: known?.alias ?? added.alias, evmAddress: known?.evmAddress ?? added.evmAddress }
}

/** The names as keys, each once: an alias of 20 bytes is an EVM address too. */
export function keysOf({ alias, evmAddress }: Names): Uint8Array[] {
  if (alias === null) return evmAddress === null ? [] : [evmAddress]
  return evmAddress === null || sameBytes(alias, evmAddress) ? [alias] : [alias, evmAddress]
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return asBuffer(a).equals(b)
}

function nonEmpty(bytes: Uint8Array | null | undefined): Uint8Array | null {
  return bytes && bytes.length > 0 ? bytes : null
}
