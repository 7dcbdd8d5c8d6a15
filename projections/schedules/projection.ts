import { knownEntity, statedEntity, stateEntity } from '#projections/schedules/known-entity.ts'
import { type ScheduleRow, schedulesSchema } from '#projections/schedules/schema.ts'
import { broughtSignatures, byCaller } from '#projections/schedules/signatures.ts'
import {
  renderSchedule,
  type ScheduleFacts,
  type Signature,
  withSignatures,
} from '#projections/schedules/text-packing.ts'
import type { ScheduleCreateTransactionBody, TransactionRecorded } from '#schemas/events/types.ts'
import { withoutNul } from '#src/domain/json-text.ts'
import { nanosPerSecond } from '#src/domain/ledger-time.ts'
import { transactionType } from '#src/domain/transaction-types.ts'
import { accountNumber, numberOf, orNull, timeOf } from '#src/events/ids.ts'
import { keyBytes } from '#src/events/key-bytes.ts'
import { messageBytes } from '#src/events/message-bytes.ts'
import { hasSucceeded } from '#src/events/success.ts'
import { defineProjection, type FoldedRows } from '#src/runtime/fold/projection.ts'

const reads = [
  'type',
  'successful',
  'result',
  'consensusTimestamp',
  'parentConsensusTimestamp',
  'payerAccountId',
  'entityId',
  'scheduled',
  'signatures',
  'record',
  'scheduleCreate',
  'scheduleDelete',
] as const

type Facts = Pick<TransactionRecorded, (typeof reads)[number]>
type Rows = FoldedRows<typeof schedulesSchema>

const callerKey = 0

/** Schedules from their creation on, as they are shown: who signed them when, and when they ran or were deleted. */
export const schedulesProjection = defineProjection(schedulesSchema)
  .on('TransactionRecorded', {
    reads,
    apply: (facts, rows) => {
      if (facts.scheduled) execute(rows, facts)
      if (facts.type === transactionType.ethereumTransaction) keepCaller(rows, facts)
      else if (facts.type === transactionType.scheduleCreate) create(rows, facts)
      else if (facts.type === transactionType.scheduleSign) sign(rows, facts)
      else if (facts.type === transactionType.scheduleDelete) remove(rows, facts)
    },
  })
  .on('ScheduleSnapshotted', {
    reads: [
      'scheduleId',
      'asOf',
      'creatorAccountId',
      'payerAccountId',
      'executedTimestamp',
      'expirationTimestamp',
      'waitForExpiry',
      'transactionBody',
      'signatures',
    ],
    apply: (stated, rows) => {
      const { scheduleId: id, asOf: created, executedTimestamp: executed } = stated
      const signatures = stated.signatures.map(({ consensusTimestamp: time, ...signature }) => ({ time, ...signature }))
      const { deleted, ...entity } = knownEntity(rows, id)
      const facts = {
        id,
        created,
        creator: stated.creatorAccountId,
        payer: stated.payerAccountId,
        expiration: stated.expirationTimestamp,
        waitForExpiry: stated.waitForExpiry,
        body: stated.transactionBody,
        signatures,
        ...entity,
      }
      rows.put('schedules', { ...rowOf(facts), executed, deleted })
      keepSignatures(rows, id, signatures, null)
      if (rows.get('statedEntities', id)) rows.remove('statedEntities', id)
    },
  })
  .on('EntitySnapshotted', {
    reads: ['entityId', 'type', 'asOf', 'validTo', 'deleted', 'key', 'memo'],
    apply: (stated, rows) => {
      if (stated.type === 'SCHEDULE') stateEntity(rows, stated.entityId, statedEntity(stated))
    },
  })

type StatedRow = Omit<ScheduleRow, 'executed' | 'deleted'>

function rowOf(facts: ScheduleFacts): StatedRow {
  const { id, created, creator, payer, adminKey, expiration, body, signatures } = facts
  return {
    ...{ id, created, creator, payer, adminKey, expiration, body },
    expirationSecond: expiration === null ? null : expiration / nanosPerSecond,
    waits: facts.waitForExpiry ? 1 : 0,
    signed: newestOf(signatures),
    ...renderSchedule(facts),
  }
}

