import { type EntityRow, entityFields } from '#projections/entities/schema.ts'
import { allAtBound, findCurrent } from '#queries/accounts/find-version.ts'
import type { EntityReference } from '#queries/common/entity-id-parameter.ts'
import { type Filter, type Filters, lastValue, type Order, pageSize } from '#queries/common/parameters.ts'
import { type Selection, selectionOf, sorted } from '#queries/common/selection.ts'
import { findContractId } from '#queries/contracts/find-contract.ts'
import type { contractListParameters } from '#queries/contracts/params.ts'
import type { ContractContext } from '#queries/contracts/reads.ts'
import { maxInt64 } from '#src/domain/ledger-time.ts'

/** Contracts of a page, by id. */
export async function findContracts(
  filters: Filters<typeof contractListParameters>,
  context: ContractContext,
): Promise<EntityRow[]> {
  const ids = await idFilters(filters['contract.id'], context)
  const selection = selectionOf(ids, maxInt64)
  const excluded = new Set(ids.filter(({ operator }) => operator === 'ne').map(({ value }) => value))
  const order = lastValue(filters.order) ?? 'desc'
  const limit = pageSize(filters.limit, context.settings)
  const hasSet = filters['contract.id'].some(({ operator }) => operator === 'eq')
  const found = hasSet
    ? await findNamed(sorted(selection.equal ?? [], order), context)
    : await findRange(selection, excluded, order, limit, context)
  return found.filter((row) => row.type === 'CONTRACT' && !excluded.has(row.id)).slice(0, limit)
}

/** With addresses turned into ids; one that is nobody's matches nothing. */
async function idFilters(
  filters: readonly Filter<EntityReference>[],
  { rows, checkpoint }: ContractContext,
): Promise<Filter<bigint>[]> {
  const found = await Promise.all(
    filters.map(async ({ operator, value }) => {
      const id = await findContractId(rows.entities, value, checkpoint)
      return id === undefined ? undefined : { operator, value: id }
    }),
  )
  return found.filter((filter) => filter !== undefined)
}

async function findNamed(ids: readonly bigint[], { rows, checkpoint }: ContractContext): Promise<EntityRow[]> {
  const found = await findCurrent(rows.entities, ids, checkpoint)
  return found.filter((row) => row !== undefined)
}

/** Reads on where contracts that came into being while this request runs, or are excluded, take no place on its page. */
async function findRange(
  { lower, upper }: Selection,
  excluded: ReadonlySet<bigint>,
  order: Order,
  limit: number,
  { rows, checkpoint, pause }: ContractContext,
): Promise<EntityRow[]> {
  const found: EntityRow[] = []
  while (lower <= upper && found.length < limit) {
    const page = await rows.entities.find({
      collection: 'entities',
      index: ['type', 'id'],
      prefix: ['CONTRACT'],
      lower: { value: lower, inclusive: true },
      upper: { value: upper, inclusive: true },
      descending: order === 'desc',
      limit,
      select: entityFields,
    })
    const bounded = await allAtBound(rows.entities, page, checkpoint)
    found.push(...(bounded.filter((row) => row !== undefined && !excluded.has(row.id)) as EntityRow[]))
    const last = page.at(-1)
    if (last === undefined || page.length < limit) break
    if (order === 'desc') upper = last.id - 1n
    else lower = last.id + 1n
    await pause()
  }
  return found
}
