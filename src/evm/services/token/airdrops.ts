import type { AbiValue } from '#src/evm/abi/types.ts'
import { type HexAddress, longZeroOf } from '#src/evm/addresses.ts'
import type { ServiceCall } from '#src/evm/services/call.ts'
import { must } from '#src/evm/services/failed.ts'
import { change, type FunctionEntry } from '#src/evm/services/function-table.ts'
import { success } from '#src/evm/services/response-numbers.ts'
import { accountNamed, movingToken, relationOf, tokenNumber } from '#src/evm/services/token/named.ts'
import { givingAccount, receivingAccount } from '#src/evm/services/token/parties.ts'
import { associate, usableRelation } from '#src/evm/services/token/relations.ts'
import { type TokenMoves, transfer } from '#src/evm/services/token/transfer.ts'
import { movesOf, type TokenTuple } from '#src/evm/services/token/transfers.ts'
import type { TokenFacts } from '#src/evm/token-facts.ts'

const usd = { airdrop: 0.1, change: 0.001 } as const

type AirdropTuple = readonly [sender: HexAddress, receiver: HexAddress, token: HexAddress, serial: bigint]

interface Place {
  readonly sender: bigint
  readonly receiver: bigint
  readonly token: bigint
  /** 0: of a fungible token. */
  readonly serial: bigint
}

/** Sends to each receiver what he may hold, and keeps the rest until he claims it. */
async function airdrop(call: ServiceCall): Promise<readonly AbiValue[]> {
  const { price } = call
  for (const tuple of call.list(0) as readonly TokenTuple[]) await airdropToken(call, await movesOf(call, tuple))
  // An airdrop costs the same whatever it takes.
  call.price = price
  return [success]
}

async function airdropToken(call: ServiceCall, { token: id, amounts, nfts }: TokenMoves): Promise<void> {
  const sent = amounts.filter(({ amount }) => amount < 0n)
  const sender = sent[0] === undefined ? undefined : await givingAccount(call, sent[0].account)
  must(sent.length <= 1, 'INVALID_TRANSACTION_BODY')
  for (const { account, amount } of amounts) {
    if (amount <= 0n || sender === undefined) continue
    const receiver = await receivingAccount(call, account)
    if (await waits(call, id, receiver)) await keep(call, { sender, receiver, token: id, serial: 0n }, amount)
    else await sendAmount(call, { sender, receiver, token: id, serial: 0n }, amount)
  }
  for (const { sender: from, receiver: to, serial } of nfts) {
    const place = {
      sender: await givingAccount(call, from),
      receiver: await receivingAccount(call, to),
      token: id,
      serial,
    }
    if (await waits(call, id, place.receiver)) await keep(call, place, 1n)
    else await sendNft(call, place)
  }
}

/** Whether a receiver has to claim it first. */
async function waits(call: ServiceCall, token: bigint, receiver: bigint): Promise<boolean> {
  if ((await call.tokens.relation(token, receiver)) !== undefined) return false
  const { automaticMax, automatic } = await call.tokens.associations(receiver)
  return automaticMax >= 0n && automatic >= automaticMax
}

async function keep(call: ServiceCall, { sender, receiver, token: id, serial }: Place, amount: bigint): Promise<void> {
  const token = await call.tokens.token(id)
  must(token !== undefined, 'INVALID_TOKEN_ID')
  must(!token.isPaused, 'TOKEN_IS_PAUSED')
  const { balance } = await usableRelation(call, token, sender)
  const waiting = (await call.tokens.airdrop(sender, receiver, id, serial)) ?? 0n
  if (token.isNft) {
    must(waiting === 0n, 'PENDING_NFT_AIRDROP_ALREADY_EXISTS')
    must((await call.tokens.nft(id, serial))?.owner === sender, 'SENDER_DOES_NOT_OWN_NFT_SERIAL_NO')
  } else must(balance >= amount, 'INSUFFICIENT_TOKEN_BALANCE')
  call.tokens.setAirdrop(sender, receiver, id, serial, waiting + amount)
}

function sendAmount(call: ServiceCall, { sender, receiver, token }: Place, amount: bigint): Promise<void> {
  const amounts = [
    { account: sender, amount: -amount, isApproved: false },
    { account: receiver, amount, isApproved: false },
  ]
  return transfer(call, { hbar: [], tokens: [{ token, amounts, nfts: [] }], paysAssociations: false })
}

function sendNft(call: ServiceCall, { sender, receiver, token, serial }: Place): Promise<void> {
  const nfts = [{ sender, receiver, serial, isApproved: false }]
  return transfer(call, { hbar: [], tokens: [{ token, amounts: [], nfts }], paysAssociations: false })
}

async function placeOf(call: ServiceCall, [sender, receiver, token, serial]: AirdropTuple): Promise<Place> {
  return {
    sender: await accountNamed(call, sender),
    receiver: await accountNamed(call, receiver),
    token: tokenNumber(token),
    serial,
  }
}

async function waitingAt(call: ServiceCall, { sender, receiver, token, serial }: Place): Promise<bigint> {
  const amount = await call.tokens.airdrop(sender, receiver, token, serial)
  must(amount !== undefined, 'INVALID_PENDING_AIRDROP_ID')
  return amount
}

