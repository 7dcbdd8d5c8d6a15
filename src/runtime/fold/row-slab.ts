import { type CollectionSchema, type Row, type Value, type ValueKind, valueKind } from '#src/ports/read-store.ts'

/** Where a row is. */
export type Slot = number

/**
 * Rows of one collection by slot, a column for each field: numbers lie in typed arrays, which the collector never looks into.
 * Rows that change with every event would otherwise be promoted and die old, which costs more than folding them.
 */
export interface RowSlab {
  /** A row as it was stored last; each call makes a new object. */
  read(slot: Slot): Row
  /** Copies the values. A byte array that is part of a larger one is copied too, for it would keep all of that in memory. */
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

/** Of a typed array that refers to memory outside the heap, about. */
const referenceBytes = 160

const columnOf: Readonly<Record<ValueKind, (slots: string) => string>> = {
  int64: (slots) => `new BigInt64Array(${slots})`,
  int32: (slots) => `new Float64Array(${slots})`,
  text: () => '[]',
  bytes: () => '[]',
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
export function createRowSlab({ fields, key }: Pick<CollectionSchema, 'fields' | 'key'>): RowSlab {
  const columns = Object.entries(fields).map(([field, declared]): Column => {
    const kind = valueKind(declared)
    return { field, kind, hasMarks: declared.endsWith('?') && kind.startsWith('int') }
  })
  const keyColumns = key.map((field) => columns.findIndex((column) => column.field === field))
  return new Function(slabSource(columns, keyColumns))() as RowSlab
}

function slabSource(columns: readonly Column[], key: readonly number[]): string {
  const each = (write: (column: Column, index: number) => string): string => columns.map(write).join('\n')
  const marked = columns.flatMap(({ hasMarks }, index) => (hasMarks ? [index] : []))
  const assigned = ({ field, kind }: Column): string =>
    kind === 'bytes'
      ? `owned(row[${JSON.stringify(field)}])`
      : kind === 'text'
        ? `row[${JSON.stringify(field)}] ?? null`
        : `row[${JSON.stringify(field)}]`
  const isReferred = ({ kind }: Column): boolean => kind === 'text' || kind === 'bytes'
  const referred = columns.flatMap((column, index) => (isReferred(column) ? [index] : []))
  const numbers = columns.flatMap((column, index) => (isReferred(column) ? [] : [index]))
  return `
    ${each(({ kind }, index) => `let c${index} = ${columnOf[kind]('0')}`)}
    ${marked.map((index) => `let m${index} = new Uint8Array(0)`).join('\n')}
    const grown = (column, slots) => { const wider = new column.constructor(slots); wider.set(column); return wider }
    const owned = (bytes) =>
      bytes === null || bytes === undefined ? null
        : typeof bytes === 'string' ? bytes
        : bytes.byteLength === bytes.buffer.byteLength ? bytes : Uint8Array.prototype.slice.call(bytes)
    return {
      read: (slot) => ({
        ${columns.map(({ field, hasMarks }, index) => `${JSON.stringify(field)}: ${hasMarks ? `m${index}[slot] === 0 ? null : c${index}[slot]` : `c${index}[slot]`}`).join(',\n')}
      }),
      write: (slot, row) => {
        ${each(({ field, hasMarks }, index) =>
          hasMarks
            ? `{ const value = row[${JSON.stringify(field)}] ?? null; m${index}[slot] = value === null ? 0 : 1; if (value !== null) c${index}[slot] = value }`
            : `c${index}[slot] = ${assigned(columns[index]!)}`,
        )}
      },
      clear: (slot) => { ${referred.map((index) => `c${index}[slot] = null`).join('; ')} },
      key: (slot) => [${key.map((index) => `c${index}[slot]`).join(', ')}],
      writeKey: (slot, key) => {
        ${key.map((index, at) => `c${index}[slot] = ${isReferred(columns[index]!) ? `owned(key[${at}])` : `key[${at}]`}`).join('\n')}
      },
      grow: (slots) => {
        ${numbers.map((index) => `c${index} = grown(c${index}, slots)`).join('\n')}
        ${marked.map((index) => `m${index} = grown(m${index}, slots)`).join('\n')}
        ${referred.map((index) => `while (c${index}.length < slots) c${index}.push(null)`).join('\n')}
      },
      referredBytes: (slot) => ${referred.length === 0 ? '0' : referred.map((index) => `(c${index}[slot] === null ? 0 : ${referenceBytes} + c${index}[slot].length)`).join(' + ')},
    }`
}
