import { grant } from '#src/simulator/allowances.ts'
import { nftApproved } from '#src/simulator/changes.ts'
import type { Message } from '#src/simulator/codec.ts'
import { accountId, seconds, tokenId } from '#src/simulator/ids.ts'
import type { Allowance } from '#src/simulator/ledger-state.ts'
import type { Kind } from '#src/simulator/submission.ts'
import type { World } from '#src/simulator/world.ts'

/** Allows a spender hbar, and tokens and an NFT where the owner has such; some are contracts, and some get nothing any more. */
export const cryptoApproveAllowance: Kind = (world) => {
  const collection = world.prng.chance(0.7) ? world.token(({ nfts }) => nfts.length > 0) : undefined
  const nft = world.some(collection?.nfts ?? [])
  const owner = nft?.owner ?? world.user().num
  const spender = world.userOtherThan(owner).num
  const parties = { owner: accountId(owner), spender: accountId(spender) }
  const result = world.failure('INVALID_SIGNATURE', 'TOKEN_NOT_ASSOCIATED_TO_ACCOUNT')
  if (nft && !result) nft.spender = spender
  const held = world.token((token) => !token.nft && owner in token.holders)
  const contract = world.prng.chance(0.25) ? world.contractOf('teller') : undefined
  const allowed = { owner, spender: contract?.num ?? spender }
  const revokes = world.prng.chance(0.1)
  const granted = [
    { ...allowed, token: 0, left: revokes ? 0 : 1_000_000_000 },
    ...(held ? [{ ...allowed, token: held.num, left: revokes ? 0 : 1_000 }] : []),
  ]
  const serials = { tokenId: tokenId(collection?.num ?? 0), serialNumbers: [nft?.serial] }
  const body = {
    cryptoAllowances: [...superseded(world, allowed), ...granted]
      .filter(({ token }) => token === 0)
      .map((each) => entryOf(world, each)),
    tokenAllowances: granted
      .filter(({ token }) => token !== 0)
      .map((each) => ({ ...entryOf(world, each), tokenId: tokenId(each.token) })),
    ...(nft ? { nftAllowances: [{ ...parties, ...serials }] } : {}),
  }
  if (result) return { body: { cryptoApproveAllowance: body }, payer: owner, result }
  const changes = [
    ...granted.map((each) => grant(world, each)),
    ...(collection && nft ? [nftApproved(collection.num, nft.serial, spender)] : []),
  ]
  return { body: { cryptoApproveAllowance: body }, payer: owner, changes }
}

/** Of entries for one allowance the last one counts. */
function superseded({ prng }: World, parties: Pick<Allowance, 'owner' | 'spender'>): Allowance[] {
  return prng.chance(0.1) ? [{ ...parties, token: 0, left: 5 }] : []
}

/** Without an owner it is the payer's, who is the owner here. */
function entryOf({ prng }: World, { owner, spender, left }: Allowance): Message {
  const named = prng.chance(0.8) ? { owner: accountId(owner) } : {}
  return { ...named, spender: accountId(spender), amount: left }
}

export const cryptoDeleteAllowance: Kind = (world) => {
  const collection = world.token((token) => token.nfts.some((nft) => nft.spender !== null))
  const nft = collection?.nfts.find((candidate) => candidate.spender !== null)
  if (!collection || !nft) return undefined
  nft.spender = null
  const removed = { tokenId: tokenId(collection.num), owner: accountId(nft.owner), serialNumbers: [nft.serial] }
  const changes = [nftApproved(collection.num, nft.serial, null)]
  return { body: { cryptoDeleteAllowance: { nftAllowances: [removed] } }, payer: nft.owner, changes }
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
