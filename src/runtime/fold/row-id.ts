import { type CollectionSchema, type Value, type ValueKind, valueKind } from '#src/ports/read-store.ts'

/** What a map finds a row by. Numbers where the key is one integer that a number holds: maps find them several times faster. */
export type RowId = number | string

/** How to make the id of a key; different keys of the collection have different ids. */
export function rowIdOf({ fields, key }: CollectionSchema): (key: readonly Value[]) => RowId {
  const kinds = key.map((field) => valueKind(fields[field] ?? 'text'))
  const [only] = kinds
  if (kinds.length === 1 && only?.startsWith('int')) return ([value]) => integerId(value as bigint | number)
  return (values) => {
    let id = ''
    for (let index = 0; index < kinds.length; index++) id += partId(kinds[index]!, values[index]!)
    return id
  }
}

function integerId(value: bigint | number): RowId {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value.toString()
}

/** Says its length where that differs, so that no two keys run together. */
function partId(kind: ValueKind, value: Value): string {
  if (kind === 'bytes') {
    const bytes = value as Uint8Array
    return `${bytes.length}:${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')}`
  }
  return kind === 'text' ? `${(value as string).length}:${value}` : `${value}|`
}
