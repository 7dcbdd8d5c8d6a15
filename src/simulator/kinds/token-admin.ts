import { accountId, tokenId, wrapped } from '#src/simulator/ids.ts'
import { forget, type Token } from '#src/simulator/ledger-state.ts'
import type { Kind } from '#src/simulator/submission.ts'
import type { World } from '#src/simulator/world.ts'

export const tokenAssociate: Kind = (world) => {
  const token = world.token(({ nft }) => !nft)
  if (!token) return undefined
  const account = world.user()
  const known = account.num in token.holders
  const body = { tokenAssociate: { account: accountId(account.num), tokens: [tokenId(token.num)] } }
  if (known) return { body, payer: account.num, result: 'TOKEN_ALREADY_ASSOCIATED_TO_ACCOUNT' }
  token.holders[account.num] = 0
  return { body, payer: account.num }
}

export const tokenDissociate: Kind = (world) => {
  const token = world.token(({ holders, treasury }) => emptyHolder(holders, treasury) !== undefined)
  const account = token && emptyHolder(token.holders, token.treasury)
  if (!token || account === undefined) return undefined
  delete token.holders[account]
  return { body: { tokenDissociate: { account: accountId(account), tokens: [tokenId(token.num)] } }, payer: account }
}

function emptyHolder(holders: Token['holders'], treasury: number): number | undefined {
  const entry = Object.entries(holders).find(([num, balance]) => balance === 0 && Number(num) !== treasury)
  return entry && Number(entry[0])
}

export const tokenFreeze: Kind = (world) => {
  const token = world.token(({ nft, frozen }) => !nft && frozen === null)
  if (!token) return undefined
  const account = world.userOtherThan(token.treasury).num
  token.frozen = account
  return { body: { tokenFreeze: { token: tokenId(token.num), account: accountId(account) } }, payer: token.treasury }
}

export const tokenUnfreeze: Kind = (world) => {
  const token = world.token(({ frozen }) => frozen !== null)
  if (!token || token.frozen === null) return undefined
  const account = token.frozen
  token.frozen = null
  return { body: { tokenUnfreeze: { token: tokenId(token.num), account: accountId(account) } }, payer: token.treasury }
}

export const tokenGrantKyc: Kind = (world) => kyc(world, 'tokenGrantKyc')
export const tokenRevokeKyc: Kind = (world) => kyc(world, 'tokenRevokeKyc')

function kyc(world: World, field: string): ReturnType<Kind> {
  const token = world.token(({ nft }) => !nft)
  if (!token) return undefined
  const account = world.userOtherThan(token.treasury).num
  const result = world.failure('TOKEN_NOT_ASSOCIATED_TO_ACCOUNT', 'INVALID_SIGNATURE')
  const body = { [field]: { token: tokenId(token.num), account: accountId(account) } }
  return { body, payer: token.treasury, ...(result ? { result } : {}) }
}

export const tokenPause: Kind = (world) => {
  const token = world.token(({ paused }) => !paused)
  if (!token || world.state.tokens.filter(({ paused }) => paused).length > 3) return undefined
  token.paused = true
  return { body: { tokenPause: { token: tokenId(token.num) } }, payer: token.treasury }
}

export const tokenUnpause: Kind = (world) => {
  const token = world.token(({ paused }) => paused)
  if (!token) return undefined
  token.paused = false
  return { body: { tokenUnpause: { token: tokenId(token.num) } }, payer: token.treasury }
}

export const tokenDelete: Kind = (world) => {
  const token = world.state.tokens.length > 10 ? world.token(({ paused }) => !paused) : undefined
  if (!token) return undefined
  const result = world.failure('INVALID_SIGNATURE')
  if (!result) forget(world.state.tokens, token)
  return {
    body: { tokenDeletion: { token: tokenId(token.num) } },
    payer: token.treasury,
    ...(result ? { result } : {}),
  }
}

export const tokenUpdate: Kind = (world) => {
  const token = world.token(({ paused }) => !paused)
  if (!token) return undefined
  const result = world.failure('INVALID_SIGNATURE')
  const body = {
    tokenUpdate: {
      token: tokenId(token.num),
      memo: wrapped(`note ${world.prng.below(100)}`),
      metadata: wrapped(world.prng.bytes(8)),
    },
  }
  return { body, payer: token.treasury, ...(result ? { result } : {}) }
}

/** A new treasury takes over a collection: the record has one transfer with serial -1 for all the NFTs it holds. */
export const treasuryChange: Kind = (world) => {
  const token = world.token(
    ({ nft, paused, nfts, treasury }) => nft && !paused && nfts.some(({ owner }) => owner === treasury),
  )
  if (!token) return undefined
  const former = token.treasury
  const treasury = world.userOtherThan(former).num
  for (const nft of token.nfts) if (nft.owner === former) Object.assign(nft, { owner: treasury, spender: null })
  token.treasury = treasury
  return {
    body: { tokenUpdate: { token: tokenId(token.num), treasury: accountId(treasury) } },
    payer: former,
    signers: [treasury],
    tokenMovements: [{ token: token.num, nfts: [{ serial: -1, sender: former, receiver: treasury }] }],
  }
}

export const tokenFeeScheduleUpdate: Kind = (world) => {
  const token = world.token(({ nft, paused }) => !nft && !paused)
  if (!token) return undefined
  const collector = world.user().num
  token.fee = { collector, tinybars: world.prng.between(1, 50) * 10_000 }
  const fee = { fixedFee: { amount: token.fee.tinybars }, feeCollectorAccountId: accountId(collector) }
  const body = { tokenFeeScheduleUpdate: { tokenId: tokenId(token.num), customFees: [fee] } }
  return { body, payer: token.treasury, signers: [collector] }
}
