import type { CaseRow } from '#test/conformance/case-file.ts'

/** Readers of the values that rows carry: int64 as text, int32 as number, bytes as hex after 0x. */
export function int64(row: CaseRow, column: string): bigint {
  return int64OrNull(row, column) ?? 0n
}

export function int64OrNull(row: CaseRow, column: string): bigint | null {
  const value = row[column]
  return value === null || value === undefined ? null : BigInt(value as string)
}

export function int32(row: CaseRow, column: string): number {
  return int32OrNull(row, column) ?? 0
}

export function int32OrNull(row: CaseRow, column: string): number | null {
  const value = row[column]
  return value === null || value === undefined ? null : Number(value)
}

export function flag(row: CaseRow, column: string): boolean {
  return row[column] === true
}

export function bytesOrNull(row: CaseRow, column: string): Buffer | null {
  const value = row[column]
  return typeof value === 'string' ? parseBytes(value) : null
}

export function parseBytes(text: string): Buffer {
  return Buffer.from(text.replace(/^0x/, ''), 'hex')
}

export function textOrNull(row: CaseRow, column: string): string | null {
  const value = row[column]
  return typeof value === 'string' ? value : null
}

export function rowsOf(row: CaseRow, column: string): readonly CaseRow[] {
  return (row[column] ?? []) as readonly CaseRow[]
}

export function textsOf(row: CaseRow, column: string): readonly string[] {
  return (row[column] ?? []) as readonly string[]
}

/** Empty where there is none. */
export function text(row: CaseRow, column: string): string {
  return textOrNull(row, column) ?? ''
}

/** Empty where there are none. */
export function bytes(row: CaseRow, column: string): Buffer {
  return bytesOrNull(row, column) ?? Buffer.alloc(0)
}

export function flagOrNull(row: CaseRow, column: string): boolean | null {
  const value = row[column]
  return typeof value === 'boolean' ? value : null
}

/** A nested object. */
export function rowOrNull(row: CaseRow, column: string): CaseRow | null {
  return (row[column] ?? null) as CaseRow | null
}

/** The number of an enumeration's value, which rows name. */
export function placeOf(row: CaseRow, column: string, names: readonly string[]): number {
  return placeIn(text(row, column), names)
}

export function placeIn(name: string, names: readonly string[]): number {
  const place = names.indexOf(name)
  if (place === -1) throw new Error(`${name} is none of ${names.join(', ')}`)
  return place
}
