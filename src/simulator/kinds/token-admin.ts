import {
  associated,
  deleted,
  feesChanged,
  keyHex,
  nanosOf,
  related,
  tokenChanged,
  updated,
} from '#src/simulator/changes.ts'
import { accountId, seconds, tokenId, wrapped } from '#src/simulator/ids.ts'
import type { Update } from '#src/simulator/kinds/account.ts'
import { associationOf, handOver, receiverOf, supplied } from '#src/simulator/kinds/holding.ts'
import type { TokenFacts } from '#src/simulator/ledger-change.ts'
import { forget, remember, type Token } from '#src/simulator/ledger-state.ts'
import type { Kind, Submission } from '#src/simulator/submission.ts'
import type { World } from '#src/simulator/world.ts'

const deletedTokensMost = 10

export const tokenAssociate: Kind = (world) => {
  const tokens = [world.token(() => true), world.prng.chance(0.3) ? world.token(() => true) : undefined]
  const wanted = [...new Set(tokens.filter((token) => token !== undefined))]
  if (wanted.length === 0) return undefined
  const account = world.user()
  const body = {
    tokenAssociate: { account: accountId(account.num), tokens: wanted.map(({ num }) => tokenId(num)) },
  }
  if (wanted.some(({ holders }) => account.num in holders))
    return { body, payer: account.num, result: 'TOKEN_ALREADY_ASSOCIATED_TO_ACCOUNT' }
  for (const { holders } of wanted) holders[account.num] = 0
  const changes = wanted.map(({ num }) => associated(account.num, num, { frozen: false, kycGranted: false }))
  return { body, payer: account.num, changes }
}

/** Leaves a token that one has nothing of, or a deleted one with all that one has. */
export const tokenDissociate: Kind = (world) => {
  const left = world.prng.chance(0.4) ? world.some(world.state.deletedTokens) : undefined
  if (left) return leaveDeleted(world, left)
  const token = world.token((candidate) => emptyHolder(world, candidate) !== undefined)
  const account = token && emptyHolder(world, token)
  if (!token || account === undefined) return undefined
  delete token.holders[account]
  return dissociation(account, token, {})
}

function dissociation(account: number, token: Token, more: Partial<Submission>): Submission {
  return {
    body: { tokenDissociate: { account: accountId(account), tokens: [tokenId(token.num)] } },
    payer: account,
    ...more,
    changes: [related(account, token.num, { associated: false }), ...(more.changes ?? [])],
  }
}

/** The record has one entry without a counterpart: the units or NFTs vanish, and with them a part of the supply. */
function leaveDeleted(world: World, token: Token): Submission | undefined {
  const holder = Object.keys(token.holders).find((num) => Number(num) !== token.treasury && mayPay(world, num))
  if (holder === undefined) return undefined
  const account = Number(holder)
  const balance = token.holders[holder] ?? 0
  delete token.holders[holder]
  if (balance === 0) return dissociation(account, token, {})
  token.supply -= balance
  return dissociation(account, token, {
    tokenMovements: [{ token: token.num, transfers: [[account, -balance]] }],
    changes: [supplied(token)],
  })
}

function mayPay(world: World, num: string): boolean {
  return world.spendable(Number(num)) > 0
}

function emptyHolder(world: World, { holders, treasury }: Token): number | undefined {
  const entry = Object.entries(holders).find(
    ([num, balance]) => balance === 0 && Number(num) !== treasury && mayPay(world, num),
  )
  return entry && Number(entry[0])
}

/** Someone with the token other than its treasury. */
function otherHolder(world: World, { holders, treasury }: Token): number | undefined {
  const others = Object.keys(holders).filter((num) => Number(num) !== treasury)
  const found = world.some(others)
  return found === undefined ? undefined : Number(found)
}

export const tokenFreeze: Kind = (world) => {
  const token = world.token(({ nft, frozen, holders }) => !nft && frozen === null && Object.keys(holders).length > 1)
  const account = token && otherHolder(world, token)
  if (!token || account === undefined) return undefined
  token.frozen = account
  return {
    body: { tokenFreeze: { token: tokenId(token.num), account: accountId(account) } },
    payer: token.treasury,
    changes: [related(account, token.num, { frozen: true })],
  }
}

export const tokenUnfreeze: Kind = (world) => {
  const token = world.token(({ frozen, holders }) => frozen !== null && frozen in holders)
  if (!token || token.frozen === null) return undefined
  const account = token.frozen
  token.frozen = null
  return {
    body: { tokenUnfreeze: { token: tokenId(token.num), account: accountId(account) } },
    payer: token.treasury,
    changes: [related(account, token.num, { frozen: false })],
  }
}

export const tokenGrantKyc: Kind = (world) => kyc(world, 'tokenGrantKyc')
export const tokenRevokeKyc: Kind = (world) => kyc(world, 'tokenRevokeKyc')

