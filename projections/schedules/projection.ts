import { type ScheduleRow, schedulesSchema } from '#projections/schedules/schema.ts'
import { broughtSignatures } from '#projections/schedules/signatures.ts'
import { packSignatures } from '#projections/schedules/signatures-packing.ts'
import type { ScheduleCreateTransactionBody, TransactionRecorded } from '#schemas/events/types.ts'
import { transactionType } from '#src/domain/transaction-types.ts'
import { accountNumber, numberOf, orNull, timeOf } from '#src/events/ids.ts'
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
] as const

type Facts = Pick<TransactionRecorded, (typeof reads)[number]>
type Rows = FoldedRows<typeof schedulesSchema>

const callerKey = 0

/** Schedules from their creation on: who signed them when, and when they ran. */
export const schedulesProjection = defineProjection(schedulesSchema)
  .on('TransactionRecorded', {
    reads,
    needs: (facts, rows) => {
      const { type, entityId, parentConsensusTimestamp } = facts
      if (facts.scheduled) rows.want('schedules', executedSchedule(facts))
      if (type === transactionType.scheduleCreate && parentConsensusTimestamp !== null) rows.want('callers', callerKey)
      if (type === transactionType.scheduleSign && entityId !== null) rows.want('schedules', entityId)
    },
    apply: (facts, rows) => {
      if (facts.scheduled) execute(rows, facts)
      if (facts.type === transactionType.ethereumTransaction) keepCaller(rows, facts)
      else if (facts.type === transactionType.scheduleCreate) create(rows, facts)
      else if (facts.type === transactionType.scheduleSign) sign(rows, facts)
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
      const signatures = stated.signatures.map(({ consensusTimestamp: time, ...signature }) => ({ time, ...signature }))
      rows.put('schedules', {
        id: stated.scheduleId,
        created: stated.asOf,
        creator: stated.creatorAccountId,
        payer: stated.payerAccountId,
        executed: stated.executedTimestamp,
        expiration: stated.expirationTimestamp,
        waitForExpiry: stated.waitForExpiry ? 1 : 0,
        body: stated.transactionBody,
        signatures: packSignatures(signatures),
      })
    },
  })

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
  const { entityId: id, consensusTimestamp: time, scheduleCreate: body } = facts
  if (id === null || body === null || !hasSucceeded(facts)) return
  const creator = creatorOf(rows, facts)
  rows.put('schedules', { id, created: time, executed: null, ...asked(body, creator), ...signed(facts) })
}

/** A contract's schedule is that of the account that called the contract by an Ethereum transaction. */
function creatorOf(rows: Rows, { parentConsensusTimestamp: parent, payerAccountId }: Facts): bigint | null {
  const called = parent === null ? undefined : rows.get('callers', callerKey)
  return called && called.time === parent ? called.caller : orNull(payerAccountId)
}

type Asked = Pick<ScheduleRow, 'creator' | 'payer' | 'expiration' | 'waitForExpiry' | 'body'>

function asked(body: ScheduleCreateTransactionBody, creator: bigint | null): Asked {
  const { payerAccountID, expirationTime, waitForExpiry, scheduledTransactionBody } = body
  return {
    creator,
    payer: payerAccountID === null ? creator : orNull(accountNumber(payerAccountID)),
    expiration: expirationTime && timeOf(expirationTime),
    waitForExpiry: waitForExpiry ? 1 : 0,
    body: messageBytes('proto.SchedulableTransactionBody', scheduledTransactionBody ?? {}),
  }
}

function sign(rows: Rows, facts: Facts): void {
  const schedule = facts.entityId === null ? undefined : rows.get('schedules', facts.entityId)
  if (schedule === undefined || !hasSucceeded(facts)) return
  const signatures = Buffer.concat([schedule.signatures, signed(facts).signatures])
  rows.put('schedules', { ...schedule, signatures })
}

function signed({ signatures, consensusTimestamp }: Facts): { readonly signatures: Buffer } {
  return { signatures: packSignatures(broughtSignatures(signatures, consensusTimestamp)) }
}
