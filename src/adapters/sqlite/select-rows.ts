import { damaged, isSum, type RowSums } from '#src/adapters/row-sums.ts'
import { quoted } from '#src/adapters/sqlite/tables.ts'
import { step, withValue } from '#src/adapters/value-sums.ts'
import { compile } from '#src/domain/compile.ts'
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
 * `rowOf` throws `RowDamage` where the checksums over the fields do not fit. `also`: fields whose values lead to the row, of an index: the
 * engine takes them from there, so that an entry that leads to another row does not fit that one's.
 */
export interface Check {
  readonly sums: RowSums
  readonly also: readonly string[]
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
export function selectRows(shape: Shape, fields: readonly string[], check?: Check): RowSelection {
  const checked = check && [...fields, ...check.also]
  const all = checked === undefined ? fields : check!.sums.needed(checked)
  const bytes = all.filter((field) => isKind(shape, field, 'bytes'))
  const packed = bytes.length < packedMin ? [] : bytes
  const bigInts = all.some((field) => isKind(shape, field, 'int64'))
  const number = (expression: string): string => (bigInts ? `CAST(${expression} AS REAL)` : expression)
  const columns = all.map((field) => {
    if (packed.includes(field)) return number(`length(${quoted(field)})`)
    return isKind(shape, field, 'int32') ? number(quoted(field)) : quoted(field)
  })
  if (check !== undefined) columns.push(quoted(check.sums.field))
  if (packed.length > 0) columns.push(packedColumn(packed))
  const value = (field: string): string => `v${all.indexOf(field)}`
  const values = all.map((field, index) => {
    const selected = `values[${index}]`
    return `${value(field)} = ${packed.includes(field) ? `cut(${selected})` : selected}`
  })
  const checking = check === undefined ? '' : check.sums.checkSource(checked!, value, `values[${all.length}]`)
  const members = fields.map((field) => `${JSON.stringify(field)}: ${value(field)}`)
  const source = `const ${values.join(', ')}; ${checking}; return { ${members.join(', ')} }`
  const packedAt = packed.length > 0 ? columns.length - 1 : undefined
  return { columns: columns.join(', '), bigInts, rowOf: rowOfSource(source, packedAt) }
}

function isKind({ fields }: Shape, field: string, kind: ValueKind): boolean {
  return fields[field] !== undefined && valueKind(fields[field]) === kind
}

/** Behind each other; an absent one takes no room. */
function packedColumn(fields: readonly string[]): string {
  return `CAST(${fields.map((field) => `ifnull(${quoted(field)}, x'')`).join(' || ')} AS BLOB)`
}

/** `packedAt`: which of the values holds what is cut into several. */
function rowOfSource(source: string, packedAt: number | undefined): RowSelection['rowOf'] {
  const body = packedAt === undefined ? source : `const cut = cutter(values[${packedAt}]); ${source}`
  return compile(`return (values) => { ${body} }`, { cutter, damaged, step, withValue, isSum })
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
