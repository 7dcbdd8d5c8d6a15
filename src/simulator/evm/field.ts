import type { AskedCall } from '#src/simulator/evm/asked-call.ts'
import { codeOf } from '#src/simulator/evm/code.ts'
import { type Party, partyOf } from '#src/simulator/evm/frame.ts'
import { isToken, type TokenContract } from '#src/simulator/evm/token.ts'
import { addressWord, encoded, longZero, mappingSlot, word } from '#src/simulator/evm/words.ts'
import type { Contract } from '#src/simulator/ledger-state.ts'
import type { World } from '#src/simulator/world.ts'

const needs = {
  small: 40_000,
  mint: 130_000,
  transferNft: 60_000,
  put: 330_000,
  take: 60_000,
  aggregate: 120_000,
  swap: 130_000,
  create: { purse: 800_000, proxy: 280_000, collection: 500_000, multicall: 500_000, pair: 2_600_000 },
} as const
const [firstSlot, secondSlot, lastSlot] = ['0', '1', '3'].map((digit) => digit.padStart(64, '0')) as [
  string,
  string,
  string,
]

export type FieldCode = keyof typeof needs.create

/** What the creation of a contract of the field says; of a proxy, whose code it runs. */
export function fieldCreation(world: World, code: FieldCode): Pick<AskedCall, 'input' | 'needs'> {
  const further = { pair: () => word(world.prng.between(1, 1_000) * 1_000_000), proxy: () => purseWord(world) }
  const argument = code === 'pair' || code === 'proxy' ? further[code]() : Buffer.alloc(0)
  return { input: Buffer.concat([codeOf(code).initcode, argument]), needs: needs.create[code] }
}

function purseWord(world: World): Buffer {
  const purse = world.callable.find(({ code }) => code === 'purse')
  return addressWord(purse?.evmAddress ?? longZero(0))
}

/** `mint(address)` of a collection. */
export function mint(world: World, contract: Contract, caller: Party, to: Party): AskedCall {
  return calling(world, contract, caller, encoded('mint(address)', addressWord(to.address)), needs.mint)
}

/** `transferFrom(address,address,uint256)` of the newest of a collection; refused where the caller is not its owner. */
export function transferNewest(world: World, contract: Contract, caller: Party, to: Party): AskedCall {
  const words = [addressWord(caller.address), addressWord(to.address), word(newestOf(contract))]
  return calling(world, contract, caller, encoded('transferFrom(address,address,uint256)', ...words), needs.transferNft)
}

/** `approve(address,uint256)` of the newest of a collection. */
export function approveNewest(world: World, contract: Contract, caller: Party, to: Party): AskedCall {
  const input = encoded('approve(address,uint256)', addressWord(to.address), word(newestOf(contract)))
  return calling(world, contract, caller, input, needs.small)
}

function newestOf({ slots }: Contract): number {
  return numberIn(slots[lastSlot])
}

/** Number of the account that owns the newest of a collection. */
export function newestOwner(world: World, contract: Contract): number | undefined {
  const key = newestOf(contract).toString(16)
  const address = (contract.slots[mappingSlot(key, '00')] ?? '').padStart(40, '0')
  return world.numAt(address) ?? (numberIn(address) || undefined)
}

/** `put()`: hbar for a purse, which its library counts. */
export function put(world: World, contract: Contract, caller: Party, value: number): AskedCall {
  return { ...calling(world, contract, caller, encoded('put()'), needs.put), value }
}

/** `take(uint256)`: some of them back; refused where the caller put in less. */
export function take(world: World, contract: Contract, caller: Party, value: number): AskedCall {
  return calling(world, contract, caller, encoded('take(uint256)', word(value)), needs.take)
}

/** What somebody has in a purse, or in a proxy that runs the code of one. */
export function heldIn({ slots }: Contract, { address }: Party): number {
  return numberIn(slots[mappingSlot(address, '00')])
}

/** `upgradeTo(address)` of a proxy: to the code that it runs already, which is in its place anew. */
export function upgrade(world: World, contract: Contract, caller: Party): AskedCall {
  return calling(world, contract, caller, encoded('upgradeTo(address)', purseWord(world)), needs.small)
}

/** `aggregate3((address,bool,bytes)[])`: calls that look, of which any may fail. */
export function aggregate(
  world: World,
  contract: Contract,
  caller: Party,
  calls: readonly { readonly to: string; readonly input: Uint8Array }[],
): AskedCall {
  const parts = calls.map(({ to, input }) => {
    const padded = Buffer.concat([input, Buffer.alloc((32 - (input.length % 32)) % 32)])
    return Buffer.concat([addressWord(to), word(1), word(96), word(input.length), padded])
  })
  let offset = 32 * parts.length
  const offsets = parts.map((part) => {
    const own = word(offset)
    offset += part.length
    return own
  })
  const input = encoded('aggregate3((address,bool,bytes)[])', word(32), word(parts.length), ...offsets, ...parts)
  return calling(world, contract, caller, input, needs.aggregate * Math.max(1, calls.length / 3))
}

/** `take()` of an exchange pair: units of its first token for as many tinybars. */
export function buyFirst(world: World, contract: Contract, caller: Party, value: number): AskedCall {
  return { ...calling(world, contract, caller, encoded('take()'), needs.swap), value }
}

/** `swap(bool,uint256,uint256)` of the first token for the second; refused where that gives less than is wanted. */
export function swap(world: World, contract: Contract, caller: Party, paid: number, wanted: number): AskedCall {
  const input = encoded('swap(bool,uint256,uint256)', word(1), word(paid), word(wanted))
  return calling(world, contract, caller, input, needs.swap)
}

/** The tokens that a pair exchanges, as long as the network remembers them. */
export function tokensOf(world: World, { slots }: Contract): readonly [TokenContract, TokenContract] | undefined {
  const [first, second] = [firstSlot, secondSlot].map((slot) => {
    const num = world.numAt((slots[slot] ?? '').padStart(40, '0'))
    const token = num === undefined ? undefined : world.contract(num)
    return token && isToken(token) ? token : undefined
  })
  return first && second ? [first, second] : undefined
}

function calling(world: World, { num }: Contract, caller: Party, input: Uint8Array, enough: number): AskedCall {
  return { caller, recipient: partyOf(world, num), input, needs: enough }
}

function numberIn(hex: string | undefined): number {
  return Number(`0x${hex || '0'}`)
}
