import { associated, created, feesChanged, keyHex } from '#src/simulator/changes.ts'
import type { Message } from '#src/simulator/codec.ts'
import { accountId, seconds, tokenId } from '#src/simulator/ids.ts'
import { amountEntry } from '#src/simulator/kinds/hbar.ts'
import { associationOf, receiverOf, supplied } from '#src/simulator/kinds/holding.ts'
import type { LedgerChange, TokenFacts } from '#src/simulator/ledger-change.ts'
import { remember, type Token } from '#src/simulator/ledger-state.ts'
import type { Movement, TokenMovement } from '#src/simulator/movement.ts'
import type { Kind, Submission } from '#src/simulator/submission.ts'
import type { World } from '#src/simulator/world.ts'

const tokensMost = 100
const autoRenewSeconds = 7_776_000
const decimals = 2
const names = ['Alpine Credit', 'Harbour Coin', 'Meadow Points', 'Lantern Token', 'Nordic Grain', 'Quarry Stone']

const fungible = (token: Token) => !token.nft && !token.paused

export const tokenCreate: Kind = (world) => createToken(world, false)
export const nftCreate: Kind = (world) => createToken(world, true)

function createToken(world: World, nft: boolean): Submission {
  const payer = world.payer()
  const treasury = world.userOtherThan(2).num
  const result = world.failure('INSUFFICIENT_PAYER_BALANCE', 'INVALID_SIGNATURE')
  const supply = nft ? 0 : world.prng.between(1, 1_000) * 1_000_000
  const fee = world.prng.chance(0.4) ? customFee(world, nft) : null
  const body = { tokenCreation: tokenBody(world, { nft, treasury, supply, payer, fee }) }
  if (result) return { body, payer, result }
  const num = world.newEntity()
  // A fee in the token itself can only be taken by someone who may hold it.
  const first = fee && 'percent' in fee && fee.collector !== treasury ? [treasury, fee.collector] : [treasury]
  const holders = Object.fromEntries(first.map((holder) => [holder, holder === treasury ? supply : 0]))
  const token: Token = {
    num,
    nft,
    treasury,
    supply,
    paused: false,
    frozen: null,
    fee,
    holders,
    nfts: [],
    nextSerial: 1,
  }
  remember(world.state.tokens, token, tokensMost)
  return {
    body,
    payer,
    signers: [treasury],
    receipt: { tokenID: tokenId(num) },
    record: {
      automaticTokenAssociations: first.map((holder) => ({ tokenId: tokenId(num), accountId: accountId(holder) })),
    },
    ...(nft ? {} : { tokenMovements: [{ token: num, transfers: [[treasury, supply]] }] }),
    changes: [
      ...tokenCreated(token, body.tokenCreation, { key: keyHex(world.keyOf(treasury)), payer }),
      feesChanged(num, fee),
      ...first.map((holder) => associated(holder, num, { frozen: false, kycGranted: true })),
    ],
  }
}

function tokenCreated(
  { num, nft, treasury, supply }: Token,
  body: Message,
  { key, payer }: { readonly key: string; readonly payer: number },
): LedgerChange[] {
  const entity = {
    type: 'TOKEN' as const,
    key,
    memo: String(body['memo'] ?? ''),
    autoRenewSeconds,
    autoRenewAccount: payer,
  }
  const amounts = { supply: BigInt(supply), decimals: nft ? 0 : decimals, initialSupply: BigInt(supply) }
  return [
    created(num, entity),
    { table: 'tokens', key: String(num), set: { nft, treasury, ...amounts, key, ...factsOf(body) } },
  ]
}

function factsOf(body: Message): Partial<TokenFacts> {
  return {
    name: String(body['name']),
    symbol: String(body['symbol']),
    metadata: Buffer.from(body['metadata'] as Uint8Array).toString('hex'),
    maxSupply: BigInt(Number(body['maxSupply'] ?? 0)),
  }
}

