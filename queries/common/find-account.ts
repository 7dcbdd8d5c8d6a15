import { type EntityIdSchema, holderAt } from '#projections/entity-ids/schema.ts'
import type { AccountReference } from '#queries/common/account-path.ts'
import { evmAddressOfAlias } from '#src/domain/evm-address.ts'
import type { RowOf } from '#src/ports/read-store.ts'

const fields = ['name', 'id', 'since', 'until'] as const
type Holder = RowOf<EntityIdSchema, 'entityNames'>

/** Rows of any read model that embeds the entity ids. */
interface NamedRows {
  get(
    collection: 'entityNames',
    keys: readonly (readonly [Uint8Array])[],
    select: typeof fields,
  ): Promise<(Holder | undefined)[]>
}

/**
 * The entity that a path names, as of a time (ns): a number is taken as it is, a name must be of an entity that is there
 * and not deleted.
 */
export async function findAccount(
  reference: AccountReference,
  rows: NamedRows,
  time: bigint,
): Promise<bigint | undefined> {
  if (reference.kind === 'id') return reference.id
  const name = reference.kind === 'alias' ? reference.alias : Buffer.from(reference.hex, 'hex')
  const address = evmAddressOfAlias(name)
  // The account of a secp256k1 key may have been made by its address, before the key was known.
  const names = address === null || address === name ? [name] : [name, address]
  const found = await rows.get(
    'entityNames',
    names.map((each) => [each] as const),
    fields,
  )
  return found.map((row) => holderAt(row, time)).find((id) => id !== undefined)
}
