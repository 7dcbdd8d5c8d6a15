import { type EntityRow, entityFields } from '#projections/entities/schema.ts'
import type { EntityReference } from '#queries/common/entity-id-parameter.ts'
import { firstOf, inSteps, type Step, type SteppedRange } from '#queries/common/in-steps.ts'
import type { ListRequest } from '#queries/common/list-route.ts'
import type { Filter } from '#queries/common/parameters.ts'
import { type Selection, selectionOf, valuesOf } from '#queries/common/range.ts'
import { getContractId } from '#queries/contracts/find-contract.ts'
import type { contractListParameters } from '#queries/contracts/params.ts'
import type { ContractContext } from '#queries/contracts/reads.ts'

/** Contracts of a page, by id. */
export async function findContracts(
  { filters, order, limit }: ListRequest<typeof contractListParameters>,
  context: ContractContext,
): Promise<EntityRow[]> {
  const ids = await idFilters(filters['contract.id'], context)
  const selection = selectionOf(ids)
  const equal = valuesOf(selection, order)
  if (equal === undefined) return findRange({ ...selection, order, limit, next: () => limit }, context)
  const keys = equal.map((id) => [id] as const)
  const found = await context.rows.entities.get('entities', keys, entityFields)
  return found.filter((row) => row?.type === 'CONTRACT').slice(0, limit) as EntityRow[]
}

/** With addresses turned into ids; `not_found` where one is nobody's. */
function idFilters(filters: readonly Filter<EntityReference>[], { rows }: ContractContext): Promise<Filter<bigint>[]> {
  return Promise.all(
    filters.map(async ({ operator, value }) => ({
      operator,
      value: await getContractId(rows.entities, value),
    })),
  )
}

/** Reads on where contracts that are excluded take no place on the page. */
function findRange(
  range: SteppedRange & Selection,
  { rows: { entities }, pause }: ContractContext,
): Promise<EntityRow[]> {
  const query = { collection: 'entities', index: ['type', 'id'], prefix: ['CONTRACT'], select: entityFields } as const
  const find = async (step: Step) => entities.find({ ...query, ...step })
  const steps = inSteps(range, pause, find, ({ id }) => id)
  return firstOf(steps, range.limit, ({ id }) => !range.excluded.includes(id))
}