function kyc(world: World, field: 'tokenGrantKyc' | 'tokenRevokeKyc'): ReturnType<Kind> {
  const token = world.token(({ nft, holders }) => !nft && Object.keys(holders).length > 1)
  const account = token && otherHolder(world, token)
  if (!token || account === undefined) return undefined
  const result = world.failure('TOKEN_NOT_ASSOCIATED_TO_ACCOUNT', 'INVALID_SIGNATURE')
  const body = { [field]: { token: tokenId(token.num), account: accountId(account) } }
  const changes = [related(account, token.num, { kycGranted: field === 'tokenGrantKyc' })]
  return { body, payer: token.treasury, changes, ...(result ? { result } : {}) }
}

export const tokenPause: Kind = (world) => {
  const token = world.token(({ paused }) => !paused)
  if (!token || world.state.tokens.filter(({ paused }) => paused).length > 3) return undefined
  token.paused = true
  const changes = [tokenChanged(token.num, { paused: true })]
  return { body: { tokenPause: { token: tokenId(token.num) } }, payer: token.treasury, changes }
}

export const tokenUnpause: Kind = (world) => {
  const token = world.token(({ paused }) => paused)
  if (!token) return undefined
  token.paused = false
  const changes = [tokenChanged(token.num, { paused: false })]
  return { body: { tokenUnpause: { token: tokenId(token.num) } }, payer: token.treasury, changes }
}

export const tokenDelete: Kind = (world) => {
  const token = world.state.tokens.length > 10 ? world.token(({ paused }) => !paused) : undefined
  if (!token) return undefined
  const result = world.failure('INVALID_SIGNATURE')
  if (!result) {
    forget(world.state.tokens, token)
    remember(world.state.deletedTokens, token, deletedTokensMost)
  }
  return {
    body: { tokenDeletion: { token: tokenId(token.num) } },
    payer: token.treasury,
    changes: [deleted(token.num)],
    ...(result ? { result } : {}),
  }
}

export const tokenUpdate: Kind = (world) => {
  const token = world.token(({ paused }) => !paused)
  if (!token) return undefined
  const result = world.failure('INVALID_SIGNATURE')
  const { fields, facts, tokenFacts = {} } = world.prng.pick([renamed, otherTerms, otherAdmin])(world, token)
  return {
    body: { tokenUpdate: { token: tokenId(token.num), ...fields } },
    payer: token.treasury,
    changes: [updated(token.num, facts), tokenChanged(token.num, tokenFacts)],
    ...(result ? { result } : {}),
  }
}

interface TokenUpdate extends Update {
  readonly tokenFacts?: Partial<TokenFacts>
}

function renamed({ prng }: World): TokenUpdate {
  const memo = `note ${prng.below(100)}`
  const metadata = prng.bytes(8)
  return {
    fields: { memo: wrapped(memo), metadata: wrapped(metadata), name: `Token with ${memo}` },
    facts: { memo },
    tokenFacts: { metadata: Buffer.from(metadata).toString('hex'), name: `Token with ${memo}` },
  }
}

function otherTerms({ prng, now }: World, { treasury }: Token): TokenUpdate {
  const period = prng.between(30, 92) * 86_400
  const expiry = now.seconds + prng.between(30, 92) * 86_400
  return {
    fields: { autoRenewAccount: accountId(treasury), autoRenewPeriod: seconds(period), expiry: seconds(expiry) },
    facts: { autoRenewAccount: treasury, autoRenewSeconds: period, expirationTime: nanosOf(expiry) },
  }
}

function otherAdmin(world: World, { treasury }: Token): TokenUpdate {
  const adminKey = world.keyOf(treasury)
  return { fields: { adminKey }, facts: { key: keyHex(adminKey) } }
}

/** A new treasury takes over a collection: the record has one transfer with serial -1 for all the NFTs it holds. */
export const treasuryChange: Kind = (world) => {
  const token = world.token(
    ({ nft, paused, nfts, treasury }) => nft && !paused && nfts.some(({ owner }) => owner === treasury),
  )
  if (!token) return undefined
  const former = token.treasury
  const treasury = receiverOf(world, token, former)
  if (treasury === undefined) return undefined
  const association = associationOf(world, token, treasury)
  handOver(token, former, treasury, token.holders[former] ?? 0)
  for (const nft of token.nfts) if (nft.owner === former) Object.assign(nft, { owner: treasury, spender: null })
  token.treasury = treasury
  return {
    body: { tokenUpdate: { token: tokenId(token.num), treasury: accountId(treasury) } },
    payer: former,
    signers: [treasury],
    tokenMovements: [{ token: token.num, nfts: [{ serial: -1, sender: former, receiver: treasury }] }],
    record: association.record,
    changes: [
      updated(token.num, {}),
      { table: 'tokens', key: String(token.num), set: { treasury } },
      ...association.changes,
    ],
  }
}

export const tokenFeeScheduleUpdate: Kind = (world) => {
  const token = world.token(({ nft, paused }) => !nft && !paused)
  if (!token) return undefined
  const collector = world.user().num
  token.fee = { collector, tinybars: world.prng.between(1, 50) * 10_000 }
  const fee = { fixedFee: { amount: token.fee.tinybars }, feeCollectorAccountId: accountId(collector) }
  const body = { tokenFeeScheduleUpdate: { tokenId: tokenId(token.num), customFees: [fee] } }
  return { body, payer: token.treasury, signers: [collector], changes: [feesChanged(token.num, token.fee)] }
}
