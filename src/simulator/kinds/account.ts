import type { Message } from '#src/simulator/codec.ts'
import { accountId, hexBytes, seconds, tokenId, wrapped } from '#src/simulator/ids.ts'
import { hookCreation } from '#src/simulator/kinds/hook.ts'
import { createAccount } from '#src/simulator/kinds/new-account.ts'
import type { Account } from '#src/simulator/ledger-state.ts'
import type { Kind, Submission } from '#src/simulator/submission.ts'
import type { World } from '#src/simulator/world.ts'

/** Creates an account; a part of them uses the high-volume lane, where the price is a multiple. */
export const cryptoCreate: Kind = (world) => {
  const payer = world.payer()
  const result = world.failure('INVALID_ALIAS_KEY', 'INSUFFICIENT_PAYER_BALANCE', 'THROTTLED_AT_CONSENSUS')
  if (result)
    return { body: { cryptoCreateAccount: { initialBalance: 100_000_000, key: world.keyOf(payer) } }, payer, result }
  const ecdsa = world.prng.chance(0.4)
  const account = createAccount(world, { ecdsa, alias: ecdsa ? 'address' : 'none' })
  const created = accountCreation(world, account, payer, 100_000_000 + world.amountFrom(payer))
  return world.prng.chance(0.3) ? withHighVolume(world, created) : created
}

/** The creation of an account that the state already holds, with its initial balance. */
export function accountCreation(world: World, account: Account, payer: number, initialBalance: number): Submission {
  const { num } = account
  if (world.prng.chance(0.3)) account.stakedNode = world.prng.below(world.options.nodes)
  const body: Message = {
    key: world.keyOf(num),
    initialBalance,
    autoRenewPeriod: seconds(7_776_000),
    maxAutomaticTokenAssociations: world.prng.pick([0, 10, -1]),
    ...(world.prng.chance(0.2) ? { memo: `account of user ${num}` } : {}),
    ...(account.stakedNode === null ? {} : { stakedNodeId: account.stakedNode }),
    ...(account.alias === null ? {} : { alias: hexBytes(account.alias) }),
  }
  return {
    body: { cryptoCreateAccount: body },
    payer,
    signers: [num],
    receipt: { accountID: accountId(num) },
    record: account.evmAddress === null ? {} : { evmAddress: hexBytes(account.evmAddress) },
    movements: [
      [payer, -initialBalance],
      [num, initialBalance],
    ],
  }
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

export const cryptoUpdate: Kind = (world) => {
  const user = world.user()
  const result = world.failure('INVALID_SIGNATURE')
  const changes = result ? {} : world.prng.pick([changeStaking, changeMemo])(world, user)
  return {
    body: { cryptoUpdateAccount: { accountIDToUpdate: accountId(user.num), ...changes } },
    payer: user.num,
    ...(result ? { result } : {}),
  }
}

function changeStaking(world: World, user: Account): Message {
  user.stakedNode = world.prng.chance(0.8) ? world.prng.below(world.options.nodes) : null
  return { stakedNodeId: user.stakedNode ?? -1, declineReward: wrapped(false) }
}

function changeMemo(world: World): Message {
  return {
    memo: wrapped(`note ${world.prng.below(1_000)}`),
    maxAutomaticTokenAssociations: wrapped(world.prng.between(1, 50)),
  }
}

/** Binds a contract to an account as a hook, in place of an earlier one. */
export const hookCreate: Kind = (world) => {
  const contract = world.some(world.state.contracts)
  const user = world.user()
  if (!contract || user.balance < 1_000_000_000) return undefined
  const deletion = user.hookId === null ? {} : { hookIdsToDelete: [user.hookId] }
  user.hookId = world.prng.between(1, 9)
  const hookCreationDetails = [hookCreation(world, user, contract.num)]
  return {
    body: { cryptoUpdateAccount: { accountIDToUpdate: accountId(user.num), ...deletion, hookCreationDetails } },
    payer: user.num,
  }
}

export const cryptoDelete: Kind = (world) => {
  const guest = world.some(world.state.guests.filter(({ num }) => !isUsed(world, num)))
  if (!guest) return undefined
  const obtainer = world.user().num
  const body = { cryptoDelete: { transferAccountID: accountId(obtainer), deleteAccountID: accountId(guest.num) } }
  const result = world.failure('INVALID_SIGNATURE', 'INVALID_ACCOUNT_ID')
  if (result) return { body, payer: obtainer, result }
  const left = guest.balance
  world.removeGuest(guest)
  return {
    body,
    payer: obtainer,
    signers: [guest.num],
    movements: [
      [guest.num, -left],
      [obtainer, left],
    ],
  }
}

function isUsed(world: World, num: number): boolean {
  const { airdrops, tokens } = world.state
  return airdrops.some(({ receiver }) => receiver === num) || tokens.some(({ holders }) => num in holders)
}

/** Allows a spender hbar, and tokens and an NFT where the owner has such. */
export const cryptoApproveAllowance: Kind = (world) => {
  const collection = world.prng.chance(0.7) ? world.token(({ nfts }) => nfts.length > 0) : undefined
  const nft = world.some(collection?.nfts ?? [])
  const owner = nft?.owner ?? world.user().num
  const spender = world.userOtherThan(owner).num
  const parties = { owner: accountId(owner), spender: accountId(spender) }
  const result = world.failure('INVALID_SIGNATURE', 'TOKEN_NOT_ASSOCIATED_TO_ACCOUNT')
  if (nft && !result) nft.spender = spender
  const held = world.token((token) => !token.nft && owner in token.holders)
  const serials = { tokenId: tokenId(collection?.num ?? 0), serialNumbers: [nft?.serial] }
  const body = {
    cryptoAllowances: [{ ...parties, amount: 1_000_000_000 }],
    ...(held ? { tokenAllowances: [{ ...parties, tokenId: tokenId(held.num), amount: 1_000 }] } : {}),
    ...(nft ? { nftAllowances: [{ ...parties, ...serials }] } : {}),
  }
  return { body: { cryptoApproveAllowance: body }, payer: owner, ...(result ? { result } : {}) }
}

export const cryptoDeleteAllowance: Kind = (world) => {
  const collection = world.token((token) => token.nfts.some((nft) => nft.spender !== null))
  const nft = collection?.nfts.find((candidate) => candidate.spender !== null)
  if (!collection || !nft) return undefined
  nft.spender = null
  const removed = { tokenId: tokenId(collection.num), owner: accountId(nft.owner), serialNumbers: [nft.serial] }
  return { body: { cryptoDeleteAllowance: { nftAllowances: [removed] } }, payer: nft.owner }
}

/** Live hashes were switched off long ago; the network answers every attempt with NOT_SUPPORTED. */
export const cryptoAddLiveHash: Kind = (world) => {
  const num = world.user().num
  const liveHash = {
    accountId: accountId(num),
    hash: world.prng.bytes(48),
    keys: { keys: [world.keyOf(num)] },
    duration: seconds(86_400),
  }
  return { body: { cryptoAddLiveHash: { liveHash } }, payer: num, result: 'NOT_SUPPORTED' }
}

export const cryptoDeleteLiveHash: Kind = (world) => {
  const num = world.user().num
  const body = { cryptoDeleteLiveHash: { accountOfLiveHash: accountId(num), liveHashToDelete: world.prng.bytes(48) } }
  return { body, payer: num, result: 'NOT_SUPPORTED' }
}
