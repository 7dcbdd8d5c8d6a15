import type { ScheduleCreateTransactionBody, SignaturePair, TransactionRecorded } from '#schemas/events/types.ts'
import { transaction } from '#test/projections/entities/story.ts'
import { alice, bob } from '#test/support/events.ts'
import type { Sketch } from '#test/support/whole-event.ts'

export const schedule = 4_001n

/** Created by Alice, unless the facts say otherwise, to move what Bob pays for. */
export const scheduleCreated = (
  time: bigint,
  body: Sketch<ScheduleCreateTransactionBody> = {},
  { entityId = schedule, ...facts }: Sketch<TransactionRecorded> = {},
) =>
  transaction(time, 42, entityId, {
    payerAccountId: alice,
    scheduleCreate: { payerAccountID: { accountNum: bob, alias: null }, ...body },
    ...facts,
  })

export const scheduleSigned = (
  time: bigint,
  signatures: readonly Sketch<SignaturePair>[],
  facts: Sketch<TransactionRecorded> = {},
) => transaction(time, 44, schedule, { signatures, scheduleSign: {}, ...facts })

export const scheduleRan = (time: bigint, facts: Sketch<TransactionRecorded> = {}) =>
  transaction(time, 14, null, { scheduled: true, record: { scheduleRef: { scheduleNum: schedule } }, ...facts })

export const scheduleDeleted = (time: bigint) => transaction(time, 43, schedule, { scheduleDelete: {} })

export const signedBy = (byte: number): Sketch<SignaturePair> => ({
  pubKeyPrefix: Buffer.alloc(32, byte),
  ed25519: Buffer.alloc(64, byte),
})
