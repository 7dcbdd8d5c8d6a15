import type { Message } from '#src/simulator/codec.ts'
import { accountId, scheduleId } from '#src/simulator/ids.ts'
import { amountEntry } from '#src/simulator/kinds/hbar.ts'
import { forget, remember, type Schedule } from '#src/simulator/ledger-state.ts'
import type { Kind, Movement, Submission } from '#src/simulator/submission.ts'
import type { Instant } from '#src/simulator/time.ts'
import type { World } from '#src/simulator/world.ts'

const schedulesMost = 100
const expirySeconds = 1_800

/** Schedules a transfer. When all signatures come with the creation, it is executed at once. */
export const scheduleCreate: Kind = (world) => {
  const creator = world.payer()
  const payer = world.userOtherThan(creator).num
  const receiver = world.userOtherThan(payer).num
  const amount = world.amountFrom(payer)
  const validStart = { seconds: world.now.seconds - 3, nanos: world.now.nanos }
  const plan = { num: 0, creator, payer, receiver, amount, validStart }
  const body = { scheduleCreate: scheduleBody(world, plan) }
  const result = world.failure('IDENTICAL_SCHEDULE_ALREADY_CREATED', 'INVALID_SIGNATURE')
  if (result) return { body, payer: creator, result }
  const schedule = { ...plan, num: world.newEntity() }
  const receipt = { scheduleID: scheduleId(schedule.num), scheduledTransactionID: scheduledId(schedule) }
  const creation: Submission = { body, payer: creator, receipt }
  if (world.prng.chance(0.2)) return [{ ...creation, signers: [payer] }, execution(schedule)]
  remember(world.state.schedules, schedule, schedulesMost)
  return creation
}

function scheduleBody(world: World, schedule: Schedule): Message {
  return {
    scheduledTransactionBody: { transactionFee: 1_000_000, memo: 'scheduled', ...transferBody(schedule) },
    memo: `payment plan of user ${schedule.creator}`,
    adminKey: world.keyOf(schedule.creator),
    payerAccountID: accountId(schedule.payer),
    expirationTime: { seconds: world.now.seconds + expirySeconds },
  }
}

/** The signature that was missing: the scheduled transaction executes right after it, under the id of its creation. */
export const scheduleSign: Kind = (world) => {
  const schedule = world.some(world.state.schedules)
  if (!schedule) return undefined
  const signer = schedule.payer
  const body = { scheduleSign: { scheduleID: scheduleId(schedule.num) } }
  const result = world.failure('NO_NEW_VALID_SIGNATURES', 'INVALID_SCHEDULE_ID')
  if (result) return { body, payer: signer, result }
  forget(world.state.schedules, schedule)
  const receipt = { scheduledTransactionID: scheduledId(schedule) }
  return [{ body, payer: signer, receipt }, execution(schedule, world.failure('INSUFFICIENT_ACCOUNT_BALANCE'))]
}

export const scheduleDelete: Kind = (world) => {
  const schedule = world.some(world.state.schedules)
  if (!schedule) return undefined
  const result = world.failure('INVALID_SIGNATURE')
  if (!result) forget(world.state.schedules, schedule)
  const body = { scheduleDelete: { scheduleID: scheduleId(schedule.num) } }
  return { body, payer: schedule.creator, ...(result ? { result } : {}) }
}

function execution(schedule: Schedule, result?: Submission['result']): Submission {
  const movements: Movement[] = [
    [schedule.payer, -schedule.amount],
    [schedule.receiver, schedule.amount],
  ]
  return {
    body: transferBody(schedule),
    payer: schedule.payer,
    memo: 'scheduled',
    movements,
    record: { scheduleRef: scheduleId(schedule.num) },
    identity: { payer: schedule.creator, validStart: schedule.validStart as Instant, scheduled: true },
    ...(result ? { result } : {}),
  }
}

function transferBody({ payer, receiver, amount }: Schedule): Message {
  return {
    cryptoTransfer: { transfers: { accountAmounts: [amountEntry([payer, -amount]), amountEntry([receiver, amount])] } },
  }
}

function scheduledId({ creator, validStart }: Schedule): Message {
  return { transactionValidStart: validStart, accountID: accountId(creator), scheduled: true }
}
