import { type EntityIdSchema, holderAt } from '#projections/entity-ids/schema.ts'
import type { AccountReference } from '#queries/common/account-path.ts'
import { notFound } from '#queries/common/errors.ts'
import type { Checkpoint, Rows } from '#src/ports/read-store.ts'

/** Rows of any read model that embeds the entity ids. */
export type NameRows = Pick<Rows<EntityIdSchema>, 'get'>

/** The entity that has a name, an alias or an EVM address, at the request's bound; undefined when nobody has it. */
export async function findHolder(
  rows: NameRows,
  name: Uint8Array,
  { time }: Pick<Checkpoint, 'time'>,
): Promise<bigint | undefined> {
  const [row] = await rows.get('entityNames', [[name]], ['name', 'id', 'since', 'until'])
  return holderAt(row, time)
}

/** The id of an account that a path names; `not_found` where a name is nobody's. A number need not exist. */
export async function getAccountId(
  rows: NameRows,
  reference: AccountReference,
  bound: Pick<Checkpoint, 'time'>,
): Promise<bigint> {
  if (reference.kind === 'id') return reference.id
  const isAlias = reference.kind === 'alias'
  const name = isAlias ? reference.alias : Buffer.from(reference.hex, 'hex')
  const id = await findHolder(rows, name, bound)
  if (id === undefined) throw notFound(isAlias ? 'No account with a matching alias found' : 'Not found')
  return id
}