/** Hands over what waits; who claims it becomes associated by that. */
async function claim(call: ServiceCall, places: readonly Place[]): Promise<readonly AbiValue[]> {
  const { price } = call
  for (const place of places) {
    const amount = await waitingAt(call, place)
    const token = await call.tokens.token(place.token)
    must(token !== undefined, 'INVALID_TOKEN_ID')
    if ((await call.tokens.relation(token.id, place.receiver)) === undefined) associate(call, token, place.receiver)
    if (place.serial === 0n) await sendAmount(call, place, amount)
    else await sendNft(call, place)
    call.tokens.setAirdrop(place.sender, place.receiver, place.token, place.serial, undefined)
  }
  call.price = price
  return [success]
}

async function cancel(call: ServiceCall, places: readonly Place[]): Promise<readonly AbiValue[]> {
  for (const place of places) {
    await waitingAt(call, place)
    call.tokens.setAirdrop(place.sender, place.receiver, place.token, place.serial, undefined)
  }
  return [success]
}

/** Sends back to the treasury what an account has, without fees. */
async function reject(
  call: ServiceCall,
  owner: bigint,
  tokens: readonly HexAddress[],
  nfts: readonly (readonly [token: HexAddress, serial: bigint])[],
): Promise<readonly AbiValue[]> {
  must(tokens.length + nfts.length > 0, 'EMPTY_TOKEN_REFERENCE_LIST')
  for (const address of tokens) {
    const token = await rejectable(call, address, owner)
    const { balance } = await usableRelation(call, token, owner)
    must(!token.isNft, 'ACCOUNT_AMOUNT_TRANSFERS_ONLY_ALLOWED_FOR_FUNGIBLE_COMMON')
    must(balance > 0n, 'INSUFFICIENT_TOKEN_BALANCE')
    await giveBack(call, token, owner, balance)
  }
  for (const [address, serial] of nfts) {
    const token = await rejectable(call, address, owner)
    const nft = await call.tokens.nft(token.id, serial)
    must(nft !== undefined, 'INVALID_NFT_ID')
    must(nft.owner === owner, 'INVALID_OWNER_ID')
    await giveBack(call, token, owner, 1n)
    call.tokens.setNft(token.id, serial, { ...nft, owner: token.treasury, spender: 0n })
  }
  return [success]
}

async function rejectable(call: ServiceCall, address: HexAddress, owner: bigint): Promise<TokenFacts> {
  const token = await movingToken(call, address)
  must(token.treasury !== owner, 'ACCOUNT_IS_TREASURY')
  return token
}

async function giveBack(call: ServiceCall, token: TokenFacts, owner: bigint, amount: bigint): Promise<void> {
  const [from, to] = [await usableRelation(call, token, owner), await relationOf(call, token, token.treasury)]
  call.tokens.setRelation(token.id, owner, { ...from, balance: from.balance - amount })
  call.tokens.setRelation(token.id, token.treasury, { ...to, balance: to.balance + amount })
}

const places = (call: ServiceCall): Promise<Place[]> =>
  Promise.all((call.list(0) as readonly AirdropTuple[]).map((tuple) => placeOf(call, tuple)))

/** The airdrop at the token's own address, of which the caller is one side and the first argument the other. */
async function ownPlace(call: ServiceCall, caller: 'sender' | 'receiver', serial: bigint): Promise<Place> {
  const [own, other] = [await call.senderAccount(), await accountNamed(call, call.address(0))]
  const [sender, receiver] = caller === 'sender' ? [own, other] : [other, own]
  return { sender, receiver, token: call.subject, serial }
}

const items = (call: ServiceCall): number => usd.change * Math.max(1, call.list(1).length + call.list(2).length)
const facade = { isFacade: true } as const

/** Tokens that are sent to who did not ask for them. */
export const airdropFunctions: readonly FunctionEntry[] = [
  change('airdropTokens(ApprovedTransfers[])', '(int32)', usd.airdrop, airdrop),
  change('claimAirdrops(Airdrop[])', '(int64)', usd.change, async (call) => claim(call, await places(call))),
  change('cancelAirdrops(Airdrop[])', '(int64)', usd.change, async (call) => cancel(call, await places(call))),
  change('rejectTokens(address,address[],(address,int64)[])', '(int64)', items, async (call) =>
    reject(call, await accountNamed(call, call.address(0)), call.list(1), call.list(2)),
  ),
  change(
    'claimAirdropFT(address)',
    '(int64)',
    usd.change,
    async (call) => claim(call, [await ownPlace(call, 'receiver', 0n)]),
    facade,
  ),
  change(
    'claimAirdropNFT(address,int64)',
    '(int64)',
    usd.change,
    async (call) => claim(call, [await ownPlace(call, 'receiver', call.bigint(1))]),
    facade,
  ),
  change(
    'cancelAirdropFT(address)',
    '(int64)',
    usd.change,
    async (call) => cancel(call, [await ownPlace(call, 'sender', 0n)]),
    facade,
  ),
  change(
    'cancelAirdropNFT(address,int64)',
    '(int64)',
    usd.change,
    async (call) => cancel(call, [await ownPlace(call, 'sender', call.bigint(1))]),
    facade,
  ),
  change(
    'rejectTokenFT()',
    '(int64)',
    usd.change,
    async (call) => reject(call, await call.senderAccount(), [longZeroOf(call.subject)], []),
    facade,
  ),
  change(
    'rejectTokenNFTs(int64[])',
    '(int64)',
    (call) => usd.change * call.list(0).length,
    async (call) => {
      const nfts = call.list<bigint>(0).map((serial) => [longZeroOf(call.subject), serial] as const)
      return reject(call, await call.senderAccount(), [], nfts)
    },
    facade,
  ),
]
