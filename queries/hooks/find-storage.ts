import type { SlotRow } from '#projections/hooks/schema.ts'
import { min } from '#queries/common/bigints.ts'
import { eachStep, firstOf, inSteps, type Step, type SteppedRange, wordStep } from '#queries/common/in-steps.ts'
import type { ListRequest } from '#queries/common/list-route.ts'
import { isEmpty, lastWindow, readOf, selectionOf, sorted, valuesOf } from '#queries/common/range.ts'
import { keyMax, type storageParameters } from '#queries/hooks/params.ts'
import type { HookContext } from '#queries/hooks/reads.ts'
import { type FoundSlot, findLastChange, findLastWrite } from '#queries/hooks/slot-history.ts'
import { numberOfWord, wordOfNumber } from '#src/domain/evm-words.ts'

/** Which storage, and the keys of a page of it. */
interface StoragePage extends SteppedRange {
  readonly owner: bigint
  readonly hookId: bigint
}

/** What a slot shows; undefined when it has no place in the answer. */
type Show = (slot: SlotRow) => Promise<FoundSlot | undefined>

const presentFields = ['key', 'value', 'modified'] as const
const fields = ['owner', 'hookId', 'key', 'value', 'created', 'modified', 'deleted', 'changed', 'written'] as const

/** The slots that the filters leave: present ones, or with times the newest change of each in their window. */
export async function findStorage(
  hook: { readonly owner: bigint; readonly hookId: bigint },
  { filters, order, limit }: Pick<ListRequest<typeof storageParameters>, 'filters' | 'order' | 'limit'>,
  context: HookContext,
): Promise<FoundSlot[]> {
  const keys = selectionOf(filters.key, 0n, keyMax)
  const equal = valuesOf(keys, order)
  const page: StoragePage = { ...hook, order, limit, lower: keys.lower, upper: keys.upper }
  const instant = context.checkpoint.time
  if (filters.timestamp.length === 0) {
    const present: Show = (slot) => findLastWrite(slot, instant, context)
    return equal ? findNamed(page, equal, present, context) : findPresent(page, present, context)
  }
  const window = lastWindow(filters.timestamp)
  const past: Show = (slot) => findLastChange(slot, { ...window, upper: min(window.upper, instant) }, context)
  // As established clients know it, bounds beside a set only decide whether the set is looked at.
  if (equal) return equal.length === 0 ? [] : findNamed(page, sorted(keys.equal, order), past, context)
  return findEvery(page, past, context)
}

async function findNamed(
  { owner, hookId, limit }: StoragePage,
  keys: readonly bigint[],
  show: Show,
  { rows }: HookContext,
): Promise<FoundSlot[]> {
  const wanted = keys.map((key) => [owner, hookId, wordOfNumber(key)] as const)
  const slots = await rows.hooks.get('slots', wanted, fields)
  const shown = await Promise.all(slots.map(async (slot) => slot && show(slot)))
  return shown.filter((slot) => slot !== undefined).slice(0, limit)
}

/**
 * One read of what is present, which is exact as long as the storage did not change beyond the instant meanwhile; where it
 * did, slots may be gone from it, and all that ever were have to be looked at.
 */
async function findPresent(page: StoragePage, show: Show, context: HookContext): Promise<FoundSlot[]> {
  const { owner, hookId, order, limit } = page
  if (isEmpty(page)) return []
  const { hooks } = context.rows
  const slots = await hooks.find({
    collection: 'slots',
    index: ['owner', 'hookId', 'deleted', 'key'],
    prefix: [owner, hookId, 0],
    ...wordStep(readOf(page, order, limit)),
    select: presentFields,
  })
  const [storage] = await hooks.get('storages', [[owner, hookId]], ['changed'])
  if (storage && storage.changed > context.checkpoint.time) return findEvery(page, show, context)
  return slots.map(({ key, value, modified }) => ({ key, value, time: modified ?? 0n }))
}

/** Reads on until the page is full: slots that show nothing take no place on it. */
function findEvery(page: StoragePage, show: Show, { rows, pause }: HookContext): Promise<FoundSlot[]> {
  const { owner, hookId, limit } = page
  const query = { collection: 'slots', index: ['owner', 'hookId', 'key'], prefix: [owner, hookId] } as const
  const find = (step: Step) => rows.hooks.find({ ...query, ...wordStep(step), select: fields })
  const steps = inSteps({ ...page, next: () => limit }, pause, find, ({ key }) => numberOfWord(key))
  const shown = eachStep(steps, (slots) => Promise.all(slots.map(show)))
  return firstOf(shown, limit, (slot) => slot !== undefined) as Promise<FoundSlot[]>
}
