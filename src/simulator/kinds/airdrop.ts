import { associated } from '#src/simulator/changes.ts'
import type { Message } from '#src/simulator/codec.ts'
import { accountId, tokenId } from '#src/simulator/ids.ts'
import { amountEntry } from '#src/simulator/kinds/hbar.ts'
import { handOver } from '#src/simulator/kinds/holding.ts'
import type { LedgerChange } from '#src/simulator/ledger-change.ts'
import { type Airdrop, forget, remember, type Token } from '#src/simulator/ledger-state.ts'
import type { Movement, TokenMovement } from '#src/simulator/movement.ts'
import type { Kind, Submission } from '#src/simulator/submission.ts'
import type { World } from '#src/simulator/world.ts'

const airdropsMost = 100
const airdropAmount = 10

export const wealthy = (token: Token) => !token.nft && !token.paused && (token.holders[token.treasury] ?? 0) > 1_000

/** To one associated receiver, who gets the tokens at once, and one who has to claim them. */
export const tokenAirdrop: Kind = (world) => {
  const token = world.token(wealthy)
  return token && airdropOf(world, token, strangerTo(world, token))
}

export function airdropOf(world: World, token: Token, stranger: number): Submission {
  const sender = token.treasury
  const friend = Number(
    Object.keys(token.holders).find((num) => Number(num) !== sender && Number(num) !== stranger) ?? 0,
  )
  const receivers = friend === 0 ? [stranger] : [stranger, friend]
  const transfers = [
    amountEntry([sender, -airdropAmount * receivers.length]),
    ...receivers.map((num) => amountEntry([num, airdropAmount])),
  ]
  const body = { tokenAirdrop: { tokenTransfers: [{ token: tokenId(token.num), transfers }] } }
  const result = world.failure('INSUFFICIENT_TOKEN_BALANCE', 'INVALID_SIGNATURE')
  if (result) return { body, payer: sender, result }
  const pending = stranger in token.holders ? undefined : pendingFor(world, token, stranger)
  const delivered = receivers.filter((num) => num in token.holders)
  return {
    body,
    payer: sender,
    ...(delivered.length > 0
      ? { tokenMovements: [{ token: token.num, transfers: deliver(token, sender, delivered) }] }
      : {}),
    ...(pending ? waiting(pending) : {}),
  }
}

/** An NFT of the treasury for somebody who has to claim it. */
export const nftAirdrop: Kind = (world) => {
  const token = world.token(({ nft, paused, nfts, treasury }) => nft && !paused && nfts.some(isOf(treasury)))
  const nft = world.some(token?.nfts.filter(isOf(token.treasury)) ?? [])
  if (!token || !nft) return undefined
  const { num, treasury: sender } = token
  const receiver = strangerTo(world, token)
  const { serial } = nft
  const known = world.state.airdrops.some((drop) => drop.token === num && drop.serial === serial)
  if (receiver in token.holders || known) return undefined
  const entry = { senderAccountID: accountId(sender), receiverAccountID: accountId(receiver), serialNumber: serial }
  const body = { tokenAirdrop: { tokenTransfers: [{ token: tokenId(num), nftTransfers: [entry] }] } }
  const result = world.failure('INVALID_NFT_ID', 'INVALID_SIGNATURE')
  if (result) return { body, payer: sender, result }
  const drop = { token: num, sender, receiver, serial, amount: 1 }
  remember(world.state.airdrops, drop, airdropsMost)
  return { body, payer: sender, ...waiting(drop) }
}

function isOf(account: number): (nft: Token['nfts'][number]) => boolean {
  return ({ owner, spender }) => owner === account && spender === null
}

function waiting(drop: Airdrop) {
  const value = drop.serial === null ? { pendingAirdropValue: { amount: drop.amount } } : {}
  return {
    record: { newPendingAirdrops: [{ pendingAirdropId: airdropId(drop), ...value }] },
    changes: [changed(drop, true)],
  }
}

function changed({ sender, receiver, token, serial, amount }: Airdrop, pending: boolean): LedgerChange {
  const set = { pending, amount: serial === null ? BigInt(amount) : null }
  return { table: 'airdrops', key: `${sender}/${receiver}/${token}/${serial ?? 0}`, set }
}

/** Someone who does not hold the token, as far as such can be found. */
export function strangerTo(world: World, { holders, treasury }: Token): number {
  for (let attempt = 0; attempt < 8; attempt++) {
    const { num } = world.user()
    if (!(num in holders)) return num
  }
  return world.some(world.state.guests.filter(({ num }) => !(num in holders)))?.num ?? world.userOtherThan(treasury).num
}

