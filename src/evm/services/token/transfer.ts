import { tinycents } from '#src/evm/gas-price.ts'
import { addressOfAccount } from '#src/evm/services/accounts.ts'
import type { ServiceCall } from '#src/evm/services/call.ts'
import { must } from '#src/evm/services/failed.ts'
import { chargeFungible, chargeNft, type Value } from '#src/evm/services/token/custom-fees.ts'
import { givingAccount, isToBeMade, type Party, receivingAccount } from '#src/evm/services/token/parties.ts'
import { adjust, associateReceiver, usableToken } from '#src/evm/services/token/relations.ts'
import { addHbar } from '#src/evm/services/token/transfer-hbar.ts'
import type { TokenFacts } from '#src/evm/token-facts.ts'

export interface AccountMove {
  readonly account: bigint
  readonly amount: bigint
  /** It is spent of an allowance of who calls. */
  readonly isApproved: boolean
}

export interface NftMove {
  readonly sender: bigint
  readonly receiver: bigint
  readonly serial: bigint
  readonly isApproved: boolean
}

type Asked<T, K extends keyof T> = Omit<T, K> & { readonly [N in K]: Party }

/** What is to move of a token, before those who receive it are there. */
export interface TokenMoves {
  readonly token: bigint
  readonly amounts: readonly Asked<AccountMove, 'account'>[]
  readonly nfts: readonly Asked<NftMove, 'sender' | 'receiver'>[]
}

export interface TransferRequest {
  readonly hbar: readonly Asked<AccountMove, 'account'>[]
  readonly tokens: readonly TokenMoves[]
  /** Automatic associations are paid for: the functions that are not of the field's standards do. */
  readonly paysAssociations: boolean
}

const usd = { perAmount: 0.0005, perNft: 0.001, perHbar: 0.00005, perAccount: 0.05022, perAssociation: 0.05 } as const
const withFees = 2
/** Of a transfer of nothing: what its transaction costs by itself. */
const usdOfNothing = 0.000033

/** Moves hbar, tokens and NFTs, or nothing of all. What it costs is known as soon as what is asked for is. */
export async function transfer(call: ServiceCall, request: TransferRequest): Promise<void> {
  await charge(call, request)
  assertBalanced(request)
  const tokens: { readonly token: TokenFacts; readonly amounts: AccountMove[]; readonly nfts: NftMove[] }[] = []
  const hbar = await withAccounts(call, request.hbar)
  for (const asked of request.tokens) {
    const token = await usableToken(call, asked.token)
    const amounts = await withAccounts(call, asked.amounts)
    const nfts: NftMove[] = []
    for (const nft of asked.nfts) {
      const sender = await givingAccount(call, nft.sender)
      nfts.push({ ...nft, sender, receiver: await receivingAccount(call, nft.receiver) })
    }
    must(token.isNft ? amounts.length === 0 : nfts.length === 0, kindResponse(token))
    for (const { account, amount } of amounts) await admit(call, token, account, amount > 0n, request)
    for (const { sender, receiver } of nfts) {
      await admit(call, token, sender, false, request)
      await admit(call, token, receiver, true, request)
    }
    tokens.push({ token, amounts, nfts })
  }
  const values = valuesOf(hbar, tokens)
  for (const { account, amount, isApproved } of hbar) await moveHbar(call, account, amount, isApproved)
  for (const { token, amounts, nfts } of tokens) {
    for (const move of amounts) if (move.isApproved && move.amount < 0n) await spend(call, token.id, move)
    const left = await chargeFungible(call, token, amounts)
    for (const { account, amount } of left) await adjust(call, token, account, amount)
    for (const nft of nfts) await moveNft(call, token, nft)
    for (const nft of nfts) await chargeNft(call, token, nft, values)
  }
}

function kindResponse({ isNft }: TokenFacts): string {
  return isNft ? 'ACCOUNT_AMOUNT_TRANSFERS_ONLY_ALLOWED_FOR_FUNGIBLE_COMMON' : 'INVALID_NFT_ID'
}

