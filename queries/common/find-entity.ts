import type { EntityIdSchema } from '#projections/entity-ids/schema.ts'
import type { AccountReference } from '#queries/common/account-path.ts'
import { notFound } from '#queries/common/errors.ts'
import { evmAddressOfAlias } from '#src/domain/evm-address.ts'
import type { Rows } from '#src/ports/read-store.ts'

/** Rows of any read model that embeds the entity ids, as of whatever instant. */
export type NameRows = Pick<Rows<EntityIdSchema>, 'get'>

/** The entity that has a name, an alias or an EVM address; undefined when nobody has it. */
export async function findHolder(rows: NameRows, name: Uint8Array): Promise<bigint | undefined> {
  const [row] = await rows.get('entityNames', [[name]], ['id'])
  return row?.id
}

/**
 * The account that a path names: a number is taken as it is, a name must be of an entity that is there and not deleted. The
 * account of a secp256k1 key may have been made by its address, before the key was known.
 */
export async function findAccount(rows: NameRows, reference: AccountReference): Promise<bigint | undefined> {
  if (reference.kind === 'id') return reference.id
  const name = nameOf(reference)
  const address = evmAddressOfAlias(name)
  const other = address === null || address === name ? undefined : address
  return (await findHolder(rows, name)) ?? (other && findHolder(rows, other))
}

/** The id of an account that a path names; `not_found` where a name is nobody's. A number need not exist. */
export async function getAccountId(rows: NameRows, reference: AccountReference): Promise<bigint> {
  if (reference.kind === 'id') return reference.id
  const id = await findHolder(rows, nameOf(reference))
  if (id === undefined)
    throw notFound(reference.kind === 'alias' ? 'No account with a matching alias found' : 'Not found')
  return id
}

function nameOf(reference: Exclude<AccountReference, { readonly kind: 'id' }>): Uint8Array {
  return reference.kind === 'alias' ? reference.alias : Buffer.from(reference.hex, 'hex')
}