/** A second airdrop to the same receiver adds to the pending one. */
function pendingFor(world: World, token: Token, receiver: number): Airdrop {
  const same = (drop: Airdrop) =>
    drop.token === token.num && drop.receiver === receiver && drop.sender === token.treasury
  const known = world.state.airdrops.find(same)
  if (known) known.amount += airdropAmount
  const drop = known ?? { token: token.num, sender: token.treasury, receiver, serial: null, amount: airdropAmount }
  if (!known) remember(world.state.airdrops, drop, airdropsMost)
  return drop
}

function deliver(token: Token, sender: number, receivers: readonly number[]): Movement[] {
  const movements: Movement[] = [
    [sender, -airdropAmount * receivers.length],
    ...receivers.map((num): Movement => [num, airdropAmount]),
  ]
  for (const [num, amount] of movements) token.holders[num] = (token.holders[num] ?? 0) + amount
  return movements
}

function airdropId({ sender, receiver, token, serial }: Airdrop): Message {
  const parties = { senderId: accountId(sender), receiverId: accountId(receiver) }
  return serial === null
    ? { ...parties, fungibleTokenType: tokenId(token) }
    : { ...parties, nonFungibleToken: { token_ID: tokenId(token), serialNumber: serial } }
}

/** What the sender no longer has stays waiting. */
export const tokenClaimAirdrop: Kind = (world) => {
  const drop = world.some(world.state.airdrops.filter(({ receiver }) => world.spendable(receiver) > 0))
  if (!drop) return undefined
  const { receiver } = drop
  const body = { tokenClaimAirdrop: { pendingAirdrops: [airdropId(drop)] } }
  const token = world.token(({ num }) => num === drop.token)
  const movement = token && !token.paused ? claim(token, drop) : undefined
  if (!token || !movement) {
    const missing = drop.serial === null ? 'INSUFFICIENT_TOKEN_BALANCE' : 'INVALID_NFT_ID'
    return { body, payer: receiver, result: missing }
  }
  forget(world.state.airdrops, drop)
  const known = receiver in token.holders
  const association = { tokenId: tokenId(token.num), accountId: accountId(receiver) }
  handOver(token, drop.sender, receiver, drop.amount)
  return {
    body,
    payer: receiver,
    tokenMovements: [movement],
    record: known ? {} : { automaticTokenAssociations: [association] },
    changes: [
      ...(known ? [] : [associated(receiver, token.num, { frozen: false, kycGranted: false })]),
      changed(drop, false),
    ],
  }
}

/** Moves what waited; undefined when the sender no longer has it. */
function claim(token: Token, { sender, receiver, serial, amount }: Airdrop): TokenMovement | undefined {
  if (serial === null) {
    if ((token.holders[sender] ?? 0) < amount) return undefined
    const transfers: Movement[] = [
      [sender, -amount],
      [receiver, amount],
    ]
    return { token: token.num, transfers }
  }
  const nft = token.nfts.find((each) => each.serial === serial)
  if (nft?.owner !== sender) return undefined
  nft.owner = receiver
  nft.spender = null
  return { token: token.num, nfts: [{ serial, sender, receiver }] }
}

export const tokenCancelAirdrop: Kind = (world) => {
  const drop = world.some(world.state.airdrops)
  if (!drop) return undefined
  const result = world.failure('INVALID_PENDING_AIRDROP_ID')
  if (!result) forget(world.state.airdrops, drop)
  return {
    body: { tokenCancelAirdrop: { pendingAirdrops: [airdropId(drop)] } },
    payer: drop.sender,
    ...(result ? { result } : { changes: [changed(drop, false)] }),
  }
}

/** A holder sends everything of a token back to its treasury. */
export const tokenReject: Kind = (world) => {
  const token = world.token(
    (candidate) => !candidate.nft && !candidate.paused && holderOf(world, candidate) !== undefined,
  )
  const owner = token && holderOf(world, token)
  if (!token || owner === undefined) return undefined
  const balance = token.holders[owner] ?? 0
  token.holders[owner] = 0
  token.holders[token.treasury] = (token.holders[token.treasury] ?? 0) + balance
  return {
    body: { tokenReject: { owner: accountId(owner), rejections: [{ fungibleToken: tokenId(token.num) }] } },
    payer: owner,
    tokenMovements: [
      {
        token: token.num,
        transfers: [
          [owner, -balance],
          [token.treasury, balance],
        ],
      },
    ],
  }
}

function holderOf(world: World, { holders, treasury }: Token): number | undefined {
  const entry = Object.entries(holders).find(
    ([num, balance]) => balance > 0 && Number(num) !== treasury && world.spendable(Number(num)) > 0,
  )
  return entry && Number(entry[0])
}