/** By the moves, twice as much where any moved token takes fees, and for each account that has to be made. */
async function charge(call: ServiceCall, { hbar, tokens }: TransferRequest): Promise<void> {
  const found = await Promise.all(tokens.map(({ token }) => call.tokens.token(token)))
  const takesFees = found.some((token) => token !== undefined && hasFees(token))
  const factor = takesFees ? withFees : 1
  const moves = tokens.flatMap(({ amounts }) => amounts)
  const nfts = tokens.flatMap((each) => each.nfts)
  const credited = [...hbar, ...moves].filter(({ amount }) => amount > 0n).map(({ account }) => account)
  const made = new Set([...credited, ...nfts.map(({ receiver }) => receiver)].filter(isToBeMade)).size
  if (hbar.length + moves.length + nfts.length === 0) call.charge(usdOfNothing)
  call.price +=
    tinycents(usd.perAmount * moves.length * factor) +
    tinycents(usd.perNft * nfts.length * factor) +
    tinycents(usd.perHbar * hbar.length) +
    tinycents(usd.perAccount * made)
}

function hasFees({ fees: { fixed, fractional, royalty } }: TokenFacts): boolean {
  return fixed.length + fractional.length + royalty.length > 0
}

function assertBalanced({ hbar, tokens }: TransferRequest): void {
  must(sumOf(hbar) === 0n, 'INVALID_ACCOUNT_AMOUNTS')
  for (const { amounts } of tokens) must(sumOf(amounts) === 0n, 'TRANSFERS_NOT_ZERO_SUM_FOR_TOKEN')
}

function sumOf(moves: readonly { readonly amount: bigint }[]): bigint {
  return moves.reduce((sum, { amount }) => sum + amount, 0n)
}

async function withAccounts(
  call: ServiceCall,
  moves: readonly Asked<AccountMove, 'account'>[],
): Promise<AccountMove[]> {
  const known: AccountMove[] = []
  for (const move of moves) {
    const find = move.amount > 0n ? receivingAccount : givingAccount
    known.push({ ...move, account: await find(call, move.account) })
  }
  return known
}

/** Who takes part has to be associated; who receives may become so. */
async function admit(
  call: ServiceCall,
  token: TokenFacts,
  account: bigint,
  receives: boolean,
  { paysAssociations }: TransferRequest,
): Promise<void> {
  if (!receives) {
    const relation = await call.tokens.relation(token.id, account)
    must(relation !== undefined, 'TOKEN_NOT_ASSOCIATED_TO_ACCOUNT')
    must(!relation.isFrozen, 'ACCOUNT_FROZEN_FOR_TOKEN')
  } else if ((await associateReceiver(call, token, account)) && paysAssociations) call.chargeApart(usd.perAssociation)
}

function valuesOf(
  hbar: readonly AccountMove[],
  tokens: readonly { readonly token: TokenFacts; readonly amounts: readonly AccountMove[] }[],
): Value[] {
  const gained = (token: bigint, moves: readonly AccountMove[]): Value[] =>
    moves.map(({ account, amount }) => ({ account, token, amount }))
  return [...gained(0n, hbar), ...tokens.flatMap(({ token, amounts }) => gained(token.id, amounts))]
}

async function moveHbar(call: ServiceCall, account: bigint, amount: bigint, isApproved: boolean): Promise<void> {
  if (isApproved && amount < 0n) await spend(call, 0n, { account, amount })
  await addHbar(call, await addressOfAccount(call.world, account), amount, 'INSUFFICIENT_ACCOUNT_BALANCE')
}

/** Takes from what the caller may spend of the owner. */
async function spend(
  call: ServiceCall,
  token: bigint,
  { account, amount }: Pick<AccountMove, 'account' | 'amount'>,
): Promise<void> {
  const spender = await call.senderAccount()
  const allowance = await call.tokens.allowance(account, spender, token)
  must(allowance > 0n, 'SPENDER_DOES_NOT_HAVE_ALLOWANCE')
  must(allowance + amount >= 0n, 'AMOUNT_EXCEEDS_ALLOWANCE')
  call.tokens.setAllowance(account, spender, token, allowance + amount)
}

async function moveNft(
  call: ServiceCall,
  token: TokenFacts,
  { sender, receiver, serial, isApproved }: NftMove,
): Promise<void> {
  const nft = await call.tokens.nft(token.id, serial)
  must(nft !== undefined, 'INVALID_NFT_ID')
  must(nft.owner === sender, 'SENDER_DOES_NOT_OWN_NFT_SERIAL_NO')
  if (isApproved) {
    const spender = await call.senderAccount()
    const isOperator = await call.tokens.approvedForAll(sender, spender, token.id)
    must(isOperator || nft.spender === spender, 'SPENDER_DOES_NOT_HAVE_ALLOWANCE')
  }
  await adjust(call, token, sender, -1n)
  await adjust(call, token, receiver, 1n)
  call.tokens.setNft(token.id, serial, { ...nft, owner: receiver, spender: 0n })
}
