import { describe, expect, it } from 'vitest'
import { callerType, unpackSignatures } from '#projections/schedules/packing.ts'
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

async function fold(...records: readonly LogRecord[]) {
  const { schedules } = await foldedRows(schedulesProjection, records)
  return schedules!.map((row) => ({ ...row, signatures: unpackSignatures(row['signatures'] as string) }))
}

const stated = (asOf: bigint, facts: Sketch<ScheduleSnapshotted>) =>
  recordOf('ScheduleSnapshotted', wholeEvent('ScheduleSnapshotted', { scheduleId: schedule, asOf, ...facts }))

const entityStated = (asOf: bigint, facts: Sketch<EntitySnapshotted>) =>
  recordOf(
    'EntitySnapshotted',
    wholeEvent('EntitySnapshotted', { entityId: schedule, type: 'SCHEDULE', asOf, ...facts }),
  )

/** Times and kinds of signatures, and the first byte of their keys. */
const signaturesOf = ([row]: Awaited<ReturnType<typeof fold>>) =>
  row!.signatures.map(({ time, type, signer }) => [time, type, Buffer.from(signer, 'base64')[0]])

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
        body: Buffer.from([0x08, 5, 0x12, 4, ...Buffer.from('rent')]).toString('base64'),
        executed: null,
        deleted: null,
        expiration: 9_000_000_001n,
        expirationSecond: 9n,
        memo: 'rent\ufffd',
        signatures: [
          {
            time: 10n,
            type: 3,
            signer: Buffer.alloc(32, 1).toString('base64'),
            signature: Buffer.alloc(64, 1).toString('base64'),
          },
        ],
      },
    ])
  })

  it('are paid for by their creator where nobody else is named', async () => {
    expect(await fold(scheduleCreated(10n, { payerAccountID: null }))).toMatchObject([{ creator: alice, payer: alice }])
  })

  it('of a contract are those of who called it by an Ethereum transaction', async () => {
    const senderId = { accountNum: 77n, alias: null }
    const called = transaction(10n, 50, null, { record: { contractCallResult: { senderId } } })
    const child = { parentConsensusTimestamp: 10n }
    expect(await fold(called, scheduleCreated(11n, { payerAccountID: null }, child))).toMatchObject([
      { creator: 77n, payer: 77n },
    ])
    const other = { parentConsensusTimestamp: 9n }
    expect(await fold(called, scheduleCreated(11n, {}, other))).toMatchObject([{ creator: alice, payer: bob }])
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
      [10n, 3, 3],
      [20n, 2, 2],
      [20n, 4, 4],
      [20n, 5, 5],
      [20n, 6, 6],
    ])
  })

  it('are signed by the contract that calls for it, too', async () => {
    const [row] = await fold(
      scheduleCreated(10n, {}, { signatures: [signedBy(3)] }),
      scheduleSigned(20n, [], { parentConsensusTimestamp: 19n, payerAccountId: 77n }),
      scheduleSigned(30n, [signedBy(4)], { successful: false, result: 205 }),
    )
    expect(row!.signatures.slice(1)).toEqual([{ time: 20n, type: callerType, signer: '77', signature: '' }])
  })

  it('count the first of several signatures with one key in a transaction', async () => {
    const again = { pubKeyPrefix: Buffer.alloc(32, 1), ECDSASecp256k1: Buffer.from([7]) }
    const rows = await fold(
      scheduleCreated(10n),
      scheduleSigned(20n, [signedBy(1), again]),
      scheduleSigned(30n, [again]),
    )
    expect(signaturesOf(rows)).toEqual([
      [20n, 3, 1],
      [30n, 6, 1],
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
    const said = { adminKey: Uint8Array.from(key), memo: 'a "b"' }
    const rows = await fold(one, other)
    expect(rows).toMatchObject([{ deleted: 15n, ...said }])
    expect(await fold(other, one)).toEqual(rows)
    const over = entityStated(10n, { key, memo: 'a', validTo: 15n })
    expect(await fold(one, over)).toMatchObject([{ deleted: null, adminKey: null, memo: '' }])
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
    const stays = { memo: 'rent', payer: null, body: 'AQ==' }
    expect(rows).toMatchObject([{ created: 10n, creator: 8n, ...stays }])
    expect(signaturesOf(rows)).toEqual([
      [12n, 9, 5],
      [20n, 3, 1],
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
