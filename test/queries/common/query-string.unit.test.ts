import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseQueryString } from '#queries/common/query-string.ts'
import { isLedgerError } from '#src/domain/errors.ts'

function parse(text: string, max = 100) {
  return parseQueryString(text, max)
}

describe('parseQueryString', () => {
  it('reads names in lower case and keeps values as they are after decoding', () => {
    expect(parse('ACCOUNT.ID=gte%3A0.0.5&memo=a+b')).toEqual([
      { name: 'account.id', values: ['gte:0.0.5'] },
      { name: 'memo', values: ['a b'] },
    ])
  })

  it('gathers repeated names at their first place, values of the earlier spelling first', () => {
    expect(parse('a=1&b=2&A=3&a=4')).toEqual([
      { name: 'a', values: ['1', '4', '3'] },
      { name: 'b', values: ['2'] },
    ])
  })

  it('lower-cases the values of order and result only', () => {
    expect(parse('order=ASC&result=Fail&type=CREDIT')).toEqual([
      { name: 'order', values: ['asc'] },
      { name: 'result', values: ['fail'] },
      { name: 'type', values: ['CREDIT'] },
    ])
  })

  it('takes a broken percent escape for itself', () => {
    expect(parse('a=%zz&b=%')).toEqual([
      { name: 'a', values: ['%zz'] },
      { name: 'b', values: ['%'] },
    ])
  })

  it('ignores pairs without a name and gives an empty value where there is none', () => {
    expect(parse('&&=5&limit')).toEqual([{ name: 'limit', values: [''] }])
  })

  it('reads one level of brackets as a list, and an object as a value that no parameter accepts', () => {
    expect(parse('a[]=1&a[0]=2&b%5Bx%5D=3')).toEqual([
      { name: 'a', values: ['1', '2'] },
      { name: 'b', values: [''] },
    ])
  })

  it('refuses deeper brackets', () => {
    expect(() => parse('a[b][c]=1')).toThrow('Input depth exceeded depth option of 1')
  })

  it('refuses more values of one spelling than allowed, but not of two spellings together', () => {
    expect(() => parse('a=1&a=2&a=3', 2)).toThrow('Array limit exceeded. Only 2 elements allowed in an array.')
    expect(parse('a=1&a=2&A=3', 2)).toEqual([{ name: 'a', values: ['1', '2', '3'] }])
  })

  it('refuses a flood of parameters', () => {
    expect(() => parse('a&'.repeat(1_001))).toThrow('Parameter limit exceeded')
  })

  it('answers any text with parameters or with invalid_parameter', () => {
    const texts = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: fc.constantFrom(...'a=&%[]5bdA+:.0') }))
    fc.assert(
      fc.property(texts, (text) => {
        try {
          for (const { name, values } of parse(text, 8)) {
            expect(name).toBe(name.toLowerCase())
            expect(values.length).toBeGreaterThan(0)
          }
        } catch (error) {
          expect(isLedgerError(error, 'invalid_parameter')).toBe(true)
        }
      }),
      { numRuns: 1_000 },
    )
  })
})
