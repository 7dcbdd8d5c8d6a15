import { quoted } from '#src/adapters/sqlite/tables.ts'
import { type CollectionSchema, type Row, type ValueKind, valueKind } from '#src/ports/read-store.ts'

type Shape = Pick<CollectionSchema, 'fields'>

/** How fields of a collection are selected, by a statement that returns arrays, and made rows of. */
export interface RowSelection {
  /** What stands between SELECT and FROM. */
  readonly columns: string
  readonly bigInts: boolean
  readonly rowOf: (values: readonly unknown[]) => Row
}

/**
 * The driver makes a buffer of its own of every value of bytes, which costs as much as nine numbers. From so many such fields on
 * it hands them over as one, with their lengths.
 */
const packedMin = 2

/**
 * The driver's own objects are dictionaries, which cost twice as much to make as these and several times as much to read. They
 * are built by source text, as field names come from the schema. Beside big integers, what fits a number comes as one of the
 * engine's floating-point numbers, which the driver hands over as they are.
 */
export function selectRows(shape: Shape, fields: readonly string[]): RowSelection {
  const bytes = fields.filter((field) => isKind(shape, field, 'bytes'))
  const packed = bytes.length < packedMin ? [] : bytes
  const bigInts = fields.some((field) => isKind(shape, field, 'int64'))
  const number = (expression: string): string => (bigInts ? `CAST(${expression} AS REAL)` : expression)
  const columns = fields.map((field) => {
    if (packed.includes(field)) return number(`length(${quoted(field)})`)
    return isKind(shape, field, 'int32') ? number(quoted(field)) : quoted(field)
  })
  if (packed.length > 0) columns.push(packedColumn(packed))
  const members = fields.map((field, index) => {
    const value = `values[${index}]`
    return `${JSON.stringify(field)}: ${packed.includes(field) ? `cut(${value})` : value}`
  })
  return {
    columns: columns.join(', '),
    bigInts,
    rowOf: compile(members, packed.length > 0 ? fields.length : undefined),
  }
}

function isKind({ fields }: Shape, field: string, kind: ValueKind): boolean {
  return fields[field] !== undefined && valueKind(fields[field]) === kind
}

/** Behind each other; an absent one takes no room. */
function packedColumn(fields: readonly string[]): string {
  return `CAST(${fields.map((field) => `ifnull(${quoted(field)}, x'')`).join(' || ')} AS BLOB)`
}

/** `packedAt`: which of the values holds what is cut into several. */
function compile(members: readonly string[], packedAt: number | undefined): RowSelection['rowOf'] {
  const row = `return { ${members.join(', ')} }`
  if (packedAt === undefined) return new Function('values', row) as RowSelection['rowOf']
  const make = new Function('values', 'cut', row) as (values: readonly unknown[], cut: Cut) => Row
  return (values) => make(values, cutter(values[packedAt] as Uint8Array))
}

type Cut = (length: number | null) => Uint8Array | null

/** Takes one value after the other off the front. */
function cutter({ buffer, byteOffset }: Uint8Array): Cut {
  let at = byteOffset
  return (length) => {
    if (length === null) return null
    const value = new Uint8Array(buffer, at, length)
    at += length
    return value
  }
}
