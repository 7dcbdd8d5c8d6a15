import { knownEntity, statedEntity, stateEntity } from '#projections/schedules/known-entity.ts'
import { packSignatures } from '#projections/schedules/packing.ts'
import { type ScheduleRow, schedulesSchema } from '#projections/schedules/schema.ts'
import { broughtSignatures, signatureOfCaller, statedSignatures } from '#projections/schedules/signatures.ts'
import type { ScheduleCreateTransactionBody, TransactionRecorded } from '#schemas/events/types.ts'
import { base64Of } from '#src/domain/bytes.ts'
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

/** Schedules from their creation on: who signed them when, and when they ran or were deleted. */
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
      const { scheduleId: id } = stated
      rows.put('schedules', {
        id,
        created: stated.asOf,
        creator: stated.creatorAccountId,
        payer: stated.payerAccountId,
        ...expiry(stated.expirationTimestamp),
        waits: stated.waitForExpiry ? 1 : 0,
        body: base64Of(stated.transactionBody),
        executed: stated.executedTimestamp,
        signatures: packSignatures(statedSignatures(stated)),
        ...knownEntity(rows, id),
      })
      if (rows.get('statedEntities', id)) rows.remove('statedEntities', id)
    },
  })
  .on('EntitySnapshotted', {
    reads: ['entityId', 'type', 'asOf', 'validTo', 'deleted', 'key', 'memo'],
    apply: (stated, rows) => {
      if (stated.type === 'SCHEDULE') stateEntity(rows, stated.entityId, statedEntity(stated))
    },
  })

function expiry(expiration: bigint | null): Pick<ScheduleRow, 'expiration' | 'expirationSecond'> {
  return { expiration, expirationSecond: expiration === null ? null : expiration / nanosPerSecond }
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
  const signatures = packedSignatures(facts)
  rows.put('schedules', {
    ...{ id, created, executed: null, deleted: null, signatures },
    ...asked(body, creatorOf(rows, facts)),
  })
}

/** Those that a transaction brings, and its contract where one called for it: that signs without a signature. */
function packedSignatures(facts: Facts): string {
  const { consensusTimestamp: time, parentConsensusTimestamp: parent, payerAccountId } = facts
  const brought = broughtSignatures(facts)
  return packSignatures(parent === null ? brought : [...brought, signatureOfCaller(payerAccountId, time)])
}

/** A contract's schedule is that of the account that called the contract by an Ethereum transaction. */
function creatorOf(rows: Rows, { parentConsensusTimestamp: parent, payerAccountId }: Facts): bigint | null {
  const called = parent === null ? undefined : rows.get('callers', callerKey)
  return called && called.time === parent ? called.caller : orNull(payerAccountId)
}

type Asked = Omit<ScheduleRow, 'id' | 'created' | 'executed' | 'deleted' | 'signatures'>

function asked(body: ScheduleCreateTransactionBody, creator: bigint | null): Asked {
  const { adminKey, memo, payerAccountID, expirationTime, waitForExpiry, scheduledTransactionBody } = body
  return {
    creator,
    payer: payerAccountID === null ? creator : orNull(accountNumber(payerAccountID)),
    ...expiry(expirationTime && timeOf(expirationTime)),
    waits: waitForExpiry ? 1 : 0,
    body: base64Of(messageBytes('proto.SchedulableTransactionBody', scheduledTransactionBody ?? {})),
    adminKey: adminKey && keyBytes(adminKey),
    memo: withoutNul(memo),
  }
}

function sign(rows: Rows, facts: Facts): void {
  const schedule = changed(rows, facts)
  if (schedule) rows.put('schedules', { ...schedule, signatures: schedule.signatures + packedSignatures(facts) })
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
