import { compile } from '#src/domain/compile.ts'
import { type CollectionSchema, type Row, type Value, type ValueKind, valueKind } from '#src/ports/read-store.ts'
import { arenaBytes, type ByteArena } from '#src/runtime/fold/byte-arena.ts'

/** Where a row is. */
export type Slot = number

/**
 * Rows of one collection by slot, a column for each field: numbers lie in typed arrays and bytes in an arena, which the
 * collector never looks into. Rows that change with every event would otherwise be promoted and die old, which costs more than
 * folding them.
 */
export interface RowSlab {
  /** A row as it was stored last; each call makes a new object. Its byte arrays are views of the arena. */
  read(slot: Slot): Row
  /** Copies the values. */
  write(slot: Slot, row: Row): void
  /** Lets go of what the slot refers to. */
  clear(slot: Slot): void
  /** Values of the key fields, also of a row that there is none of. */
  key(slot: Slot): readonly Value[]
  writeKey(slot: Slot, key: readonly Value[]): void
  /** Makes room for so many slots, keeping what is there. */
  grow(slots: number): void
  /** Bytes that texts and byte arrays of a row take beside the columns. */
  referredBytes(slot: Slot): number
}

/** Of a text beside its letters, about. */
const textBytes = 32

const columnOf: Readonly<Record<ValueKind, (slots: string) => string>> = {
  int64: (slots) => `new BigInt64Array(${slots})`,
  int32: (slots) => `new Float64Array(${slots})`,
  text: () => '[]',
  /** Places in the arena. */
  bytes: (slots) => `new Uint32Array(${slots})`,
}

/** Heap bytes of one slot's columns. */
export function slotBytes({ fields }: Pick<CollectionSchema, 'fields'>): number {
  return 8 * Object.keys(fields).length
}

interface Column {
  readonly field: string
  readonly kind: ValueKind
  /** Numbers cannot say that there is none; a byte beside them does. */
  readonly hasMarks: boolean
}

/**
 * Builds the slab as source text once, as views of events are: access by field name in a loop costs several times as much.
 * Names come from the schema, which the code base owns.
 */
export function createRowSlab({ fields, key }: Pick<CollectionSchema, 'fields' | 'key'>, arena: ByteArena): RowSlab {
  const columns = Object.entries(fields).map(([field, declared]): Column => {
    const kind = valueKind(declared)
    return { field, kind, hasMarks: declared.endsWith('?') && kind.startsWith('int') }
  })
  const keyColumns = key.map((field) => columns.findIndex((column) => column.field === field))
  return compile(slabSource(columns, keyColumns), { arena, arenaBytes })
}

/** `c0` is the first column, `m0` says where it has a value, and `n0` how long byte arrays are, -1 where there is none. */
function slabSource(columns: readonly Column[], key: readonly number[]): string {
  const each = (write: (column: Column, index: number) => string): string => columns.map(write).join('\n')
  const indexesOf = (isWanted: (column: Column) => boolean): number[] =>
    columns.flatMap((column, index) => (isWanted(column) ? [index] : []))
  const marked = indexesOf(({ hasMarks }) => hasMarks)
  const texts = indexesOf(({ kind }) => kind === 'text')
  const bytes = indexesOf(({ kind }) => kind === 'bytes')
  const typed = indexesOf(({ kind }) => kind !== 'text')
  const read = ({ kind, hasMarks }: Column, index: number): string => {
    if (kind === 'bytes') return `bytesAt(c${index}, n${index}, slot)`
    return hasMarks ? `m${index}[slot] === 0 ? null : c${index}[slot]` : `c${index}[slot]`
  }
  const write = ({ kind, hasMarks }: Column, index: number, value: string): string => {
    if (kind === 'bytes') return `putBytes(c${index}, n${index}, slot, ${value})`
    if (kind === 'text') return `c${index}[slot] = ${value} ?? null`
    return hasMarks
      ? `{ const value = ${value} ?? null; m${index}[slot] = value === null ? 0 : 1; if (value !== null) c${index}[slot] = value }`
      : `c${index}[slot] = ${value}`
  }
  return `
    ${each(({ kind }, index) => `let c${index} = ${columnOf[kind]('0')}`)}
    ${marked.map((index) => `let m${index} = new Uint8Array(0)`).join('\n')}
    ${bytes.map((index) => `let n${index} = new Int32Array(0)`).join('\n')}
    const grown = (column, slots) => { const wider = new column.constructor(slots); wider.set(column); return wider }
    const nothing = new Uint8Array(0)
    const bytesAt = (places, lengths, slot) => {
      const length = lengths[slot]
      return length > 0 ? arena.read(places[slot], length) : length === 0 ? nothing : null
    }
    const putBytes = (places, lengths, slot, value) => {
      const length = lengths[slot]
      if (length > 0) {
        if (value && arena.holds(places[slot], value)) return
        arena.free(places[slot])
      }
      lengths[slot] = value ? value.length : -1
      if (value && value.length > 0) places[slot] = arena.write(value)
    }
    return {
      read: (slot) => ({
        ${columns.map((column, index) => `${JSON.stringify(column.field)}: ${read(column, index)}`).join(',\n')}
      }),
      write: (slot, row) => {
        ${each((column, index) => write(column, index, `row[${JSON.stringify(column.field)}]`))}
      },
      clear: (slot) => {
        ${texts.map((index) => `c${index}[slot] = null`).join('\n')}
        ${bytes.map((index) => `putBytes(c${index}, n${index}, slot, null)`).join('\n')}
      },
      key: (slot) => [${key.map((index) => read(columns[index]!, index)).join(', ')}],
      writeKey: (slot, key) => {
        ${key.map((index, at) => write(columns[index]!, index, `key[${at}]`)).join('\n')}
      },
      grow: (slots) => {
        ${typed.map((index) => `c${index} = grown(c${index}, slots)`).join('\n')}
        ${marked.map((index) => `m${index} = grown(m${index}, slots)`).join('\n')}
        ${bytes.map((index) => `n${index} = grown(n${index}, slots)`).join('\n')}
        ${texts.map((index) => `while (c${index}.length < slots) c${index}.push(null)`).join('\n')}
      },
      referredBytes: (slot) => ${[
        '0',
        ...texts.map((index) => `(c${index}[slot] === null ? 0 : ${textBytes} + c${index}[slot].length)`),
        ...bytes.map((index) => `(n${index}[slot] > 0 ? arenaBytes(n${index}[slot]) : 0)`),
      ].join(' + ')},
    }`
}
