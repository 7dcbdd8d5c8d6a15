import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseEntityNumber, parseEvmAddress } from '#queries/common/entity-id-parameter.ts'
import { Refusal } from '#queries/common/parameters.ts'
import { defaultQuerySettings as settings } from '#queries/common/settings.ts'
import { entityIdOf, formatEntityId, maxNumber } from '#src/domain/entity-id.ts'

const address = '0xDD5472E0CC8CE74AC49F765D5C036F83472F2834'

describe('parseEntityNumber', () => {
  it('reads back every id that is written', () => {
    const parts = fc.tuple(fc.bigInt(0n, 1023n), fc.bigInt(0n, 65_535n), fc.bigInt(0n, maxNumber))
    fc.assert(
      fc.property(parts, ([shard, realm, number]) => {
        const id = entityIdOf(shard, realm, number)!
        expect(parseEntityNumber(formatEntityId(id), settings)).toBe(id)
      }),
    )
  })

  it('puts ids without shard or realm into the service’s own', () => {
    const own = { ...settings, shard: 1n, realm: 2n }
    expect(parseEntityNumber('5', own)).toBe(entityIdOf(1n, 2n, 5n))
    expect(parseEntityNumber('7.5', own)).toBe(entityIdOf(1n, 7n, 5n))
    expect(parseEntityNumber('3.7.5', own)).toBe(entityIdOf(3n, 7n, 5n))
  })

  it.each(['274877906944', '9223372036854775808', '-1', '65536.1', '1024.0.1', '0.0.274877906944'])(
    'refuses %s as impossible',
    (text) => {
      expect(parseEntityNumber(text, settings)).toBeInstanceOf(Refusal)
    },
  )

  it.each(['', 'x', '0.0.', '0.0.-1', '1.2.3.4', '12345678901234567890', '10000.0.1', '0.0.1234567890123'])(
    'does not know the form of %s',
    (text) => {
      expect(parseEntityNumber(text, settings)).toBeUndefined()
    },
  )
})

describe('parseEvmAddress', () => {
  it('takes a long-zero address for the entity with that number', () => {
    expect(parseEvmAddress('00000000000000000000000000000000000003e8', settings)).toEqual({ kind: 'id', id: 1000n })
    expect(parseEvmAddress('0.0.00000000000000000000000000000000000003e8', settings)).toEqual({ kind: 'id', id: 1000n })
  })

  it('keeps other addresses, and long-zero ones beyond the largest number, as addresses', () => {
    expect(parseEvmAddress(address, settings)).toEqual({
      kind: 'address',
      hex: address.slice(2).toLowerCase(),
      sent: address.slice(2),
    })
    expect(parseEvmAddress(`0x${'0'.repeat(24)}ffffffffffffffff`, settings)?.kind).toBe('address')
  })

  it('refuses another shard or realm, and 0x after them', () => {
    expect(parseEvmAddress(`1.0.${address.slice(2)}`, settings)).toBeUndefined()
    expect(parseEvmAddress(`0.0.${address}`, settings)).toBeUndefined()
  })
})
