import { expect, it } from 'vitest'
import { isSum, RowSums } from '#src/adapters/row-sums.ts'
import { step, withValue } from '#src/adapters/value-sums.ts'
import { compile } from '#src/domain/compile.ts'
import type { FieldKind, Row } from '#src/ports/read-store.ts'

const fields: Record<string, FieldKind> = {
  id: 'int64',
  a: 'int64',
  b: 'int32?',
  c: 'int64',
  d: 'int32',
  e: 'int32',
  memo: 'text',
  data: 'bytes?',
}
const form = { field: '$sums', sharedMax: 4 }
const sums = new RowSums('rows', { fields, key: ['id'] }, form)
const row: Row = { id: 7n, a: -5n, b: null, c: 1n << 62n, d: 0, e: -1, memo: 'häl\0lo', data: new Uint8Array([0, 1]) }

/** Whether the checksums of the row as it was written fit what is read of these fields. */
function fits(read: Row, select: readonly string[], written = sums.of(row)): boolean {
  let fit = true
  const damaged = (): void => {
    fit = false
  }
  const source = sums.checkSource(select, (field) => `row.${field}`, 'sums')
  compile(source, { row: read, sums: written, step, withValue, isSum, damaged })
  return fit
}

it('needs the key and the fields that share a checksum, and no others', () => {
  expect(sums.needed(['memo'])).toEqual(['memo', 'id'])
  expect(sums.needed(['e', 'b'])).toEqual(['e', 'b', 'id', 'a', 'c', 'd'])
  expect(sums.needed(['id'])).toEqual(['id', 'a', 'b', 'c', 'd'])
  const own = new RowSums('rows', { fields, key: ['id'] }, { ...form, sharedMax: 1 })
  expect(own.needed(['e', 'b'])).toEqual(['e', 'b', 'id'])
})

it('fits what was written, and nothing else in any field', () => {
  const others: Row = { id: 6n, a: 5n, b: 0, c: 0n, d: 1 << 31, e: 0, memo: 'hällo', data: new Uint8Array([0, 1, 0]) }
  for (const select of [['memo'], ['a'], ['e'], ['data'], Object.keys(fields)]) {
    expect(fits(row, select)).toBe(true)
    for (const field of sums.needed(select)) {
      expect(fits({ ...row, [field]: others[field]! }, select), `${select} with another ${field}`).toBe(false)
      expect(fits({ ...row, [field]: null }, select)).toBe(row[field] === null)
    }
  }
  expect(fits(row, ['memo'], sums.of(row).slice(1))).toBe(false)
  expect(fits(row, ['memo'], new RowSums('others', { fields, key: ['id'] }, form).of(row))).toBe(false)
})

it.each([1, 23, 24, 25, 64, 1_000, 65_535, 65_536, 65_537, 200_000])('notices any bit of %d bytes', (length) => {
  const bytes = Uint8Array.from({ length }, (_, index) => (index * 37) & 0x7f)
  const sum = withValue(3, bytes)
  for (let at = 0; at < length; at += Math.max(1, Math.floor(length / 50))) {
    for (let bit = 0; bit < 8; bit++) {
      bytes[at]! ^= 1 << bit
      expect(withValue(3, bytes)).not.toBe(sum)
      bytes[at]! ^= 1 << bit
    }
  }
  expect(withValue(3, bytes)).toBe(sum)
  expect(withValue(3, bytes.subarray(1))).not.toBe(sum)
})

it('takes texts as a store gives them back, also those with half a surrogate', () => {
  for (const text of ['', 'x', '\ud800', `long enough to be copied ${'\ud800'}`, 'ä'.repeat(40_000)]) {
    const stored = Buffer.from(text).toString()
    expect(withValue(1, text)).toBe(withValue(1, stored))
  }
})