interface TokenPlan {
  readonly nft: boolean
  readonly treasury: number
  readonly supply: number
  readonly payer: number
  readonly fee: Token['fee']
}

function tokenBody(world: World, { nft, treasury, supply, payer, fee }: TokenPlan): Message {
  const key = world.keyOf(treasury)
  const name = world.prng.pick(names)
  const keys = {
    adminKey: key,
    kycKey: key,
    freezeKey: key,
    wipeKey: key,
    supplyKey: key,
    feeScheduleKey: key,
    pauseKey: key,
    metadataKey: key,
  }
  return {
    name,
    symbol: name.slice(0, 3).toUpperCase(),
    ...(nft ? { tokenType: 1 } : { decimals, initialSupply: supply }),
    treasury: accountId(treasury),
    ...keys,
    autoRenewAccount: accountId(payer),
    autoRenewPeriod: seconds(autoRenewSeconds),
    ...(world.prng.chance(0.3) ? { memo: `${name} of user ${payer}` } : {}),
    ...(world.prng.chance(0.5) ? { supplyType: 1, maxSupply: 1_000_000_000_000 } : {}),
    metadata: world.prng.bytes(12),
    ...(fee ? { customFees: [customFeeMessage(fee)] } : {}),
  }
}

function customFee(world: World, nft: boolean): NonNullable<Token['fee']> {
  const collector = world.user().num
  return nft || world.prng.chance(0.5)
    ? { collector, tinybars: 100_000 }
    : { collector, percent: world.prng.between(1, 5) }
}

function customFeeMessage(fee: NonNullable<Token['fee']>): Message {
  const collector = { feeCollectorAccountId: accountId(fee.collector) }
  if ('tinybars' in fee) return { ...collector, fixedFee: { amount: fee.tinybars } }
  return {
    ...collector,
    fractionalFee: { fractionalAmount: { numerator: fee.percent, denominator: 100 }, minimumAmount: 1 },
  }
}

/** Between two holders, with the token's custom fee assessed, and an automatic association where the receiver is new. */
export const tokenTransfer: Kind = (world) => transferOf(world, world.token(fungible))

export const tokenTransferWithFee: Kind = (world) =>
  transferOf(
    world,
    world.token((token) => fungible(token) && token.fee !== null),
  )

function transferOf(world: World, token: Token | undefined): Submission | undefined {
  const sender = token && holderWith(world, token)
  const receiver = token && sender ? receiverOf(world, token, sender) : undefined
  if (!token || !sender || receiver === undefined) return undefined
  const balance = token.holders[sender] ?? 0
  const amount = 1 + world.prng.below(Math.ceil(balance / 10))
  const entries: Movement[] = [
    [sender, -amount],
    [receiver, amount],
  ]
  const body = {
    cryptoTransfer: {
      tokenTransfers: [{ token: tokenId(token.num), transfers: entries.map((entry) => amountEntry(entry)) }],
    },
  }
  const result = world.failure(
    'INSUFFICIENT_TOKEN_BALANCE',
    'TOKEN_NOT_ASSOCIATED_TO_ACCOUNT',
    'ACCOUNT_FROZEN_FOR_TOKEN',
    'TOKEN_IS_PAUSED',
  )
  if (result) return { body, payer: sender, result }
  const association = associationOf(world, token, receiver)
  const fee = assessFee(world, token, sender, receiver, amount)
  const moved = fee.tokenMovement ?? { token: token.num, transfers: entries }
  for (const [num, change] of moved.transfers ?? []) token.holders[num] = (token.holders[num] ?? 0) + change
  return {
    body,
    payer: sender,
    movements: fee.movements,
    tokenMovements: [moved],
    record: { ...fee.record, ...association.record },
    changes: association.changes,
  }
}

interface AssessedFee {
  readonly movements: readonly Movement[]
  readonly tokenMovement?: TokenMovement
  readonly record: Message
}

