import { type EntityRow, entityFields } from '#projections/entities/schema.ts'
import type { EntityReference } from '#queries/common/entity-id-parameter.ts'
import { allAtBound, findCurrent } from '#queries/common/find-version.ts'
import { inSteps, type Step } from '#queries/common/in-steps.ts'
import { type Filter, type Filters, lastValue, type Order, pageSize } from '#queries/common/parameters.ts'
import { type Selection, selectionOf, sorted } from '#queries/common/selection.ts'
import { getContractId } from '#queries/contracts/find-contract.ts'
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

/** With addresses turned into ids; `not_found` where one is nobody's. */
function idFilters(
  filters: readonly Filter<EntityReference>[],
  { rows, checkpoint }: ContractContext,
): Promise<Filter<bigint>[]> {
  return Promise.all(
    filters.map(async ({ operator, value }) => ({
      operator,
      value: await getContractId(rows.entities, value, checkpoint),
    })),
  )
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
  const query = { collection: 'entities', index: ['type', 'id'], prefix: ['CONTRACT'], select: entityFields } as const
  const range = { lower, upper, order, limit, furtherRows: limit }
  const find = (step: Step): Promise<EntityRow[]> => rows.entities.find({ ...query, ...step })
  for await (const page of inSteps(range, pause, find, ({ id }) => id)) {
    const bounded = await allAtBound(rows.entities, page, checkpoint)
    found.push(...(bounded.filter((row) => row !== undefined && !excluded.has(row.id)) as EntityRow[]))
    if (found.length >= limit) break
  }
  return found
}
