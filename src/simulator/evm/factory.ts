import type { AskedCall } from '#src/simulator/evm/asked-call.ts'
import { type Party, partyOf } from '#src/simulator/evm/frame.ts'
import { encoded, word } from '#src/simulator/evm/words.ts'
import type { Contract } from '#src/simulator/ledger-state.ts'
import type { World } from '#src/simulator/world.ts'

const needs = { token: 420_000, market: 1_450_000 }

export interface MakePlan {
  readonly caller: Party
  readonly supply: number
  /** Tinybars for what is made. */
  readonly value: number
}

/** `makeToken(uint256)`: a token of the caller's, with CREATE. */
export function makeToken(world: World, factory: Contract, plan: MakePlan): AskedCall {
  return making(world, factory, plan, encoded('makeToken(uint256)', word(plan.supply)), needs.token)
}

/** `makeTokenAt(bytes32,uint256)`: the same with CREATE2. */
export function makeTokenAt(world: World, factory: Contract, plan: MakePlan): AskedCall {
  const input = encoded('makeTokenAt(bytes32,uint256)', world.prng.bytes(32), word(plan.supply))
  return making(world, factory, plan, input, needs.token)
}

/** `makeMarket(bytes32,uint256)`: a contract with CREATE2 whose constructor makes another with CREATE. */
export function makeMarket(world: World, factory: Contract, plan: MakePlan): AskedCall {
  const input = encoded('makeMarket(bytes32,uint256)', world.prng.bytes(32), word(plan.supply))
  return making(world, factory, plan, input, needs.market)
}

function making(
  world: World,
  factory: Contract,
  { caller, value }: MakePlan,
  input: Uint8Array,
  enough: number,
): AskedCall {
  const memo = world.prng.pick(['', 'made by a contract'])
  return { caller, recipient: partyOf(world, factory.num), input, value, needs: enough, memo }
}
