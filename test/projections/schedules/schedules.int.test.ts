import { describe, expect, it } from 'vitest'
import { schedulesProjection } from '#projections/schedules/projection.ts'
import type { EntitySnapshotted, ScheduleSnapshotted, SignaturePair } from '#schemas/events/types.ts'
import type { LogRecord } from '#src/ports/message-log.ts'
import { transaction } from '#test/projections/entities/story.ts'
import {
  schedule,
  scheduleCreated,
  scheduleDeleted,
  scheduleRan,
  scheduleSigned,
  signedBy,
} from '#test/projections/schedules/story.ts'
import { alice, bob, recordOf } from '#test/support/events.ts'
import { awkwardLimits, foldedRows } from '#test/support/folded-rows.ts'
import { type Sketch, wholeEvent } from '#test/support/whole-event.ts'

/** Rows, with what their texts show. */
async function fold(...records: readonly LogRecord[]) {
  const { schedules } = await foldedRows(schedulesProjection, records)
  return schedules!.map(({ head, rest, ...row }) => ({ ...row, shown: JSON.parse(`{${head},${rest}}`) }))
}

const stated = (asOf: bigint, facts: Sketch<ScheduleSnapshotted>) =>
  recordOf('ScheduleSnapshotted', wholeEvent('ScheduleSnapshotted', { scheduleId: schedule, asOf, ...facts }))

const entityStated = (asOf: bigint, facts: Sketch<EntitySnapshotted>) =>
  recordOf(
    'EntitySnapshotted',
    wholeEvent('EntitySnapshotted', { entityId: schedule, type: 'SCHEDULE', asOf, ...facts }),
  )

/** Nanoseconds and kinds of signatures, and the first byte of their keys. */
const signaturesOf = ([row]: Awaited<ReturnType<typeof fold>>) =>
  (row!.shown.signatures as Record<string, string>[]).map(({ consensus_timestamp, type, public_key_prefix }) => [
    Number(consensus_timestamp!.split('.')[1]),
    type,
    Buffer.from(public_key_prefix!, 'base64')[0],
  ])

