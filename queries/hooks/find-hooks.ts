import type { hooksSchema } from '#projections/hooks/schema.ts'
import type { Filters } from '#queries/common/parameters.ts'
import { lastValue } from '#queries/common/parameters.ts'
import { selectionOf, sorted } from '#queries/common/selection.ts'
import { type hookParameters, pageDefault } from '#queries/hooks/params.ts'
import type { HookContext } from '#queries/hooks/reads.ts'
import { maxInt64 } from '#src/domain/ledger-time.ts'
import type { RowOf } from '#src/ports/read-store.ts'

const fields = ['owner', 'hookId', 'from', 'until', 'contractId', 'type', 'adminKey', 'created', 'deleted'] as const

export type FoundHook = Pick<RowOf<typeof hooksSchema, 'hooks'>, (typeof fields)[number]>

/** The hooks of an owner that the filters leave, deleted ones as well. */
export async function findHooks(
  owner: bigint,
  filters: Filters<typeof hookParameters>,
  { rows }: HookContext,
): Promise<FoundHook[]> {
  const limit = lastValue(filters.limit) ?? pageDefault
  const order = lastValue(filters.order) ?? 'desc'
  const { equal, ...range } = selectionOf(filters['hook.id'], maxInt64)
  if (equal !== undefined) {
    const keys = sorted(equal, order).map((hookId) => [owner, hookId] as const)
    const named = await rows.hooks.get('hooks', keys, fields)
    return named.filter((hook) => hook !== undefined).slice(0, limit)
  }
  const query = { collection: 'hooks', index: ['owner', 'hookId'], prefix: [owner], select: fields } as const
  if (range.lower > range.upper) return []
  const bounds = { lower: { value: range.lower, inclusive: true }, upper: { value: range.upper, inclusive: true } }
  return rows.hooks.find({ ...query, ...bounds, descending: order === 'desc', limit })
}
