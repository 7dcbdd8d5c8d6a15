import type { AskedCall } from '#src/simulator/evm/asked-call.ts'
import { type Party, partyOf } from '#src/simulator/evm/frame.ts'
import { buy, tokenOf } from '#src/simulator/evm/market.ts'
import { approve, donate, isToken, type TokenContract, transfer, transferFrom } from '#src/simulator/evm/token.ts'
import type { Contract } from '#src/simulator/ledger-state.ts'
import type { World } from '#src/simulator/world.ts'

/** What becomes of a call. */
export type Ending = 'works' | 'reverts' | 'runs out of gas'

/** Who may call: those for whom it holds, somebody of them where nobody in particular has a reason to. */
export interface Callers {
  readonly may: (num: number) => boolean
  readonly somebody: number
}

const holdersMost = 100
const allowancesMost = 30
const attemptsMost = 6

/** A call of a token or a market that somebody could have a reason for; undefined where there is no such contract. */
export function someCall(world: World, callers: Callers, ending: Ending): AskedCall | undefined {
  const contracts = world.callable.filter((contract) => isToken(contract) || tokenOf(world, contract))
  const contract = world.some(contracts)
  if (!contract) return undefined
  if (ending === 'reverts') return refusedCall(world, contract, partyOf(world, callers.somebody))
  return { ...workingCall(world, contract, callers), isScarce: ending === 'runs out of gas' }
}

/** A call of the contract that does what its caller wants. */
export function workingCall(world: World, contract: Contract, { may, somebody }: Callers): AskedCall {
  const anybody = partyOf(world, somebody)
  const sold = tokenOf(world, contract)
  if (sold) return purchase(world, contract, sold, anybody)
  const token = contract as TokenContract
  const chance = world.prng.unit()
  const spent = chance < 0.2 ? spending(world, token, may) : undefined
  if (spent) return spent
  const holder = someHolder(world, token, may)
  if (holder === undefined || chance > 0.9) return donate(world, token, anybody, world.amountFrom(somebody))
  const caller = partyOf(world, holder)
  const receiver = partyOf(world, someReceiver(world, token, holder))
  if (chance > 0.8 && Object.keys(token.token.allowances).length < allowancesMost)
    return approve(world, token, caller, receiver, world.prng.between(1, 1_000_000))
  return transfer(world, token, caller, receiver, share(world, token, holder))
}

/** More than the caller has, or was allowed, or than is for sale. */
function refusedCall(world: World, contract: Contract, caller: Party): AskedCall {
  const sold = tokenOf(world, contract)
  const tooMuch = world.prng.between(1, 1_000) * 1_000_000_000_000
  if (sold) return buy(world, contract, caller, tooMuch)
  const token = contract as TokenContract
  const other = partyOf(world, world.userOtherThan(caller.num).num)
  return world.prng.chance(0.5)
    ? transfer(world, token, caller, other, tooMuch)
    : transferFrom(world, token, caller, [other, caller], tooMuch)
}

/** Markets that sold nearly everything sell single units. */
function purchase(world: World, market: Contract, token: TokenContract, caller: Party): AskedCall {
  const known = caller.num in token.token.holders || Object.keys(token.token.holders).length < holdersMost
  if (!known || (token.token.holders[market.num] ?? 0) < 1) return donate(world, token, caller, 1)
  return buy(world, market, caller, share(world, token, market.num))
}

/** Takes some of what an owner allowed, for the spender or somebody else. */
function spending(world: World, token: TokenContract, may: Callers['may']): AskedCall | undefined {
  const keys = Object.keys(token.token.allowances)
  const [owner = 0, spender = 0] = (world.some(keys) ?? '').split('/').map(Number)
  const most = Math.min(token.token.allowances[`${owner}/${spender}`] ?? 0, token.token.holders[owner] ?? 0)
  if (most === 0 || !may(spender)) return undefined
  const amount = world.prng.chance(0.3) ? most : 1 + world.prng.below(most)
  const receiver = someReceiver(world, token, owner)
  const parties = [partyOf(world, owner), partyOf(world, receiver)] as const
  return transferFrom(world, token, partyOf(world, spender), parties, amount)
}

function someHolder(world: World, { token }: TokenContract, may: Callers['may']): number | undefined {
  const holders = Object.keys(token.holders)
  for (let attempt = 0; attempt < attemptsMost; attempt++) {
    const num = Number(world.some(holders) ?? 0)
    if ((token.holders[num] ?? 0) > 0 && may(num)) return num
  }
  return undefined
}

function someReceiver(world: World, { token }: TokenContract, holder: number): number {
  const holders = Object.keys(token.holders)
  const other = holders.length < holdersMost ? undefined : holders.find((num) => Number(num) !== holder)
  return other === undefined ? world.userOtherThan(holder).num : Number(other)
}

function share(world: World, { token }: TokenContract, holder: number): number {
  return 1 + world.prng.below(Math.ceil((token.holders[holder] ?? 0) / 10))
}
