import { codeOf } from '#src/simulator/evm/code.ts'
import { execute } from '#src/simulator/evm/execute.ts'
import {
  aggregate,
  approveNewest,
  buyFirst,
  type FieldCode,
  fieldCreation,
  heldIn,
  mint,
  newestOwner,
  put,
  swap,
  take,
  tokensOf,
  transferNewest,
  upgrade,
} from '#src/simulator/evm/field.ts'
import { type Party, partyOf } from '#src/simulator/evm/frame.ts'
import { outcomeOf } from '#src/simulator/evm/outcome.ts'
import { approve, isToken } from '#src/simulator/evm/token.ts'
import { addressWord, encoded, word } from '#src/simulator/evm/words.ts'
import { callOf } from '#src/simulator/kinds/contract.ts'
import type { Contract } from '#src/simulator/ledger-state.ts'
import type { Planned, RunningKind, Submission } from '#src/simulator/submission.ts'
import type { World } from '#src/simulator/world.ts'

const savers = 60

/** Use of the contracts that are everywhere: NFTs, proxies with libraries, several calls in one, and an exchange of tokens. */
export const fieldContract: RunningKind = async (world) => {
  const missing = fieldCodes.find((code) => !world.callable.some((contract) => contract.code === code))
  if (missing) return creating(world, missing)
  const code = world.prng.pick(fieldCodes)
  const contract = world.contractOf(code)
  const caller = partyOf(world, world.payer())
  return contract && uses[code](world, contract, caller)
}

type Use = (world: World, contract: Contract, caller: Party) => Promise<Planned>

const uses: { readonly [code in FieldCode]: Use } = {
  collection: async (world, contract, caller) => {
    const other = partyOf(world, world.userOtherThan(caller.num).num)
    const owner = newestOwner(world, contract)
    const owning = owner === undefined || world.prng.chance(0.2) ? caller : partyOf(world, owner)
    const plan = world.prng.pick([mint, transferNewest, approveNewest])
    return callOf(world, plan(world, contract, plan === mint ? caller : owning, other))
  },
  purse: (world, contract, caller) => saving(world, contract, caller),
  proxy: (world, contract, caller) =>
    world.prng.chance(0.1) ? callOf(world, upgrade(world, contract, caller)) : saving(world, contract, caller),
  multicall: (world, contract, caller) => {
    const tokens = world.callable.filter(isToken).slice(0, 3)
    const calls = tokens.flatMap(({ evmAddress: to }) => [
      { to, input: encoded('balanceOf(address)', addressWord(caller.address)) },
      { to, input: encoded('transfer(address,uint256)', addressWord(caller.address), word(1_000_000_000_000_000)) },
    ])
    return callOf(world, aggregate(world, contract, caller, calls))
  },
  pair: exchanging,
}

const fieldCodes = ['purse', 'proxy', 'collection', 'multicall', 'pair'] as const satisfies readonly FieldCode[]

async function creating(world: World, code: FieldCode): Promise<Submission> {
  const payer = world.payer()
  const asked = { caller: partyOf(world, payer), creation: { code }, ...fieldCreation(world, code) }
  const execution = await execute(world, asked)
  const { initcode } = codeOf(code)
  const constructorParameters = asked.input.subarray(initcode.length)
  const fields = execution.frames[0].creation?.fields
  const body = { contractCreateInstance: { initcode, gas: execution.gas, constructorParameters, ...fields } }
  return { ...outcomeOf(execution, payer), body }
}

/** Hbar go in, or out again to who has some there; some want more than they have. */
async function saving(world: World, contract: Contract, caller: Party): Promise<Submission> {
  const saver = world.state.users
    .slice(0, savers)
    .map(({ num }) => partyOf(world, num))
    .find((party) => heldIn(contract, party) > 0)
  if (!saver || world.prng.chance(0.5)) return callOf(world, put(world, contract, caller, world.amountFrom(caller.num)))
  const held = heldIn(contract, saver)
  const value = world.failure('CONTRACT_REVERT_EXECUTED') ? held + 1 : 1 + world.prng.below(held)
  return callOf(world, take(world, contract, saver, value))
}

/** Who has none of the first token buys some; others allow the pair what they then exchange. */
async function exchanging(world: World, contract: Contract, caller: Party): Promise<Planned> {
  const [first] = tokensOf(world, contract) ?? []
  const left = first?.token.holders[contract.num] ?? 0
  if (!first || left < 1) return undefined
  const holders = Object.keys(first.token.holders).map(Number)
  const holder = holders.find((num) => num !== contract.num && (first.token.holders[num] ?? 0) > 0)
  if (holder === undefined || world.prng.chance(0.4))
    return callOf(
      world,
      buyFirst(world, contract, caller, 1 + world.prng.below(Math.min(left, world.amountFrom(caller.num)))),
    )
  const paid = 1 + world.prng.below(first.token.holders[holder] ?? 1)
  const by = partyOf(world, holder)
  const wanted = world.failure('CONTRACT_REVERT_EXECUTED') ? 1_000_000_000_000_000 : 0
  return [
    await callOf(world, approve(world, first, by, partyOf(world, contract.num), paid)),
    await callOf(world, swap(world, contract, by, paid, wanted)),
  ]
}