describe('schedules', () => {
  it('are what their creation asks, with its signatures', async () => {
    const rows = await fold(
      scheduleCreated(
        10n,
        {
          expirationTime: { seconds: 9n, nanos: 1 },
          memo: 'rent\0',
          adminKey: { ed25519: Buffer.alloc(32, 1) },
          waitForExpiry: true,
          scheduledTransactionBody: { memo: 'rent', transactionFee: 5n },
        },
        { signatures: [signedBy(1)] },
      ),
    )
    expect(rows).toEqual([
      {
        id: schedule,
        created: 10n,
        creator: alice,
        payer: bob,
        adminKey: Uint8Array.of(0x12, 32, ...Buffer.alloc(32, 1)),
        waits: 1,
        body: Uint8Array.of(0x08, 5, 0x12, 4, ...Buffer.from('rent')),
        executed: null,
        deleted: null,
        expiration: 9_000_000_001n,
        expirationSecond: 9n,
        signed: 10n,
        shown: {
          admin_key: { _type: 'ED25519', key: '01'.repeat(32) },
          consensus_timestamp: '0.000000010',
          creator_account_id: `0.0.${alice}`,
          expiration_time: '9.000000001',
          memo: 'rent\ufffd',
          payer_account_id: `0.0.${bob}`,
          schedule_id: `0.0.${schedule}`,
          signatures: [
            {
              consensus_timestamp: '0.000000010',
              public_key_prefix: Buffer.alloc(32, 1).toString('base64'),
              signature: Buffer.alloc(64, 1).toString('base64').replace(/.{76}/, '$&\n'),
              type: 'ED25519',
            },
          ],
          transaction_body: Buffer.from([0x08, 5, 0x12, 4, ...Buffer.from('rent')]).toString('base64'),
          wait_for_expiry: true,
        },
      },
    ])
  })

  it('are paid for by their creator where nobody else is named', async () => {
    expect(await fold(scheduleCreated(10n, { payerAccountID: null }))).toMatchObject([
      { creator: alice, shown: { payer_account_id: `0.0.${alice}` } },
    ])
  })

  it('of a contract are those of who called it by an Ethereum transaction', async () => {
    const senderId = { accountNum: 77n, alias: null }
    const called = transaction(10n, 50, null, { record: { contractCallResult: { senderId } } })
    const child = { parentConsensusTimestamp: 10n }
    expect(await fold(called, scheduleCreated(11n, { payerAccountID: null }, child))).toMatchObject([
      { creator: 77n, shown: { creator_account_id: '0.0.77', payer_account_id: '0.0.77' } },
    ])
    const other = { parentConsensusTimestamp: 9n }
    expect(await fold(called, scheduleCreated(11n, {}, other))).toMatchObject([
      { creator: alice, shown: { payer_account_id: `0.0.${bob}` } },
    ])
  })

  it('gather the signatures of everyone who signs', async () => {
    const kinds: Sketch<SignaturePair>[] = [
      { pubKeyPrefix: Buffer.from([2]), contract: Buffer.from([0]) },
      { pubKeyPrefix: Buffer.from([4]), RSA_3072: Buffer.from([0]) },
      { pubKeyPrefix: Buffer.from([5]), ECDSA_384: Buffer.from([0]) },
      { pubKeyPrefix: Buffer.from([6]), ECDSASecp256k1: Buffer.from([0]) },
      { pubKeyPrefix: Buffer.from([9]) },
    ]
    const rows = await fold(scheduleCreated(10n, {}, { signatures: [signedBy(3)] }), scheduleSigned(20n, kinds))
    expect(signaturesOf(rows)).toEqual([
      [10, 'ED25519', 3],
      [20, 'CONTRACT', 2],
      [20, 'RSA_3072', 4],
      [20, 'ECDSA_384', 5],
      [20, 'ECDSA_SECP256K1', 6],
    ])
    expect(rows).toMatchObject([{ signed: 20n }])
  })

  it('keep the keys that signed, each with its time, and the contract that called for it', async () => {
    const { signatures } = await foldedRows(schedulesProjection, [
      scheduleCreated(10n, {}, { signatures: [signedBy(3)] }),
      scheduleSigned(20n, [], { parentConsensusTimestamp: 19n, payerAccountId: 77n }),
      scheduleSigned(30n, [signedBy(4)], { successful: false, result: 205 }),
    ])
    const publicKey = new Uint8Array(32).fill(3)
    expect(signatures).toEqual([
      { schedule, time: 10n, place: 0, type: 3, publicKey, payer: alice },
      { schedule, time: 20n, place: 0, type: 0, publicKey: new Uint8Array(0), payer: 77n },
    ])
  })

  it('count the first of several signatures with one key in a transaction', async () => {
    const again = { pubKeyPrefix: Buffer.alloc(32, 1), ECDSASecp256k1: Buffer.from([7]) }
    const rows = await fold(
      scheduleCreated(10n),
      scheduleSigned(20n, [signedBy(1), again]),
      scheduleSigned(30n, [again]),
    )
    expect(signaturesOf(rows)).toEqual([
      [20, 'ED25519', 1],
      [30, 'ECDSA_SECP256K1', 1],
    ])
  })

  it('have run even where what they ran failed', async () => {
    const rows = await fold(scheduleCreated(10n), scheduleRan(20n, { successful: false, result: 28 }))
    expect(rows).toMatchObject([{ executed: 20n }])
  })

  it('are deleted by who may, but stay listed', async () => {
    expect(await fold(scheduleCreated(10n), scheduleDeleted(20n))).toMatchObject([{ deleted: 20n }])
    expect(await fold(scheduleDeleted(20n))).toEqual([])
  })

  it('show key and memo of their entity, whichever of the two is stated first', async () => {
    const key = Buffer.concat([Buffer.from([0x12, 32]), Buffer.alloc(32, 7)])
    const [one, other] = [stated(10n, {}), entityStated(15n, { key, memo: 'a "b"', deleted: true })]
    const shown = { admin_key: { _type: 'ED25519', key: '07'.repeat(32) }, memo: 'a "b"' }
    const rows = await fold(one, other)
    expect(rows).toMatchObject([{ deleted: 15n, shown }])
    expect(await fold(other, one)).toEqual(rows)
    const over = entityStated(10n, { key, memo: 'a', validTo: 15n })
    expect(await fold(one, over)).toMatchObject([{ deleted: null, shown: { admin_key: null, memo: '' } }])
  })

  it('are not made up from failed creations, signatures and executions', async () => {
    const failed = { successful: false, result: 210 }
    expect(await fold(scheduleCreated(10n, {}, failed), scheduleSigned(20n, [signedBy(1)]), scheduleRan(30n))).toEqual(
      [],
    )
    const rows = await fold(scheduleCreated(10n), scheduleSigned(20n, [signedBy(1)], { ...failed, result: 205 }))
    expect(signaturesOf(rows)).toEqual([])
  })

  it('are what a statement says, and go on from there', async () => {
    const signature = {
      consensusTimestamp: 12n,
      publicKeyPrefix: Buffer.from([5]),
      signature: Buffer.from([6]),
      type: 9,
    }
    const rows = await fold(
      scheduleCreated(10n, { memo: 'rent' }),
      stated(10n, { creatorAccountId: 8n, transactionBody: Buffer.from([1]), signatures: [signature] }),
      scheduleSigned(20n, [signedBy(1)]),
    )
    const shown = { memo: 'rent', payer_account_id: null, transaction_body: 'AQ==' }
    expect(rows).toMatchObject([{ created: 10n, creator: 8n, shown }])
    expect(signaturesOf(rows)).toEqual([
      [12, 'UNKNOWN', 5],
      [20, 'ED25519', 1],
    ])
  })

  it('are the same whatever the batches', async () => {
    const story = [
      scheduleCreated(10n),
      scheduleSigned(20n, [signedBy(1)]),
      scheduleRan(21n),
      entityStated(22n, { memo: 'late' }),
    ]
    const once = await foldedRows(schedulesProjection, story)
    for (const limits of awkwardLimits) expect(await foldedRows(schedulesProjection, story, limits)).toEqual(once)
  })
})
