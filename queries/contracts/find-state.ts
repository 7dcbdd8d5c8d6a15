import type { SlotRow } from '#projections/contracts/schema.ts'
import { eachStep, firstOf, inSteps, type Step, type SteppedRange, wordStep } from '#queries/common/in-steps.ts'
import type { ListRequest } from '#queries/common/list-route.ts'
import { atOrBefore, type Range, readOf, selectionOf, valuesOf } from '#queries/common/range.ts'
import type { stateParameters } from '#queries/contracts/params.ts'
import type { ContractContext } from '#queries/contracts/reads.ts'
import { numberOfWord, wordOfNumber } from '#src/domain/evm-words.ts'

export interface FoundSlot {
  readonly slot: Uint8Array
  /** When it got the value, or when that was read. */
  readonly time: bigint
  readonly value: Uint8Array
}

/** Which slots of a contract's storage. */
interface StatePage extends SteppedRange {
  readonly contract: bigint
  /** Only slots with a value: those that were only ever read have none. */
  readonly onlyPresent: boolean
}

type ShownSlot = Omit<SlotRow, 'initial'>

/** What a slot shows; undefined when it has no place in the answer. */
type Show = (slot: ShownSlot) => Promise<FoundSlot | undefined>

const fields = ['contract', 'slot', 'present', 'value', 'modified', 'first', 'changed'] as const
const slotMax = (1n << 256n) - 1n

/** The slots that the filters leave: those with a value, or with times the newest change of each in their window. */
export async function findState(
  contract: bigint,
  { filters, order, limit }: Pick<ListRequest<typeof stateParameters>, 'filters' | 'order' | 'limit'>,
  context: ContractContext,
): Promise<FoundSlot[]> {
  const { lower, upper, ...asked } = selectionOf(filters.slot, 0n, slotMax)
  const instant = context.checkpoint.time
  const onlyPresent = filters.timestamp.length === 0
  const window = selectionOf(atOrBefore(filters.timestamp))
  const show: Show = onlyPresent
    ? (slot) => presentValue(slot, instant, context)
    : (slot) => pastValue(slot, window, context)
  const page: StatePage = { contract, order, limit, lower, upper, onlyPresent }
  const equal = valuesOf({ ...asked, lower, upper }, order)
  if (equal === undefined) return findEvery(page, show, context)
  const keys = equal.map((slot) => [contract, wordOfNumber(slot)] as const)
  const named = await context.rows.contracts.get('slots', keys, fields)
  const shown = await Promise.all(named.map(async (slot) => slot && show(slot)))
  return shown.filter((slot) => slot !== undefined).slice(0, limit)
}

/** Reads on until the page is full: slots that show nothing take no place on it. */
function findEvery(page: StatePage, show: Show, { rows, pause }: ContractContext): Promise<FoundSlot[]> {
  const { contract, limit, onlyPresent } = page
  const query = { collection: 'slots', select: fields } as const
  const find = (step: Step) =>
    onlyPresent
      ? rows.contracts.find({
          ...query,
          ...wordStep(step),
          index: ['contract', 'present', 'slot'],
          prefix: [contract, 1],
        })
      : rows.contracts.find({ ...query, ...wordStep(step), index: ['contract', 'slot'], prefix: [contract] })
  const steps = inSteps({ ...page, next: () => limit }, pause, find, ({ slot }) => numberOfWord(slot))
  const shown = eachStep(steps, (slots) => Promise.all(slots.map(show)))
  return firstOf(shown, limit, (slot) => slot !== undefined) as Promise<FoundSlot[]>
}

/** The value at the instant: where a later event has set another one, the one before. */
async function presentValue(
  { contract, slot, value, modified }: ShownSlot,
  instant: bigint,
  { rows }: ContractContext,
): Promise<FoundSlot | undefined> {
  if (value === null || modified === null) return undefined
  if (modified <= instant) return { slot, time: modified, value }
  const [before] = await rows.contracts.find({
    collection: 'slotChanges',
    index: ['contract', 'slot', 'time'],
    prefix: [contract, slot],
    filters: [{ field: 'sets', op: 'eq', value: 1 }],
    descending: true,
    limit: 1,
    select: ['slot', 'time', 'value'],
  })
  return before
}

async function pastValue(
  { contract, slot, first }: ShownSlot,
  window: Range,
  { rows }: ContractContext,
): Promise<FoundSlot | undefined> {
  if (first > window.upper) return undefined
  const [change] = await rows.contracts.find({
    collection: 'slotChanges',
    index: ['contract', 'slot', 'time'],
    prefix: [contract, slot],
    ...readOf(window, 'desc', 1),
    select: ['slot', 'time', 'value'],
  })
  return change
}