/** Fixed fees are paid by the sender in hbar; fractional ones are taken from what the receiver gets. */
function assessFee(
  world: World,
  { num, fee, holders }: Token,
  sender: number,
  receiver: number,
  amount: number,
): AssessedFee {
  if (!fee || fee.collector === sender || fee.collector === receiver) return { movements: [], record: {} }
  const collector = accountId(fee.collector)
  if ('tinybars' in fee) {
    if (world.spendable(sender) <= fee.tinybars) return { movements: [], record: {} }
    const assessed = {
      amount: fee.tinybars,
      feeCollectorAccountId: collector,
      effectivePayerAccountId: [accountId(sender)],
    }
    return {
      movements: [
        [sender, -fee.tinybars],
        [fee.collector, fee.tinybars],
      ],
      record: { assessedCustomFees: [assessed] },
    }
  }
  const taken = Math.max(1, Math.floor((amount * fee.percent) / 100))
  if (taken >= amount || !(fee.collector in holders)) return { movements: [], record: {} }
  const assessed = {
    amount: taken,
    tokenId: tokenId(num),
    feeCollectorAccountId: collector,
    effectivePayerAccountId: [accountId(receiver)],
  }
  const transfers: Movement[] = [
    [sender, -amount],
    [receiver, amount - taken],
    [fee.collector, taken],
  ]
  return { movements: [], tokenMovement: { token: num, transfers }, record: { assessedCustomFees: [assessed] } }
}

/** A user who holds some of the token and can pay a fee: the treasury, or another one met by chance. */
function holderWith(world: World, token: Token): number | undefined {
  const holders = Object.keys(token.holders)
  for (let attempt = 0; attempt < 4; attempt++) {
    const holder = Number(holders[world.prng.below(holders.length)] ?? token.treasury)
    if ((token.holders[holder] ?? 0) > 0 && world.spendable(holder) > 0) return holder
  }
  return (token.holders[token.treasury] ?? 0) > 0 ? token.treasury : undefined
}

export const tokenMint: Kind = (world) => {
  const token = world.token(fungible)
  if (!token) return undefined
  const amount = world.prng.between(1, 10_000)
  return supplyChange(world, token, 'tokenMint', amount)
}

export const tokenBurn: Kind = (world) => {
  const token = world.token((candidate) => fungible(candidate) && (candidate.holders[candidate.treasury] ?? 0) > 100)
  if (!token) return undefined
  return supplyChange(world, token, 'tokenBurn', -world.prng.between(1, 100))
}

export function supplyChange(world: World, token: Token, field: string, change: number): Submission {
  const body = { [field]: { token: tokenId(token.num), amount: Math.abs(change) } }
  const result = world.failure('INVALID_SIGNATURE', 'INVALID_TOKEN_ID')
  if (result) return { body, payer: token.treasury, result }
  token.supply += change
  token.holders[token.treasury] = (token.holders[token.treasury] ?? 0) + change
  return {
    body,
    payer: token.treasury,
    receipt: { newTotalSupply: token.supply },
    tokenMovements: [{ token: token.num, transfers: [[token.treasury, change]] }],
    changes: [supplied(token)],
  }
}

export const tokenWipe: Kind = (world) => {
  const token = world.token((candidate) => fungible(candidate) && Object.keys(candidate.holders).length > 1)
  const holder =
    token && Object.keys(token.holders).find((num) => Number(num) !== token.treasury && (token.holders[num] ?? 0) > 0)
  if (!token || holder === undefined) return undefined
  const account = Number(holder)
  const amount = Math.ceil((token.holders[holder] ?? 0) / 2)
  token.holders[holder] = (token.holders[holder] ?? 0) - amount
  token.supply -= amount
  return {
    body: { tokenWipe: { token: tokenId(token.num), account: accountId(account), amount } },
    payer: token.treasury,
    receipt: { newTotalSupply: token.supply },
    tokenMovements: [{ token: token.num, transfers: [[account, -amount]] }],
    changes: [supplied(token)],
  }
}
