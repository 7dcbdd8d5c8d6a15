import { create2Address, createAddress } from '#src/simulator/evm/addresses.ts'
import { type Frame, type Party, partyOf } from '#src/simulator/evm/frame.ts'
import { marketInitcode, opening } from '#src/simulator/evm/market.ts'
import { founding, type TokenContract, tokenInitcode } from '#src/simulator/evm/token.ts'
import { addressWord, encoded, keccakOfKnown, word } from '#src/simulator/evm/words.ts'
import { newContract } from '#src/simulator/kinds/new-contract.ts'
import type { Contract } from '#src/simulator/ledger-state.ts'
import type { World } from '#src/simulator/world.ts'

const madeTopic = keccakOfKnown(Buffer.from('Made(address,address)'))
const cost = 36_000

export interface MakePlan {
  readonly caller: Party
  readonly supply: number
  /** Tinybars for what is made. */
  readonly value: number
}

/** `makeToken(uint256)`: a token of the caller's, with CREATE. */
export function makeToken(world: World, factory: Contract, plan: MakePlan): Frame {
  const evmAddress = createAddress(factory.evmAddress, factory.nonce)
  return made(world, factory, plan, encoded('makeToken(uint256)', word(plan.supply)), {
    operation: 'create',
    ...tokenFrame(world, plan, evmAddress),
  })
}

/** `makeTokenAt(bytes32,uint256)`: the same with CREATE2. */
export function makeTokenAt(world: World, factory: Contract, plan: MakePlan): Frame {
  const salt = world.prng.bytes(32)
  const evmAddress = create2Address(factory.evmAddress, salt, tokenInitcode(plan.caller.address, plan.supply))
  return made(world, factory, plan, encoded('makeTokenAt(bytes32,uint256)', salt, word(plan.supply)), {
    operation: 'create2',
    ...tokenFrame(world, plan, evmAddress),
  })
}

/** `makeMarket(bytes32,uint256)`: a contract with CREATE2 whose constructor makes another with CREATE. */
export function makeMarket(world: World, factory: Contract, plan: MakePlan): Frame {
  const salt = world.prng.bytes(32)
  const input = marketInitcode(plan.supply)
  const evmAddress = create2Address(factory.evmAddress, salt, input)
  const market = newContract(world, { code: 'market', evmAddress })
  return made(world, factory, plan, encoded('makeMarket(bytes32,uint256)', salt, word(plan.supply)), {
    operation: 'create2',
    input,
    ...opening(world, market, plan.supply),
  })
}

function tokenFrame(world: World, { caller, supply }: MakePlan, evmAddress: string) {
  const memo = world.prng.pick(['', 'made by a contract'])
  const creation = newContract(world, { code: 'token', evmAddress, memo })
  const input = tokenInitcode(caller.address, supply)
  return { input, creation, ...founding(creation.contract as TokenContract, caller, supply) }
}

function made(
  world: World,
  factory: Contract,
  { caller, value }: MakePlan,
  input: Uint8Array,
  inner: Omit<Frame, 'caller'>,
): Frame {
  factory.nonce += 1
  const self = partyOf(world, factory.num)
  const address = inner.recipient?.address ?? ''
  const topics = [madeTopic, addressWord(address), addressWord(caller.address)]
  return {
    operation: 'call',
    caller,
    recipient: self,
    input,
    value,
    cost,
    end: { output: addressWord(address) },
    frames: [{ ...inner, caller: self, value }],
    logs: [{ contract: factory.num, topics, data: Buffer.alloc(0) }],
    counted: [factory],
  }
}
