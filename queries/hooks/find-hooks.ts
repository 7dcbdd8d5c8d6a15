import { hooksSchema } from '#projections/hooks/schema.ts'
import { inSteps, type Step } from '#queries/common/in-steps.ts'
import type { Filters } from '#queries/common/parameters.ts'
import { lastValue } from '#queries/common/parameters.ts'
import { selectionOf, sorted } from '#queries/common/selection.ts'
import { versionsOf } from '#queries/common/versions-of.ts'
import { type hookParameters, pageDefault } from '#queries/hooks/params.ts'
import type { HookContext } from '#queries/hooks/reads.ts'
import { maxInt64 } from '#src/domain/ledger-time.ts'
import type { RowOf } from '#src/ports/read-store.ts'

const hooks = versionsOf(hooksSchema, 'hooks')
const fields = ['owner', 'hookId', 'from', 'until', 'contractId', 'type', 'adminKey', 'created', 'deleted'] as const

export type FoundHook = Pick<RowOf<typeof hooksSchema, 'hooks'>, (typeof fields)[number]>

/** The hooks of an owner that the filters leave, deleted ones as well. */
export async function findHooks(
  owner: bigint,
  filters: Filters<typeof hookParameters>,
  context: HookContext,
): Promise<FoundHook[]> {
  const limit = lastValue(filters.limit) ?? pageDefault
  const order = lastValue(filters.order) ?? 'desc'
  const { rows, pause } = context
  const { equal, ...range } = selectionOf(filters['hook.id'], maxInt64)
  if (equal !== undefined) {
    const keys = sorted(equal, order).map((hookId) => [owner, hookId] as const)
    const named = await rows.hooks.get('hooks', keys, fields)
    return (await atBound(named, context)).slice(0, limit)
  }
  const found: FoundHook[] = []
  const query = { collection: 'hooks', index: ['owner', 'hookId'], prefix: [owner], select: fields } as const
  const find = (step: Step): Promise<FoundHook[]> => rows.hooks.find({ ...query, ...step })
  const pages = inSteps({ ...range, order, limit, furtherRows: limit }, pause, find, ({ hookId }) => hookId)
  // Hooks that came into being while this request runs take no place on its page.
  for await (const page of pages) {
    found.push(...(await atBound(page, context)))
    if (found.length >= limit) break
  }
  return found.slice(0, limit)
}

async function atBound(
  newest: readonly (FoundHook | undefined)[],
  { rows, checkpoint: { time } }: HookContext,
): Promise<FoundHook[]> {
  const versions = await hooks.atInstant(rows.hooks, newest, time, fields)
  return versions.filter((row) => row !== undefined)
}
