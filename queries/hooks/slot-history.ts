import type { SlotRow } from '#projections/hooks/schema.ts'
import type { Range } from '#queries/common/range.ts'
import type { HookContext } from '#queries/hooks/reads.ts'

/** A slot as an answer shows it. */
export interface FoundSlot {
  readonly key: Uint8Array
  /** Empty when removed; null when only read. */
  readonly value: Uint8Array | null
  /** ns; of the change that made it so. */
  readonly time: bigint
}

/** Changes read at once while looking for a write among reads. */
const changesPerRead = 16

/** The newest change of a slot in a window. Nearly always it is the newest of all, which the slot's row knows. */
export async function findLastChange(
  slot: SlotRow,
  { lower, upper }: Range,
  context: HookContext,
): Promise<FoundSlot | undefined> {
  const { key, changed, written } = slot
  if (changed < lower || lower > upper) return undefined
  if (changed <= upper) return { key, value: written, time: changed }
  const [change] = await changesBefore(slot, upper, 1, context)
  return change && change.time >= lower ? { key, value: change.valueWritten, time: change.time } : undefined
}

/** What a slot held at a time; undefined when it was not present. */
export async function findLastWrite(slot: SlotRow, time: bigint, context: HookContext): Promise<FoundSlot | undefined> {
  const { key, value, modified, deleted } = slot
  if (modified !== null && modified <= time) return deleted === 0 ? { key, value, time: modified } : undefined
  for (let upper = time; modified !== null; ) {
    const changes = await changesBefore(slot, upper, changesPerRead, context)
    const write = changes.find(({ valueWritten }) => valueWritten !== null)
    if (write?.valueWritten)
      return write.valueWritten.length > 0 ? { ...write, key, value: write.valueWritten } : undefined
    const last = changes.at(-1)
    if (last === undefined || changes.length < changesPerRead) break
    upper = last.time - 1n
    await context.pause()
  }
  return undefined
}

/** The newest first. */
function changesBefore({ owner, hookId, key }: SlotRow, upper: bigint, limit: number, { rows }: HookContext) {
  return rows.hooks.find({
    collection: 'slotChanges',
    index: ['owner', 'hookId', 'key', 'time'],
    prefix: [owner, hookId, key],
    upper: { value: upper, inclusive: true },
    descending: true,
    limit,
    select: ['time', 'valueWritten'],
  })
}
