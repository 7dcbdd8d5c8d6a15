import { hooksSchema } from '#projections/hooks/schema.ts'
import { newestAt } from '#queries/common/newest-at.ts'
import type { Filters } from '#queries/common/parameters.ts'
import { lastValue } from '#queries/common/parameters.ts'
import type { QueryContext } from '#queries/common/route.ts'
import { selectionOf, sorted } from '#queries/common/selection.ts'
import { versionsAt } from '#queries/common/version-at.ts'
import { type hookParameters, pageDefault } from '#queries/hooks/params.ts'
import { maxInt64 } from '#src/domain/ledger-time.ts'
import type { RowOf } from '#src/ports/read-store.ts'

/** What the queries of hooks read from. */
export const hookReads = { hooks: hooksSchema }

export type HookContext = QueryContext<typeof hookReads>

const fields = ['hookId', 'from', 'until', 'contractId', 'type', 'adminKey', 'created', 'deleted'] as const

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
    return (await atBound(owner, named, context)).slice(0, limit)
  }
  const found: FoundHook[] = []
  let { lower, upper } = range
  while (lower <= upper && found.length < limit) {
    const page = await rows.hooks.find({
      collection: 'hooks',
      index: ['owner', 'hookId'],
      prefix: [owner],
      lower: { value: lower, inclusive: true },
      upper: { value: upper, inclusive: true },
      descending: order === 'desc',
      limit,
      select: fields,
    })
    found.push(...(await atBound(owner, page, context)))
    const last = page.at(-1)
    // Hooks that came into being while this request runs take no place on its page.
    if (last === undefined || page.length < limit) break
    if (order === 'desc') upper = last.hookId - 1n
    else lower = last.hookId + 1n
    await pause()
  }
  return found.slice(0, limit)
}

async function atBound(
  owner: bigint,
  newest: readonly (FoundHook | undefined)[],
  { rows, checkpoint: { time } }: HookContext,
): Promise<FoundHook[]> {
  const versions = await versionsAt(newest, time, ({ hookId }) =>
    rows.hooks.find({
      collection: 'hookVersions',
      index: ['owner', 'hookId', 'from'],
      prefix: [owner, hookId],
      ...newestAt(time),
      select: fields,
    }),
  )
  return versions.filter((row) => row !== undefined)
}
