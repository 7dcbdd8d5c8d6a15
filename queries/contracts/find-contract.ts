import type { entitiesSchema } from '#projections/entities/schema.ts'
import type { EntityReference } from '#queries/common/entity-id-parameter.ts'
import { notFound } from '#queries/common/errors.ts'
import { findHolder } from '#queries/common/find-entity.ts'
import { asBuffer } from '#src/domain/bytes.ts'
import { longZeroDigits } from '#src/domain/evm-address.ts'
import type { Rows } from '#src/ports/read-store.ts'

type EntityRows = Pick<Rows<typeof entitiesSchema>, 'get'>

/** The contract that a reference names: a number as it is, an address where a contract that is there has it. */
async function findContractId(entities: EntityRows, reference: EntityReference): Promise<bigint | undefined> {
  if (reference.kind === 'id') return reference.id
  const id = await findHolder(entities, Buffer.from(reference.hex, 'hex'))
  if (id === undefined) return undefined
  const [row] = await entities.get('entities', [[id]], ['type'])
  return row?.type === 'CONTRACT' ? id : undefined
}

/** As findContractId, accounts included: they send messages, and may run code. */
export async function findPartyId(entities: EntityRows, reference: EntityReference): Promise<bigint | undefined> {
  if (reference.kind === 'id') return reference.id
  const id = await findHolder(entities, Buffer.from(reference.hex, 'hex'))
  if (id === undefined) return undefined
  const [row] = await entities.get('entities', [[id]], ['type'])
  return row?.type === 'CONTRACT' || row?.type === 'ACCOUNT' ? id : undefined
}

/** As findContractId; `not_found` where an address is nobody's. */
export async function getContractId(entities: EntityRows, reference: EntityReference): Promise<bigint> {
  const id = await findContractId(entities, reference)
  if (id !== undefined) return id
  const address = reference.kind === 'address' ? reference.sent : ''
  throw notFound(`No contract with the given evm address 0x${address} has been found.`)
}

/** The EVM addresses of entities, by id: those of their own, else made of their numbers. 0 has none. */
export async function findAddresses(entities: EntityRows, ids: Iterable<bigint>): Promise<Map<bigint, string>> {
  const wanted = [...new Set(ids)].filter((id) => id !== 0n)
  if (wanted.length === 0) return new Map()
  const rows = await entities.get(
    'namedEntities',
    wanted.map((id) => [id]),
    ['evmAddress'],
  )
  return new Map(wanted.map((id, index) => [id, `0x${digitsOf(id, rows[index]?.evmAddress)}`]))
}

function digitsOf(id: bigint, address: Uint8Array | null | undefined): string {
  return address ? asBuffer(address).toString('hex') : longZeroDigits(id)
}
