import { touched } from '#src/simulator/changes.ts'
import { createAddress } from '#src/simulator/evm/addresses.ts'
import { codeOf } from '#src/simulator/evm/code.ts'
import { type End, type Frame, type Party, partyOf } from '#src/simulator/evm/frame.ts'
import type { Log } from '#src/simulator/evm/function-result.ts'
import { balanceOf, founding, isToken, type TokenContract, tokenInitcode, transfer } from '#src/simulator/evm/token.ts'
import { addressWord, encoded, keccakOfKnown, reasonText, word } from '#src/simulator/evm/words.ts'
import { type ContractCreation, newContract } from '#src/simulator/kinds/new-contract.ts'
import type { Contract } from '#src/simulator/ledger-state.ts'
import type { World } from '#src/simulator/world.ts'

const soldTopic = keccakOfKnown(Buffer.from('Sold(address,uint256)'))
const tokenSlot = '00'
const costs = { buy: 9_500, refused: 6_500, create: 143_000 }

/** The token that a market sells, as long as the network remembers it. */
export function tokenOf(world: World, { sells }: Contract): TokenContract | undefined {
  const token = sells == null ? undefined : world.contract(sells)
  return token && isToken(token) ? token : undefined
}

/** `buy(uint256)`: asks the token what is left, and has some of it moved to the caller. */
export function buy(world: World, market: Contract, token: TokenContract, caller: Party, value: number): Frame {
  const self = partyOf(world, market.num)
  const left = token.token.holders[market.num] ?? 0
  const looked = balanceOf(world, token, self)
  const frame = {
    operation: 'call' as const,
    caller,
    recipient: self,
    input: encoded('buy(uint256)', word(value)),
  }
  if (left < value) return { ...frame, end: { revert: reasonText('sold out') }, frames: [looked], cost: costs.refused }
  const moved = transfer(world, token, self, caller, value)
  const log: Log = {
    contract: market.num,
    topics: [soldTopic, addressWord(caller.address)],
    data: word(value),
  }
  const end: End = { output: Buffer.alloc(0) }
  const storage = [{ slot: tokenSlot, before: token.evmAddress }]
  return { ...frame, end, storage, frames: [looked, moved], logs: [log], cost: costs.buy }
}

/** The constructor makes the token that the market sells: a contract within a contract that is being made. */
export function opening(world: World, { contract: market, fields, changes }: ContractCreation, supply: number) {
  const self: Party = { num: market.num, address: market.evmAddress, contract: true }
  const made = newContract(world, { code: 'token', evmAddress: createAddress(market.evmAddress, market.nonce) })
  const token = made.contract as TokenContract
  market.nonce += 1
  market.sells = token.num
  const inner: Frame = {
    operation: 'create',
    caller: self,
    input: tokenInitcode(market.evmAddress, supply),
    creation: made,
    ...founding(token, self, supply),
  }
  return {
    recipient: self,
    end: { output: codeOf('market').runtime },
    storage: [{ slot: tokenSlot, before: '', after: token.evmAddress }],
    frames: [inner],
    cost: costs.create,
    creation: { contract: market, fields, changes: [...changes, touched(market.num, { ethereumNonce: market.nonce })] },
  }
}

export function marketInitcode(supply: number): Buffer {
  return Buffer.concat([codeOf('market').initcode, word(supply)])
}
