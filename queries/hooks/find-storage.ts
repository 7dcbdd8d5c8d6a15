import type { SlotRow } from '#projections/hooks/schema.ts'
import { min } from '#queries/common/bigints.ts'
import type { Filters, Order } from '#queries/common/parameters.ts'
import { lastValue } from '#queries/common/parameters.ts'
import { selectionOf, sorted } from '#queries/common/selection.ts'
import { lastWindow } from '#queries/common/time-window.ts'
import { keyMax, keyOf, pageDefault, type storageParameters } from '#queries/hooks/params.ts'
import type { HookContext } from '#queries/hooks/reads.ts'
import { type FoundSlot, findLastChange, findLastWrite } from '#queries/hooks/slot-history.ts'

/** Which storage, and the page of it. */
interface StoragePage {
  readonly owner: bigint
  readonly hookId: bigint
  readonly order: Order
  readonly limit: number
  /** Inclusive bounds of keys. */
  readonly lower: bigint
  readonly upper: bigint
}

/** What a slot shows; undefined when it has no place in the answer. */
type Show = (slot: SlotRow) => Promise<FoundSlot | undefined>

const presentFields = ['key', 'value', 'modified'] as const
const fields = ['owner', 'hookId', 'key', 'value', 'created', 'modified', 'deleted', 'changed', 'written'] as const

/** The slots that the filters leave: present ones, or with times the newest change of each in their window. */
export async function findStorage(
  hook: { readonly owner: bigint; readonly hookId: bigint },
  filters: Filters<typeof storageParameters>,
  context: HookContext,
): Promise<FoundSlot[]> {
  const { equal, given, lower, upper } = selectionOf(filters.key, keyMax)
  const order = lastValue(filters.order) ?? 'asc'
  const page: StoragePage = { ...hook, order, limit: lastValue(filters.limit) ?? pageDefault, lower, upper }
  const bound = context.checkpoint.time
  if (filters.timestamp.length === 0) {
    const present: Show = (slot) => findLastWrite(slot, bound, context)
    return equal ? findNamed(page, equal, present, context) : findPresent(page, present, context)
  }
  const window = lastWindow(filters.timestamp)
  const past: Show = (slot) =>
    findLastChange(slot, { lower: window.lower, upper: min(window.upper ?? bound, bound) }, context)
  // As established clients know it, bounds beside a set only decide whether the set is looked at.
  if (equal) return equal.length === 0 ? [] : findNamed(page, given, past, context)
  return findEvery(page, past, context)
}

async function findNamed(
  { owner, hookId, order, limit }: StoragePage,
  keys: readonly bigint[],
  show: Show,
  { rows }: HookContext,
): Promise<FoundSlot[]> {
  const wanted = sorted(keys, order).map((key) => [owner, hookId, keyOf(key)] as const)
  const slots = await rows.hooks.get('slots', wanted, fields)
  const shown = await Promise.all(slots.map(async (slot) => slot && show(slot)))
  return shown.filter((slot) => slot !== undefined).slice(0, limit)
}

/**
 * One read of what is present, which is exact as long as the storage did not change beyond the bound meanwhile; where it
 * did, slots may be gone from it, and all that ever were have to be looked at.
 */
async function findPresent(page: StoragePage, show: Show, context: HookContext): Promise<FoundSlot[]> {
  const { owner, hookId, limit, lower, upper } = page
  if (lower > upper) return []
  const { hooks } = context.rows
  const index = ['owner', 'hookId', 'deleted', 'key'] as const
  const slots = await hooks.find({ ...readOf(page), index, prefix: [owner, hookId, 0], limit, select: presentFields })
  const [storage] = await hooks.get('storages', [[owner, hookId]], ['changed'])
  if (storage && storage.changed > context.checkpoint.time) return findEvery(page, show, context)
  return slots.map(({ key, value, modified }) => ({ key, value, time: modified ?? 0n }))
}

/** Reads on until the page is full: slots that show nothing take no place on it. */
async function findEvery(page: StoragePage, show: Show, context: HookContext): Promise<FoundSlot[]> {
  const found: FoundSlot[] = []
  const { owner, hookId, order, limit } = page
  let { lower, upper } = page
  while (lower <= upper && found.length < limit) {
    const range = readOf({ ...page, lower, upper })
    const index = ['owner', 'hookId', 'key'] as const
    const slots = await context.rows.hooks.find({ ...range, index, prefix: [owner, hookId], limit, select: fields })
    found.push(...(await Promise.all(slots.map(show))).filter((slot) => slot !== undefined))
    const last = slots.at(-1)
    if (last === undefined || slots.length < limit) break
    const key = BigInt(`0x${Buffer.from(last.key).toString('hex')}`)
    if (order === 'desc') upper = key - 1n
    else lower = key + 1n
    await context.pause()
  }
  return found.slice(0, limit)
}

function readOf({ order, lower, upper }: Pick<StoragePage, 'order' | 'lower' | 'upper'>) {
  return {
    collection: 'slots' as const,
    lower: { value: keyOf(lower), inclusive: true },
    upper: { value: keyOf(upper), inclusive: true },
    descending: order === 'desc',
  }
}
