import { deleted, keyHex, named, nanosOf, updated } from '#src/simulator/changes.ts'
import type { Message } from '#src/simulator/codec.ts'
import { accountId, hexBytes, seconds, wrapped } from '#src/simulator/ids.ts'
import { createAccount, creationOf, type NewAccount } from '#src/simulator/kinds/new-account.ts'
import type { Entity } from '#src/simulator/ledger-change.ts'
import { type Account, remember } from '#src/simulator/ledger-state.ts'
import {
  chooseStaking,
  pendingReward,
  type StakingChoice,
  someChoice,
  stakingFacts,
  stakingFields,
} from '#src/simulator/staking.ts'
import type { Kind, Submission } from '#src/simulator/submission.ts'
import type { World } from '#src/simulator/world.ts'

const freedKeysMost = 20
const daySeconds = 86_400
const attemptsMost = 10

/** Creates an account; a part of them uses the high-volume lane, where the price is a multiple. */
export const cryptoCreate: Kind = (world) => {
  const payer = world.payer()
  const result = world.failure('INVALID_ALIAS_KEY', 'INSUFFICIENT_PAYER_BALANCE', 'THROTTLED_AT_CONSENSUS')
  if (result)
    return { body: { cryptoCreateAccount: { initialBalance: 100_000_000, key: world.keyOf(payer) } }, payer, result }
  const account = createAccount(world, { ...somePlan(world), reuse: true })
  const created = accountCreation(world, account, payer, 100_000_000 + world.amountFrom(payer))
  return world.prng.chance(0.3) ? withHighVolume(world, created) : created
}

/** Any key and any alias that goes with it. */
function somePlan({ prng }: World): NewAccount {
  const ecdsa = prng.chance(0.5)
  const alias = ecdsa ? prng.pick(['none', 'key', 'address', 'address'] as const) : prng.pick(['none', 'key'] as const)
  return { ecdsa, alias }
}

/** The creation of an account that the state already holds, with its initial balance. */
export function accountCreation(world: World, account: Account, payer: number, initialBalance: number): Submission {
  const { num } = account
  const { prng } = world
  const staking = prng.chance(0.3) && world.mayStake(account) ? choiceOf(world, num) : undefined
  if (staking) chooseStaking(world, account, staking)
  const creation = creationOf(world, account, {
    initialBalance,
    maxAssociations: prng.pick([-1, 10, 100]),
    ...(prng.chance(0.2) ? { memo: `account of user ${num}` } : {}),
    ...(prng.chance(0.05) ? { receiverSigRequired: true } : {}),
    ...(staking ? { staking } : {}),
  })
  return {
    ...creation,
    payer,
    signers: [num],
    movements: [
      [payer, -initialBalance],
      [num, initialBalance],
    ],
  }
}

/** The first account has nobody else to stake to. */
function choiceOf(world: World, num: number): StakingChoice {
  return world.state.users.length < 2 ? { node: 0 } : someChoice(world, num)
}

function withHighVolume(world: World, submission: Submission): Submission {
  const multiplier = world.prng.between(4, 20) * 1_000
  return {
    ...submission,
    fee: Math.floor((41_666_667 * multiplier) / 4_000),
    header: { highVolume: true },
    record: { ...submission.record, highVolumePricingMultiplier: multiplier },
  }
}

/** Fields of an update, and what the ledger holds after it. */
export interface Update {
  readonly fields: Message
  readonly facts: Partial<Entity>
  readonly stakers?: readonly number[]
}

export const cryptoUpdate: Kind = (world) => {
  const user = world.user()
  const result = world.failure('INVALID_SIGNATURE')
  const update = result ? { fields: {}, facts: {} } : world.prng.pick(accountUpdates)(world, user)
  return updateOf(user, update, result)
}

function updateOf(user: Account, { fields, facts, stakers }: Update, result?: Submission['result']): Submission {
  return {
    body: { cryptoUpdateAccount: { accountIDToUpdate: accountId(user.num), ...fields } },
    payer: user.num,
    changes: [updated(user.num, facts)],
    ...(stakers ? { stakers } : {}),
    ...(result ? { result } : {}),
  }
}

/** Nothing but the memo; for where several transactions are planned at once. */
export const memoUpdate: Kind = (world) => {
  const user = world.user()
  return updateOf(user, changeMemo(world))
}

