import { describe, expect, it } from 'vitest'
import { Shape } from '#src/adapters/mongodb/shape.ts'
import { isLedgerError } from '#src/domain/errors.ts'

const fields = { account: 'int64', place: 'int32', label: 'text', data: 'bytes' } as const
const shape = new Shape('rows', {
  kind: 'state',
  fields,
  key: ['account', 'place'],
  indexes: [['label']],
  shardBy: 'place',
})
const row = { account: 1n, place: 2, label: 'a', data: null }

describe('a row as a document', () => {
  it('has its key and each index as one text, beside its fields', () => {
    const texts = { _id: '800000000000000180000002', _i0: 'a!800000000000000180000002' }
    expect(shape.put(row)).toEqual({ ...row, ...texts, _s: shape.sums.of(row) })
  })

  it('is written by a filter with the key and the field that rows are distributed by', () => {
    expect(shape.filterOf(shape.put(row))).toEqual({ _id: '800000000000000180000002', place: 2 })
    expect(shape.filterOf(shape.remove([1n, 2]))).toEqual({ _id: '800000000000000180000002', place: 2 })
  })

  it('is asked for with that field where rows are distributed', () => {
    const _id = { $in: ['800000000000000180000002'] }
    expect(shape.filterOfKeys([[1n, 2]], false)).toEqual({ _id })
    expect(shape.filterOfKeys([[1n, 2]], true)).toEqual({ _id, place: { $in: [2] } })
  })

  it('keeps 64 bits also where a fold gives a plain number', () => {
    expect(shape.put({ ...row, account: 1 })['account']).toBe(1n)
  })

  it('is refused when it is larger than a document can be', () => {
    const large = { ...row, data: new Uint8Array(15 << 20) }
    expect(() => shape.put(large)).toThrow(expect.toSatisfy((error) => isLedgerError(error, 'store_misconfigured')))
  })

  it('has to be distributed by a field of its key, under names that mean nothing to the server', () => {
    expect(() => new Shape('rows', { kind: 'state', fields, key: ['account'], shardBy: 'place' })).toThrow(
      'no field of its key',
    )
    expect(() => new Shape('rows', { kind: 'state', fields: { 'a.b': 'text' }, key: ['a.b'] })).toThrow('a.b')
  })
})
