import { describe, expect, it } from 'vitest'
import { isSuccessCode, responseCodeName } from '#src/domain/response-codes.ts'
import { transactionTypeName, transactionTypeNames } from '#src/domain/transaction-types.ts'

describe('names of transaction types', () => {
  it('are those of the table', () => {
    for (const [type, name] of Object.entries(transactionTypeNames)) {
      expect(transactionTypeName(Number(type))).toBe(name)
    }
  })

  it('are UNKNOWN for a type without one', () => {
    expect([61, 73, 82].map(transactionTypeName)).toEqual(['UNKNOWN', 'UNKNOWN', 'UNKNOWN'])
  })
})

describe('names of result codes', () => {
  it('are those of the ledger, UNKNOWN beyond them', () => {
    expect([11, 22, 104, 220].map(responseCodeName)).toEqual([
      'DUPLICATE_TRANSACTION',
      'SUCCESS',
      'FEE_SCHEDULE_FILE_PART_UPLOADED',
      'SUCCESS_BUT_MISSING_EXPECTED_OPERATION',
    ])
    expect(responseCodeName(99_999)).toBe('UNKNOWN')
  })

  it('tell three codes to be success', () => {
    expect([0, 11, 22, 104, 220, 280].filter(isSuccessCode)).toEqual([22, 104, 220])
  })
})
