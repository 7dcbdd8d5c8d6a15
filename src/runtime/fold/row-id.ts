import { int64ToNumber } from '#src/domain/int64-words.ts'
import { type CollectionSchema, type Row, type Value, type ValueKind, valueKind } from '#src/ports/read-store.ts'

/** What a map finds a row by. Numbers where the key is one integer or two that a number holds: maps find them several times faster. */
export type RowId = number | string

/** How the ids of a collection's rows are made; different keys have different ids. */
export interface RowIds {
  ofKey(key: readonly Value[]): RowId
  ofRow(row: Row): RowId
}

export function rowIdsOf({ fields, key }: CollectionSchema): RowIds {
  const kinds = key.map((field) => valueKind(fields[field] ?? 'text'))
  const [field] = key
  const [kind] = kinds
  if (kinds.length === 1 && field !== undefined && kind?.startsWith('int')) {
    return {
      ofKey: (values) => integerId(values[0] as bigint | number),
      ofRow: (row) => integerId(row[field] as bigint | number),
    }
  }
  if (kinds.length === 2 && kinds.every((each) => each.startsWith('int'))) {
    const [first = '', second = ''] = key
    return {
      ofKey: (values) => pairId(values[0] as bigint | number, values[1] as bigint | number),
      ofRow: (row) => pairId(row[first] as bigint | number, row[second] as bigint | number),
    }
  }
  const idOf = (valueAt: (index: number) => Value): RowId => {
    let id = ''
    for (let index = 0; index < kinds.length; index++) id += partId(kinds[index]!, valueAt(index))
    return id
  }
  return {
    ofKey: (values) => idOf((index) => values[index]!),
    ofRow: (row) => idOf((index) => row[key[index]!] ?? null),
  }
}

function integerId(value: bigint | number): RowId {
  const number = typeof value === 'bigint' ? int64ToNumber(value) : value
  return Number.isSafeInteger(number) ? number : value.toString()
}

const halfBits = 26
const half = 2 ** halfBits

/** Both in one number, as ids of accounts and tokens of realm 0 nearly always can be. */
function pairId(first: bigint | number, second: bigint | number): RowId {
  const high = typeof first === 'bigint' ? int64ToNumber(first) : first
  const low = typeof second === 'bigint' ? int64ToNumber(second) : second
  if (high >= 0 && high < half && low >= 0 && low < half) return high * half + low
  return `${integerId(first)}|${integerId(second)}|`
}

/** Says its length where that differs, so that no two keys run together. */
function partId(kind: ValueKind, value: Value): string {
  if (kind === 'bytes') {
    const bytes = value as Uint8Array
    return `${bytes.length}:${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')}`
  }
  return kind === 'text' ? `${(value as string).length}:${value}` : `${integerId(value as bigint | number)}|`
}
