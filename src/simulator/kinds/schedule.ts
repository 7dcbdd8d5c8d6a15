import { created, deleted, keyHex, nanosOf } from '#src/simulator/changes.ts'
import { encode, type Message } from '#src/simulator/codec.ts'
import { accountId, scheduleId } from '#src/simulator/ids.ts'
import { amountEntry } from '#src/simulator/kinds/hbar.ts'
import { createAccount, creationOf } from '#src/simulator/kinds/new-account.ts'
import type { LedgerChange } from '#src/simulator/ledger-change.ts'
import { forget, remember, type Schedule } from '#src/simulator/ledger-state.ts'
import type { Movement } from '#src/simulator/movement.ts'
import type { Kind, Submission } from '#src/simulator/submission.ts'
import type { Instant } from '#src/simulator/time.ts'
import type { World } from '#src/simulator/world.ts'

const schedulesMost = 100
const expirySeconds = 1_800

/** Schedules a transfer or a new account. When all signatures come with the creation, it is executed at once. */
export const scheduleCreate: Kind = (world) => {
  const creator = world.payer()
  const payer = world.userOtherThan(creator).num
  const receiver = world.userOtherThan(payer).num
  const amount = world.amountFrom(payer)
  const validStart = { seconds: world.now.seconds - 3, nanos: world.now.nanos }
  const action = world.prng.chance(0.25) ? 'create' : 'transfer'
  const plan: Schedule = { num: 0, creator, action, payer, receiver, amount, validStart }
  const memo = `payment plan of user ${creator}`
  const expiry = world.now.seconds + expirySeconds
  const body = { scheduleCreate: scheduleBody(world, plan, memo, expiry) }
  const result = world.failure('IDENTICAL_SCHEDULE_ALREADY_CREATED', 'INVALID_SIGNATURE')
  if (result) return { body, payer: creator, result }
  const schedule = { ...plan, num: world.newEntity() }
  const receipt = { scheduleID: scheduleId(schedule.num), scheduledTransactionID: scheduledId(schedule) }
  const facts = {
    type: 'SCHEDULE' as const,
    key: keyHex(world.keyOf(creator)),
    memo,
    expirationTime: nanosOf(expiry),
  }
  const changes = [created(schedule.num, facts), scheduleChange(schedule, body.scheduleCreate)]
  const creation: Submission = { body, payer: creator, receipt }
  if (world.prng.chance(0.2)) {
    const signed = signedChange(world, schedule, 0, [creator, payer])
    return [{ ...creation, signers: [payer], changes: [...changes, signed] }, execution(world, schedule)]
  }
  remember(world.state.schedules, schedule, schedulesMost)
  return { ...creation, changes: [...changes, signedChange(world, schedule, 0, [creator])] }
}

function scheduleChange({ num, creator, payer }: Schedule, body: Message): LedgerChange {
  const scheduled = encode('proto.SchedulableTransactionBody', body['scheduledTransactionBody'] as Message)
  const set = { creator, payer, body: Buffer.from(scheduled).toString('hex'), executed: false }
  return { table: 'schedules', key: String(num), set }
}

/** Of several signatures with one key, only the first counts. */
function signedChange(world: World, { num }: Schedule, order: number, signers: readonly number[]): LedgerChange {
  const keys = signers.map((signer) => world.publicKeyOf(signer).toString('hex'))
  return { table: 'scheduleSignatures', key: `${num}/${order}`, set: { keys: [...new Set(keys)] } }
}

function scheduleBody(world: World, schedule: Schedule, memo: string, expiry: number): Message {
  const scheduled = schedule.action === 'create' ? creationBody(world, schedule) : transferBody(schedule)
  return {
    scheduledTransactionBody: { transactionFee: 1_000_000, memo: 'scheduled', ...scheduled },
    memo,
    adminKey: world.keyOf(schedule.creator),
    payerAccountID: accountId(schedule.payer),
    expirationTime: { seconds: expiry },
  }
}

/** The new account has the key of the one who pays for it, as that one has it now. */
function creationBody(world: World, { payer }: Schedule): Message {
  return { cryptoCreateAccount: { key: world.keyOf(payer), memo: 'scheduled account' } }
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
  const changes = [signedChange(world, schedule, 1, [signer])]
  return [
    { body, payer: signer, receipt, changes },
    execution(world, schedule, world.failure('INSUFFICIENT_ACCOUNT_BALANCE')),
  ]
}

export const scheduleDelete: Kind = (world) => {
  const schedule = world.some(world.state.schedules)
  if (!schedule) return undefined
  const result = world.failure('INVALID_SIGNATURE')
  if (!result) forget(world.state.schedules, schedule)
  const body = { scheduleDelete: { scheduleID: scheduleId(schedule.num) } }
  return { body, payer: schedule.creator, changes: [deleted(schedule.num)], ...(result ? { result } : {}) }
}

function execution(world: World, schedule: Schedule, failure?: Submission['result']): Submission {
  const poor = schedule.action === 'transfer' && world.spendable(schedule.payer) <= schedule.amount
  const result = poor ? 'INSUFFICIENT_ACCOUNT_BALANCE' : failure
  const frame = {
    payer: schedule.payer,
    memo: 'scheduled',
    lasting: [{ table: 'schedules', key: String(schedule.num), set: { executed: true } } as const],
    identity: { payer: schedule.creator, validStart: schedule.validStart as Instant, scheduled: true },
    ...(result ? { result } : {}),
  }
  const record = { scheduleRef: scheduleId(schedule.num) }
  if (schedule.action === 'create') return { ...frame, ...accountMade(world, schedule, result !== undefined, record) }
  const movements: Movement[] = [
    [schedule.payer, -schedule.amount],
    [schedule.receiver, schedule.amount],
  ]
  return { ...frame, body: transferBody(schedule), movements, record }
}

/** What the scheduled body asked for; a key that was replaced since the schedule came is the new one here. */
function accountMade(
  world: World,
  schedule: Schedule,
  failed: boolean,
  record: Message,
): Pick<Submission, 'body' | 'record' | 'receipt' | 'changes'> {
  if (failed) return { body: creationBody(world, schedule), record }
  const payer = world.account(schedule.payer)
  const account = createAccount(world, { ecdsa: payer?.ecdsa ?? false, alias: 'none' })
  account.keyNum = payer?.keyNum ?? schedule.payer
  const creation = creationOf(world, account, { memo: 'scheduled account' })
  return { ...creation, record: { ...creation.record, ...record } }
}

function transferBody({ payer, receiver, amount }: Schedule): Message {
  return {
    cryptoTransfer: { transfers: { accountAmounts: [amountEntry([payer, -amount]), amountEntry([receiver, amount])] } },
  }
}

function scheduledId({ creator, validStart }: Schedule): Message {
  return { transactionValidStart: validStart, accountID: accountId(creator), scheduled: true }
}