function keepSignatures(rows: Rows, schedule: bigint, signatures: readonly Keyed[], payer: bigint | null): void {
  for (const [place, { time, type, publicKeyPrefix: publicKey }] of signatures.entries())
    rows.put('signatures', { schedule, time, place, type, publicKey, payer })
}

type Keyed = Omit<Signature, 'signature'>

/** Those that a transaction brings, and its contract where one called for it: that signs without a signature. */
function keepBrought(rows: Rows, schedule: bigint, facts: Facts, signatures: readonly Signature[]): void {
  const { consensusTimestamp: time, parentConsensusTimestamp: parent, payerAccountId } = facts
  const all: readonly Keyed[] = parent === null ? signatures : [...signatures, byCaller(time)]
  keepSignatures(rows, schedule, all, orNull(payerAccountId))
}

function newestOf(signatures: readonly Signature[]): bigint | null {
  return signatures.reduce<bigint | null>(
    (newest, { time }) => (newest === null || time > newest ? time : newest),
    null,
  )
}

function executedSchedule({ record }: Facts): bigint {
  return numberOf(record?.scheduleRef ?? null)
}

/** It ran, with whatever result. A schedule that nobody knows is not made up. */
function execute(rows: Rows, facts: Facts): void {
  const schedule = rows.get('schedules', executedSchedule(facts))
  if (schedule) rows.put('schedules', { ...schedule, executed: facts.consensusTimestamp })
}

function keepCaller(rows: Rows, { record, consensusTimestamp: time }: Facts): void {
  const result = record?.contractCallResult ?? record?.contractCreateResult
  const caller = accountNumber(result?.senderId ?? null)
  if (caller !== 0n) rows.put('callers', { key: callerKey, time, caller })
}

function create(rows: Rows, facts: Facts): void {
  const { entityId: id, consensusTimestamp: created, scheduleCreate: body } = facts
  if (id === null || body === null || !hasSucceeded(facts)) return
  const signatures = signaturesOf(facts)
  const row = rowOf({ id, created, ...asked(body, creatorOf(rows, facts)), signatures })
  rows.put('schedules', { ...row, executed: null, deleted: null })
  keepBrought(rows, id, facts, signatures)
}

/** A contract's schedule is that of the account that called the contract by an Ethereum transaction. */
function creatorOf(rows: Rows, { parentConsensusTimestamp: parent, payerAccountId }: Facts): bigint | null {
  const called = parent === null ? undefined : rows.get('callers', callerKey)
  return called && called.time === parent ? called.caller : orNull(payerAccountId)
}

type Asked = Omit<ScheduleFacts, 'id' | 'created' | 'signatures'>

function asked(body: ScheduleCreateTransactionBody, creator: bigint | null): Asked {
  const { adminKey, memo, payerAccountID, expirationTime, waitForExpiry, scheduledTransactionBody } = body
  return {
    creator,
    payer: payerAccountID === null ? creator : orNull(accountNumber(payerAccountID)),
    expiration: expirationTime && timeOf(expirationTime),
    waitForExpiry,
    body: messageBytes('proto.SchedulableTransactionBody', scheduledTransactionBody ?? {}),
    adminKey: adminKey && keyBytes(adminKey),
    memo: withoutNul(memo),
  }
}

function sign(rows: Rows, facts: Facts): void {
  const schedule = changed(rows, facts)
  const signatures = signaturesOf(facts)
  if (schedule === undefined) return
  keepBrought(rows, schedule.id, facts, signatures)
  if (signatures.length === 0) return
  const signed = facts.consensusTimestamp
  rows.put('schedules', { ...schedule, signed, rest: withSignatures(schedule.rest, signatures) })
}

function remove(rows: Rows, facts: Facts): void {
  const schedule = changed(rows, facts)
  if (schedule && facts.scheduleDelete !== null)
    rows.put('schedules', { ...schedule, deleted: facts.consensusTimestamp })
}

/** The schedule that a transaction is about, if it succeeded. */
function changed(rows: Rows, facts: Facts): ScheduleRow | undefined {
  return facts.entityId === null || !hasSucceeded(facts) ? undefined : rows.get('schedules', facts.entityId)
}

function signaturesOf({ signatures, consensusTimestamp }: Facts): Signature[] {
  return broughtSignatures(signatures, consensusTimestamp)
}
