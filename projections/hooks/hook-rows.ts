import type { CreatedHook } from '#projections/hooks/changes.ts'
import type { HookRow, hooksSchema } from '#projections/hooks/schema.ts'
import type { FoldedRows } from '#src/runtime/fold/projection.ts'

type Rows = FoldedRows<typeof hooksSchema>

/** The only kind of code that hooks have. */
const evmType = 'EVM'

/** The hook as it was stays for readers of the past; the storage stays as it is. A hook that nobody knows is not made up. */
export function deleteHook(rows: Rows, { owner, hookId }: Pick<HookRow, 'owner' | 'hookId'>, time: bigint): void {
  const before = rows.get('hooks', owner, hookId)
  if (before) rows.put('hooks', { ...before, from: time, until: null, deleted: 1 })
}

/** Takes over nothing of an earlier hook with the same number. */
export function createHook(rows: Rows, hook: CreatedHook, time: bigint): void {
  rows.put('hooks', { ...hook, type: evmType, from: time, until: null, created: time, deleted: 0 })
}
