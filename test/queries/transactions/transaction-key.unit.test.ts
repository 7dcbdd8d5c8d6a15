import { describe, expect, it } from 'vitest'
import { Refusal } from '#queries/common/parameters.ts'
import { parseTransactionKey } from '#queries/transactions/transaction-key.ts'

const hash = Buffer.from(Array.from({ length: 48 }, (_, index) => 255 - index * 5))

describe('parseTransactionKey', () => {
  it('reads an id, its nanoseconds as a number', () => {
    expect(parseTransactionKey('0.0.10-1234567890-1')).toEqual({
      kind: 'id',
      payer: 10n,
      validStart: 1_234_567_890_000_000_001n,
    })
    expect(parseTransactionKey('0.0.10-1234567890-000000001')).toEqual(parseTransactionKey('0.0.10-1234567890-1'))
  })

  it.each([
    hash.toString('hex'),
    `0x${hash.toString('hex').toUpperCase()}`,
    hash.toString('base64'),
    hash.toString('base64url'),
  ])('reads the hash %s', (text) => {
    expect(parseTransactionKey(text)).toEqual({ kind: 'hash', hash })
  })

  it.each([
    '0x12',
    '0.0.10-1',
    '0.0.x-1-1',
    '0.0.10@1.1',
    '0.1.10-1.000000000',
    '0.0.10-12345678901234567890-1',
    '0.0.10-9999999999999999999-0',
    '0.0.10-1-1234567890',
    '1024.0.1-1-1',
    `0x${'ab'.repeat(32)}`,
  ])('refuses %s', (text) => {
    expect(parseTransactionKey(text)).toEqual(new Refusal(expect.stringContaining('Invalid Transaction id.')))
  })
})
