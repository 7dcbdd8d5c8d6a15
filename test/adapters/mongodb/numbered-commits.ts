import type { CommitBatch, ProjectionSchema, ReadStore, Row } from '#src/ports/read-store.ts'

/** Two read models whose rows follow from the position alone, so that any interrupted history can be checked. */
const slots = {
  kind: 'state',
  fields: { slot: 'int32', value: 'int64', label: 'text', data: 'bytes?' },
  key: ['slot'],
  indexes: [['value']],
} as const

/** Event n puts slot n mod 11 and removes slot (3n + 1) mod 11. */
export const changingSchema: ProjectionSchema = { name: 'changing', version: 1, collections: { slots } }

/** Event n adds slot n, and itself to the list of its window, slot -(n div 16) - 1. */
export const growingSchema: ProjectionSchema = {
  name: 'growing',
  version: 1,
  collections: { slots: { ...slots, kind: 'facts', untimed: 'sample' } },
}

/** Whether rows are only ever added. */
export function onlyGrows({ collections }: ProjectionSchema): boolean {
  return Object.values(collections).every(({ kind }) => kind === 'facts')
}

const slotCount = 11
const windowSize = 16

/** Bytes that every row carries besides. */
export interface Padding {
  readonly bytes: number
}

type State = Map<number, Row | undefined>

function slotRow(slot: number, value: number, label: string, { bytes }: Padding): Row {
  return { slot, value: BigInt(value), label, data: bytes === 0 ? null : new Uint8Array(bytes).fill(value) }
}

function change(schema: ProjectionSchema, state: State, event: number, padding: Padding): void {
  if (onlyGrows(schema)) {
    const window = -Math.floor(event / windowSize) - 1
    state.set(event, slotRow(event, event, `event ${event}`, padding))
    const first = Math.max(1, event - (event % windowSize))
    const all = Array.from({ length: event - first + 1 }, (_, index) => first + index)
    state.set(window, slotRow(window, first, all.join(), { bytes: 0 }))
    return
  }
  state.set((event * 3 + 1) % slotCount, undefined)
  state.set(event % slotCount, slotRow(event % slotCount, event, `event ${event}`, padding))
}

/** The commit that brings the rows from one position to another. Every seventh event is parked. */
export function commitOf(
  schema: ProjectionSchema,
  from: number,
  to: number,
  padding: Padding = { bytes: 0 },
): CommitBatch {
  const state: State = new Map()
  for (let event = from + 1; event <= to; event++) change(schema, state, event, padding)
  const puts = [...state.values()].flatMap((row) => (row ? [{ collection: 'slots', row }] : []))
  const deletes = [...state].flatMap(([slot, row]) => (row ? [] : [{ collection: 'slots', key: [slot] }]))
  const parked = Array.from({ length: to - from }, (_, index) => from + 1 + index).filter((event) => event % 7 === 0)
  return {
    from,
    to: { position: to, time: BigInt(to) },
    puts,
    deletes,
    parked: parked.map((sequence) => ({ sequence, error: `event ${sequence}` })),
  }
}

/** What a reader has to find at a position: rows in key order without padding, and parked events. */
export function expectedAt(schema: ProjectionSchema, position: number) {
  const state: State = new Map()
  for (let event = 1; event <= position; event++) change(schema, state, event, { bytes: 0 })
  const rows = [...state].flatMap(([slot, row]) => (row ? [{ slot, value: row['value'], label: row['label'] }] : []))
  return {
    position,
    rows: rows.toSorted((left, right) => left.slot - right.slot),
    parked: Array.from({ length: Math.floor(position / 7) }, (_, index) => 7 * (index + 1)),
  }
}

export async function foundIn(store: ReadStore, schema: ProjectionSchema) {
  const reader = await store.openReader(schema)
  const rows = await reader.find({
    collection: 'slots',
    index: ['slot'],
    limit: 10_000,
    select: ['slot', 'value', 'label'],
  })
  return {
    position: (await reader.checkpoint())?.position ?? 0,
    rows: rows.map((row) => ({ ...row })),
    parked: (await reader.parked(0, 10_000)).map(({ sequence }) => sequence),
  }
}
