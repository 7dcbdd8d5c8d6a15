import type { SlotRow } from '#projections/contracts/schema.ts'
import { type Filters, lastValue, type Order, pageSize } from '#queries/common/parameters.ts'
import { selectionOf, sorted } from '#queries/common/selection.ts'
import { timeWindow } from '#queries/common/time-window.ts'
import type { stateParameters } from '#queries/contracts/params.ts'
import type { ContractContext } from '#queries/contracts/reads.ts'

export interface FoundSlot {
  readonly slot: Uint8Array
  /** When it got the value, or when that was read. */
  readonly time: bigint
  readonly value: Uint8Array
}

/** Which page of a contract's storage. */
interface StatePage {
  readonly contract: bigint
  readonly order: Order
  readonly limit: number
  /** Inclusive bounds of slots. */
  readonly lower: bigint
  readonly upper: bigint
  /** Only slots with a value: those that were only ever read have none. */
  readonly onlyPresent: boolean
}

/** What a slot shows; undefined when it has no place in the answer. */
type Show = (slot: SlotRow) => Promise<FoundSlot | undefined>

const fields = ['contract', 'slot', 'present', 'value', 'modified', 'first', 'changed'] as const
const slotMax = (1n << 256n) - 1n

/** The slots that the filters leave: those with a value, or with times the newest change of each in their window. */
export async function findState(
  contract: bigint,
  filters: Filters<typeof stateParameters>,
  context: ContractContext,
): Promise<FoundSlot[]> {
  const { equal, lower, upper } = selectionOf(filters.slot, slotMax)
  const order = lastValue(filters.order) ?? 'asc'
  const limit = pageSize(filters.limit, context.settings)
  const bound = context.checkpoint.time
  const onlyPresent = filters.timestamp.length === 0
  const window = timeWindow(filters.timestamp)
  const show: Show = onlyPresent
    ? (slot) => presentValue(slot, bound, context)
    : (slot) => pastValue(slot, window, context)
  const page: StatePage = { contract, order, limit, lower, upper, onlyPresent }
  if (equal === undefined) return findEvery(page, show, context)
  const keys = sorted(equal, order).map((slot) => [contract, slotOf(slot)] as const)
  const named = await context.rows.contracts.get('slots', keys, fields)
  const shown = await Promise.all(named.map(async (slot) => slot && show(slot)))
  return shown.filter((slot) => slot !== undefined).slice(0, limit)
}

/** Reads on until the page is full: slots that show nothing take no place on it. */
async function findEvery(page: StatePage, show: Show, { rows, pause }: ContractContext): Promise<FoundSlot[]> {
  const { contract, order, limit, onlyPresent } = page
  const index = onlyPresent ? (['contract', 'present', 'slot'] as const) : (['contract', 'slot'] as const)
  const found: FoundSlot[] = []
  let { lower, upper } = page
  while (lower <= upper && found.length < limit) {
    const slots = await rows.contracts.find({
      collection: 'slots',
      index,
      prefix: onlyPresent ? [contract, 1] : [contract],
      lower: { value: slotOf(lower), inclusive: true },
      upper: { value: slotOf(upper), inclusive: true },
      descending: order === 'desc',
      limit,
      select: fields,
    })
    found.push(...(await Promise.all(slots.map(show))).filter((slot) => slot !== undefined))
    const last = slots.at(-1)
    if (last === undefined || slots.length < limit) break
    const slot = BigInt(`0x${Buffer.from(last.slot).toString('hex')}`)
    if (order === 'desc') upper = slot - 1n
    else lower = slot + 1n
    await pause()
  }
  return found.slice(0, limit)
}

/** The value at the bound: where a later event has set another one, the one before. */
async function presentValue(
  { contract, slot, value, modified }: SlotRow,
  bound: bigint,
  { rows }: ContractContext,
): Promise<FoundSlot | undefined> {
  if (value === null || modified === null) return undefined
  if (modified <= bound) return { slot, time: modified, value }
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
  { contract, slot, first }: SlotRow,
  { lower, upper }: { readonly lower: bigint; readonly upper: bigint },
  { rows }: ContractContext,
): Promise<FoundSlot | undefined> {
  if (first > upper) return undefined
  const [change] = await rows.contracts.find({
    collection: 'slotChanges',
    index: ['contract', 'slot', 'time'],
    prefix: [contract, slot],
    lower: { value: lower, inclusive: true },
    upper: { value: upper, inclusive: true },
    descending: true,
    limit: 1,
    select: ['slot', 'time', 'value'],
  })
  return change
}

/** 32 bytes. */
function slotOf(slot: bigint): Buffer {
  return Buffer.from(slot.toString(16).padStart(64, '0'), 'hex')
}
