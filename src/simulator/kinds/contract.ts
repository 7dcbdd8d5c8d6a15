import type { Message } from '#src/simulator/codec.ts'
import type { AskedCall } from '#src/simulator/evm/asked-call.ts'
import { execute } from '#src/simulator/evm/execute.ts'
import { makeMarket, makeToken, makeTokenAt } from '#src/simulator/evm/factory.ts'
import { type Party, partyOf } from '#src/simulator/evm/frame.ts'
import { outcomeOf } from '#src/simulator/evm/outcome.ts'
import { moveToken, pay } from '#src/simulator/evm/teller.ts'
import { contractId, hexBytes, tokenId } from '#src/simulator/ids.ts'
import { amountEntry } from '#src/simulator/kinds/hbar.ts'
import { createAccount, creationOf } from '#src/simulator/kinds/new-account.ts'
import { type Ending, someCall } from '#src/simulator/kinds/some-call.ts'
import type { Token } from '#src/simulator/ledger-state.ts'
import type { Movement } from '#src/simulator/movement.ts'
import type { RunningKind, Submission } from '#src/simulator/submission.ts'
import type { World } from '#src/simulator/world.ts'

const endings = { CONTRACT_REVERT_EXECUTED: 'reverts', INSUFFICIENT_GAS: 'runs out of gas' } as const

/** The ending of a call that fails for a reason, if any. */
export function endingOf(failure: keyof typeof endings | undefined): Ending {
  return failure === undefined ? 'works' : endings[failure]
}

/** A call of a token or a market; some revert, run out of gas, or name a contract that is none. */
export const contractCall: RunningKind = async (world) => {
  const failure = world.failure('CONTRACT_REVERT_EXECUTED', 'INSUFFICIENT_GAS', 'INVALID_CONTRACT_ID')
  const callers = { may: (num: number) => world.spendable(num) > 0, somebody: world.payer() }
  const missing = failure === 'INVALID_CONTRACT_ID'
  const asked = someCall(world, callers, missing ? 'reverts' : endingOf(failure))
  if (!asked) return undefined
  if (missing) return { body: bodyOf(asked, 100_000), payer: asked.caller.num, result: failure }
  return callOf(world, asked)
}

/** A transaction of the caller that asks for nothing but the call. */
export async function callOf(world: World, asked: AskedCall, payer = asked.caller.num): Promise<Submission> {
  const execution = await execute(world, asked)
  return { ...outcomeOf(execution, payer), body: bodyOf(asked, execution.gas) }
}

/** By the number or by the address of the contract. */
function bodyOf({ recipient, value = 0, input }: AskedCall, gas: number): Message {
  const { num = 0, address = '' } = recipient ?? {}
  const contractID = num % 2 === 0 ? contractId(num) : { evmAddress: hexBytes(address) }
  return { contractCall: { contractID, gas, ...(value > 0 ? { amount: value } : {}), functionParameters: input } }
}

/** A call that moves a token by the network's own contract, or that makes other contracts: children say what they did. */
export const contractCallWithChildren: RunningKind = async (world) =>
  world.prng.chance(0.5) ? making(world) : ((await moving(world)) ?? making(world))

const makers = [makeToken, makeTokenAt, makeMarket]

export async function making(world: World): Promise<Submission | undefined> {
  const factory = world.contractOf('factory')
  if (!factory) return undefined
  const caller = partyOf(world, world.payer())
  const value = world.prng.chance(0.5) ? world.amountFrom(caller.num) : 0
  const supply = world.prng.between(1, 1_000) * 1_000_000
  return callOf(world, world.prng.pick(makers)(world, factory, { caller, supply, value }))
}

/** Some come too late, and what is moved by then is taken back; some move what nobody has. */
async function moving(world: World): Promise<Submission | undefined> {
  const teller = world.contractOf('teller')
  const isMovable = ({ nft, paused, holders, treasury }: Token) => !nft && !paused && (holders[treasury] ?? 0) > 10
  const token = world.token(isMovable)
  const receiver = token && Object.keys(token.holders).find((num) => Number(num) !== token.treasury)
  if (!teller || !token || receiver === undefined) return undefined
  const failure = world.failure('CONTRACT_REVERT_EXECUTED', 'INSUFFICIENT_TOKEN_BALANCE')
  const [from, to] = [token.treasury, Number(receiver)]
  const amount = failure === 'INSUFFICIENT_TOKEN_BALANCE' ? token.supply + 5 : 5
  const transfers: Movement[] = [
    [from, -amount],
    [to, amount],
  ]
  if (!failure) for (const [num, change] of transfers) token.holders[num] = (token.holders[num] ?? 0) + change
  const lists = [{ token: tokenId(token.num), transfers: transfers.map((each) => amountEntry(each)) }]
  const child: Submission = {
    body: { cryptoTransfer: { tokenTransfers: lists } },
    payer: from,
    tokenMovements: [{ token: token.num, transfers }],
    ...(failure === 'INSUFFICIENT_TOKEN_BALANCE' ? { result: failure } : {}),
  }
  const caller = partyOf(world, world.payer())
  const [sender, target, self] = [from, to, teller.num].map((num) => partyOf(world, num)) as [Party, Party, Party]
  const deadline = world.now.seconds + (failure === 'CONTRACT_REVERT_EXECUTED' ? -60 : 60)
  const parties = { caller, teller: self, from: sender, to: target }
  const call = await callOf(world, moveToken(token.num, { ...parties, amount, child }, deadline))
  return { ...call, signers: [from] }
}

/** A contract sends hbar to an address that nobody has: the account comes as a child of the call, without a key. */
export const contractLazyCreate: RunningKind = async (world) => {
  const teller = world.contractOf('teller')
  if (!teller) return undefined
  const caller = partyOf(world, world.payer())
  const amount = 1 + world.amountFrom(caller.num)
  const account = createAccount(world, { ecdsa: true, alias: 'address', hollow: true, reuse: true })
  const child: Submission = {
    ...creationOf(world, account, { memo: 'lazy-created account' }),
    payer: caller.num,
  }
  const [self, receiver] = [partyOf(world, teller.num), partyOf(world, account.num)]
  return callOf(world, pay(caller, self, receiver, amount, { account, child }))
}
