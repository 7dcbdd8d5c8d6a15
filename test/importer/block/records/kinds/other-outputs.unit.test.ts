import { describe, expect, it } from 'vitest'
import type { Message } from '#src/simulator/codec.ts'
import { accountId, at, executed, recordOf } from '#test/importer/block/made-blocks.ts'

const scheduledTransactionId = { accountID: accountId(1_002), transactionValidStart: at(5), scheduled: true }
const shown = { ...scheduledTransactionId, accountID: { accountNum: 1_002, account: 'accountNum' } }
const identical = 210

describe('schedules', () => {
  const created = (status: number) => {
    const output = { createSchedule: { scheduleId: { scheduleNum: 40 }, scheduledTransactionId } }
    return recordOf(executed(1, { scheduleCreate: {} }, { outputs: [output], result: { status } })).receipt
  }

  it('have an id once created, and also where there was one like it', () => {
    for (const status of [22, identical])
      expect(created(status)).toEqual({ status, scheduleID: { scheduleNum: 40 }, scheduledTransactionID: shown })
  })

  it('have none where their creation failed', () => {
    expect(created(7)).toEqual({ status: 7 })
    expect(recordOf(executed(1, { scheduleCreate: {} })).receipt).toEqual({ status: 22 })
  })

  it('tell the transaction that was signed', () => {
    const signed = (more: Message = {}) =>
      recordOf(executed(1, { scheduleSign: {} }, { outputs: [{ signSchedule: { scheduledTransactionId } }], ...more }))
        .receipt
    expect(signed()).toEqual({ status: 22, scheduledTransactionID: shown })
    expect(signed({ result: { status: 7 } })).toEqual({ status: 7 })
  })
})

describe('pseudo-random', () => {
  const drawn = (utilPrng: Message, more: Message = {}) => {
    const { prngBytes, prngNumber } = recordOf(
      executed(1, { utilPrng: {} }, { outputs: [{ utilPrng }], ...more }),
    ).record
    return [prngBytes, prngNumber]
  }

  it('numbers and bytes are those of the output, also a 0', () => {
    expect(drawn({ prngNumber: 0 })).toEqual([undefined, 0])
    expect(drawn({ prngNumber: 7 })).toEqual([undefined, 7])
    expect(drawn({ prngBytes: Buffer.alloc(48, 1) })).toEqual([Buffer.alloc(48, 1), undefined])
  })

  it('come of success alone', () => {
    expect(drawn({ prngNumber: 7 }, { result: { status: 7 } })).toEqual([undefined, undefined])
    expect(recordOf(executed(1, { utilPrng: {} })).record).not.toHaveProperty('prngNumber')
  })
})
