import type { AskedCall } from '#src/simulator/evm/asked-call.ts'
import { codeOf } from '#src/simulator/evm/code.ts'
import { type Party, partyOf } from '#src/simulator/evm/frame.ts'
import { isToken, type TokenContract } from '#src/simulator/evm/token.ts'
import { encoded, word } from '#src/simulator/evm/words.ts'
import type { Contract } from '#src/simulator/ledger-state.ts'
import type { World } from '#src/simulator/world.ts'

const tokenSlot = '0'.repeat(64)
const needs = { buy: 80_000, create: 1_300_000 }

/** The token that a market sells, as long as the network remembers it. */
export function tokenOf(world: World, { code, slots }: Contract): TokenContract | undefined {
  if (code !== 'market') return undefined
  const num = world.numAt((slots[tokenSlot] ?? '').padStart(40, '0'))
  const token = num === undefined ? undefined : world.contract(num)
  return token && isToken(token) ? token : undefined
}

/** `buy(uint256)`: asks the token what is left, and has some of it moved to the caller. */
export function buy(world: World, market: Contract, caller: Party, value: number): AskedCall {
  const input = encoded('buy(uint256)', word(value))
  return { caller, recipient: partyOf(world, market.num), input, needs: needs.buy }
}

/** What a creation of a market says; its constructor makes the token that it sells. */
export function opening(supply: number): Pick<AskedCall, 'input' | 'needs'> {
  return { input: Buffer.concat([codeOf('market').initcode, word(supply)]), needs: needs.create }
}
