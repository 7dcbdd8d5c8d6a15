import { accountEffects } from '#projections/entities/changes/accounts.ts'
import { contractEffects } from '#projections/entities/changes/contracts.ts'
import {
  type Effects,
  type EntityEffect,
  effect,
  keyChange,
  numberIfSet,
  resolvedIfSet,
  secondsOf,
} from '#projections/entities/changes/effect.ts'
import type { ContractID } from '#schemas/events/types.ts'
import { withoutNul } from '#src/domain/json-text.ts'
import { transactionType } from '#src/domain/transaction-types.ts'
import { timeOf } from '#src/events/ids.ts'
import { keyListBytes } from '#src/events/key-bytes.ts'

/** What transactions about schedules change, but for what is scheduled and when it ran. */
const scheduleEffects: Effects = [
  effect(transactionType.scheduleCreate, 'create', 'scheduleCreate', (body) => ({
    type: 'SCHEDULE',
    ...keyChange(body.adminKey),
    memo: withoutNul(body.memo),
  })),
  effect(transactionType.scheduleDelete, 'delete', 'scheduleDelete', () => ({ type: 'SCHEDULE' })),
]

/** What transactions about tokens change of what tokens have in common with other entities. */
const tokenEffects: Effects = [
  effect(transactionType.tokenCreate, 'create', 'tokenCreation', (body, context) => ({
    type: 'TOKEN',
    ...keyChange(body.adminKey),
    autoRenewAccountId: context.account(body.autoRenewAccount) ?? undefined,
    autoRenewPeriod: secondsOf(body.autoRenewPeriod),
    expirationTimestamp: body.expiry === null ? undefined : timeOf(body.expiry),
    memo: withoutNul(body.memo),
  })),
  effect(transactionType.tokenUpdate, 'update', 'tokenUpdate', (body, context) => ({
    type: 'TOKEN',
    ...keyChange(body.adminKey),
    autoRenewAccountId: resolvedIfSet(body.autoRenewAccount, context),
    autoRenewPeriod: secondsOf(body.autoRenewPeriod),
    expirationTimestamp: body.expiry === null ? undefined : timeOf(body.expiry),
    memo: body.memo === null ? undefined : withoutNul(body.memo),
  })),
  effect(transactionType.tokenDelete, 'delete', 'tokenDeletion', () => ({ type: 'TOKEN' })),
]

/** What transactions about topics change, but for keys and fees, which are the topic's own. */
const topicEffects: Effects = [
  effect(transactionType.topicCreate, 'create', 'consensusCreateTopic', (body) => ({
    type: 'TOPIC',
    autoRenewAccountId: numberIfSet(body.autoRenewAccount),
    autoRenewPeriod: secondsOf(body.autoRenewPeriod),
    memo: withoutNul(body.memo),
  })),
  effect(transactionType.topicUpdate, 'update', 'consensusUpdateTopic', (body, context) => ({
    type: 'TOPIC',
    autoRenewAccountId: resolvedIfSet(body.autoRenewAccount, context),
    autoRenewPeriod: secondsOf(body.autoRenewPeriod),
    expirationTimestamp: body.expirationTime === null ? undefined : timeOf(body.expirationTime),
    memo: body.memo === null ? undefined : withoutNul(body.memo),
  })),
  effect(transactionType.topicDelete, 'delete', 'consensusDeleteTopic', () => ({ type: 'TOPIC' })),
]

/** What the network's administrators may do to any file or contract. The expiration time of the body is not used. */
const systemEffects: Effects = [
  effect(transactionType.systemDelete, 'delete', 'systemDelete', (body) => ({ type: typeOf(body) })),
  effect(transactionType.systemUndelete, 'update', 'systemUndelete', (body) => ({ type: typeOf(body) })),
]

function typeOf({ contractID }: { readonly contractID: ContractID | null }): string {
  return contractID === null ? 'FILE' : 'CONTRACT'
}

/** What transactions about files change, contents aside. Their keys are a KeyList, which nothing is searched by. */
const fileEffects: Effects = [
  effect(transactionType.fileCreate, 'create', 'fileCreate', (body) => ({
    type: 'FILE',
    expirationTimestamp: body.expirationTime === null ? undefined : timeOf(body.expirationTime),
    key: body.keys === null ? undefined : keyListBytes(body.keys),
    memo: withoutNul(body.memo),
  })),
  effect(transactionType.fileUpdate, 'update', 'fileUpdate', (body) => ({
    type: 'FILE',
    expirationTimestamp: body.expirationTime === null ? undefined : timeOf(body.expirationTime),
    key: body.keys === null ? undefined : keyListBytes(body.keys),
    memo: body.memo === null ? undefined : withoutNul(body.memo),
  })),
  effect(transactionType.fileDelete, 'delete', 'fileDelete', () => ({ type: 'FILE' })),
]

/** What each transaction type does to its entity, by the type's number; most do nothing. */
export const effectsByType: readonly (EntityEffect | undefined)[] = tableOf()

function tableOf(): (EntityEffect | undefined)[] {
  const table: (EntityEffect | undefined)[] = []
  const all = [
    ...accountEffects,
    ...contractEffects,
    ...fileEffects,
    ...systemEffects,
    ...topicEffects,
    ...tokenEffects,
    ...scheduleEffects,
  ]
  for (const [type, effect] of all) table[type] = effect
  return table
}
