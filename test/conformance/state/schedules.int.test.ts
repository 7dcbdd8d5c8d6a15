import { expect, it } from 'vitest'
import { eventsOf } from '#test/conformance/decode-statements.ts'
import { scheduleStatements } from '#test/conformance/state/schedules.ts'

it('a schedule is stated with its signatures, in the order of their times', () => {
  const schedule = {
    schedule_id: '7',
    consensus_timestamp: '10',
    creator_account_id: '3',
    payer_account_id: '4',
    executed_timestamp: null,
    expiration_time: '50',
    wait_for_expiry: true,
    transaction_body: '0x01',
  }
  const signature = { entity_id: '7', public_key_prefix: '0x02', signature: '0x03', type: 3 }
  const rows = [
    { ...signature, consensus_timestamp: '12' },
    { ...signature, consensus_timestamp: '11' },
    { ...signature, entity_id: '8', consensus_timestamp: '11' },
  ]
  const brought = { publicKeyPrefix: Buffer.from([2]), signature: Buffer.from([3]), type: 3 }
  const statements = scheduleStatements({ schedule: [schedule], transaction_signature: rows })
  expect(eventsOf(statements, 'ScheduleSnapshotted')).toEqual([
    {
      scheduleId: 7n,
      asOf: 10n,
      creatorAccountId: 3n,
      payerAccountId: 4n,
      executedTimestamp: null,
      expirationTimestamp: 50n,
      waitForExpiry: true,
      transactionBody: Buffer.from([1]),
      signatures: [
        { consensusTimestamp: 11n, ...brought },
        { consensusTimestamp: 12n, ...brought },
      ],
    },
  ])
})