function changeStaking(world: World, user: Account): Update {
  if (!world.mayStake(user)) return changeMemo(world)
  const { prng } = world
  const stops: StakingChoice[] = [{ node: -1 }, { account: 0 }, { decline: !(user.staking?.decline ?? false) }]
  const choice = prng.chance(0.75) ? { decline: false, ...someChoice(world, user.num) } : prng.pick(stops)
  chooseStaking(world, user, choice)
  return { fields: stakingFields(choice, true), facts: stakingFacts(user), stakers: [user.num] }
}

function changeMemo(world: World): Update {
  const memo = world.prng.chance(0.1) ? '' : `note ${world.prng.below(1_000)}`
  return { fields: { memo: wrapped(memo) }, facts: { memo } }
}

function changeKey(world: World, user: Account): Update {
  user.keyNum = world.state.nextKey++
  user.ecdsa = world.prng.chance(0.5)
  const key = world.keyOf(user.num)
  return { fields: { key }, facts: { key: keyHex(key) } }
}

function changeTerms({ prng, now }: World): Update {
  const period = prng.between(30, 92) * daySeconds
  const expiry = now.seconds + prng.between(30, 92) * daySeconds
  const receiverSig = prng.chance(0.3)
  return {
    fields: {
      autoRenewPeriod: seconds(period),
      expirationTime: seconds(expiry),
      receiverSigRequiredWrapper: wrapped(receiverSig),
    },
    facts: { autoRenewSeconds: period, expirationTime: nanosOf(expiry), receiverSigRequired: receiverSig },
  }
}

function changeSlots({ prng }: World, user: Account): Update {
  const slots = prng.chance(0.3) ? -1 : prng.between(100, 200)
  user.autoSlots = slots
  return { fields: { maxAutomaticTokenAssociations: wrapped(slots) }, facts: { maxAutomaticAssociations: slots } }
}

const accountUpdates = [changeStaking, changeStaking, changeMemo, changeKey, changeTerms, changeSlots]

/** The first signature of an account known by its address alone: the network stores its key before it counts. */
export const hollowCompletion: Kind = (world) => {
  const guest = world.some(world.state.guests.filter(({ hollow, balance }) => hollow && balance > 200_000_000))
  if (!guest) return undefined
  guest.hollow = false
  const key = world.keyOf(guest.num)
  const completion: Submission = {
    body: { cryptoUpdateAccount: { accountIDToUpdate: accountId(guest.num), key } },
    payer: guest.num,
    memo: 'completed hollow account',
    changes: [updated(guest.num, { key: keyHex(key) })],
  }
  const receiver = world.user().num
  const entries = [
    { accountID: accountId(guest.num), amount: -1_000 },
    { accountID: accountId(receiver), amount: 1_000 },
  ]
  return {
    body: { cryptoTransfer: { transfers: { accountAmounts: entries } } },
    payer: guest.num,
    movements: [
      [guest.num, -1_000],
      [receiver, 1_000],
    ],
    preceding: [completion],
  }
}

/** The alias of a deleted account is free for another. */
export const cryptoDelete: Kind = (world) => {
  const guest = someoneToGo(world)
  if (!guest) return undefined
  const obtainer = world.user().num
  const body = { cryptoDelete: { transferAccountID: accountId(obtainer), deleteAccountID: accountId(guest.num) } }
  const result = world.failure('INVALID_SIGNATURE', 'INVALID_ACCOUNT_ID')
  if (result) return { body, payer: obtainer, result }
  const left = guest.balance
  world.removeGuest(guest)
  if (
    guest.ecdsa &&
    guest.alias !== null &&
    world.keys.evmAddress(guest.keyNum).equals(hexBytes(guest.evmAddress ?? ''))
  )
    remember(world.state.freedKeys, guest.keyNum, freedKeysMost)
  return {
    body,
    payer: obtainer,
    signers: [guest.num],
    movements: [
      [guest.num, -left],
      [obtainer, left],
    ],
    changes: [deleted(guest.num, { obtainer }), ...named(guest.alias, null), ...named(guest.evmAddress, null)],
  }
}

/** Looking at everyone would take longer than all the rest. */
function someoneToGo(world: World): Account | undefined {
  for (let attempt = 0; attempt < attemptsMost; attempt++) {
    const guest = world.some(world.state.guests)
    if (guest && mayGo(world, guest)) return guest
  }
  return undefined
}

/** Whom nothing keeps: no tokens, no hooks, nothing owed. */
function mayGo(world: World, { num, hollow, hooks, staking }: Account): boolean {
  const { airdrops, tokens } = world.state
  if (hollow || hooks.length > 0 || (staking && (staking.owed > 0 || pendingReward(staking) > 0))) return false
  return !airdrops.some(({ receiver }) => receiver === num) && !tokens.some(({ holders }) => num in holders)
}
