import { accountId, seconds, tokenId } from '#src/simulator/ids.ts'
import type { Kind } from '#src/simulator/submission.ts'

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
