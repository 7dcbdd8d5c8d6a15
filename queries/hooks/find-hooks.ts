import type { hooksSchema } from '#projections/hooks/schema.ts'
import type { ListRequest } from '#queries/common/list-route.ts'
import { isEmpty, readOf, selectionOf, valuesOf } from '#queries/common/range.ts'
import type { hookParameters } from '#queries/hooks/params.ts'
import type { HookContext } from '#queries/hooks/reads.ts'
import type { RowOf } from '#src/ports/read-store.ts'

const fields = ['owner', 'hookId', 'from', 'until', 'contractId', 'type', 'adminKey', 'created', 'deleted'] as const

export type FoundHook = Pick<RowOf<typeof hooksSchema, 'hooks'>, (typeof fields)[number]>

/** The hooks of an owner that the filters leave, deleted ones as well. */
export async function findHooks(
  owner: bigint,
  { filters, order, limit }: Pick<ListRequest<typeof hookParameters>, 'filters' | 'order' | 'limit'>,
  { rows }: HookContext,
): Promise<FoundHook[]> {
  const ids = selectionOf(filters['hook.id'])
  const equal = valuesOf(ids, order)
  if (equal !== undefined) {
    const named = await rows.hooks.get(
      'hooks',
      equal.map((hookId) => [owner, hookId] as const),
      fields,
    )
    return named.filter((hook) => hook !== undefined).slice(0, limit)
  }
  if (isEmpty(ids)) return []
  const query = { collection: 'hooks', index: ['owner', 'hookId'], prefix: [owner], select: fields } as const
  return rows.hooks.find({ ...query, ...readOf(ids, order, limit) })
}
