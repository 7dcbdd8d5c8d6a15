import { codeOf } from '#src/simulator/evm/code.ts'
import {
  type End,
  type Frame,
  hexOf,
  type Party,
  partyOf,
  type SlotAccess,
  storageGas,
} from '#src/simulator/evm/frame.ts'
import type { Log } from '#src/simulator/evm/function-result.ts'
import {
  addressWord,
  encoded,
  keccakOfKnown,
  longZero,
  mappingSlot,
  reasonText,
  word,
} from '#src/simulator/evm/words.ts'
import type { LedgerChange } from '#src/simulator/ledger-change.ts'
import type { Contract } from '#src/simulator/ledger-state.ts'
import type { World } from '#src/simulator/world.ts'

const transferTopic = keccakOfKnown(Buffer.from('Transfer(address,address,uint256)'))
const approvalTopic = keccakOfKnown(Buffer.from('Approval(address,address,uint256)'))
const nobody = longZero(0)
const [balances, allowances, supplySlot] = ['00', '01', '02']
/** Gas of what the functions do besides storage. */
const costs = { transfer: 2_900, transferFrom: 3_500, approve: 2_500, refused: 2_800, balanceOf: 500, create: 229_000 }

/** A contract that is a token, and what its storage says in short. */
export type TokenContract = Contract & { readonly token: NonNullable<Contract['token']> }

export function isToken(contract: Contract): contract is TokenContract {
  return contract.token != null
}

/** Where a token keeps its supply, which stays what it was founded with; slot and value as storage has them. */
export function supplySlotOf({ token: { holders } }: TokenContract): { readonly slot: string; readonly value: string } {
  const supply = Object.values(holders).reduce((sum, held) => sum + held, 0)
  return { slot: supplySlot.padStart(64, '0'), value: hexOf(supply) }
}

/** As tokens log a transfer; those of the ledger itself do it by the network's own contract. */
export function transferLog(token: Party, from: string, to: string, value: number): Log {
  const topics = [transferTopic, addressWord(from), addressWord(to)]
  return { contract: token.num, topics, data: word(value) }
}

/** `transfer(address,uint256)`; refused when the caller has less. */
export function transfer(world: World, contract: TokenContract, caller: Party, to: Party, value: number): Frame {
  const input = encoded('transfer(address,uint256)', addressWord(to.address), word(value))
  const held = contract.token.holders[caller.num] ?? 0
  if (held < value) return refused(world, contract, caller, input, tooLittle('Balance', caller, held, value))
  const moved = move(world, contract, caller, to, value)
  return { ...base(world, contract, caller, input), ...moved, cost: costs.transfer + storageGas(moved.storage) }
}

/** `transferFrom(address,address,uint256)` of what the owner allowed; refused when that is less. */
export function transferFrom(
  world: World,
  contract: TokenContract,
  caller: Party,
  [from, to]: readonly [Party, Party],
  value: number,
): Frame {
  const words = [addressWord(from.address), addressWord(to.address), word(value)]
  const input = encoded('transferFrom(address,address,uint256)', ...words)
  const { token } = contract
  const key = `${from.num}/${caller.num}`
  const left = token.allowances[key] ?? 0
  if (left < value) return refused(world, contract, caller, input, tooLittle('Allowance', caller, left, value))
  const held = token.holders[from.num] ?? 0
  if (held < value) return refused(world, contract, caller, input, tooLittle('Balance', from, held, value))
  const spent = allow(contract, from, caller, left - value)
  const moved = move(world, contract, from, to, value)
  const storage = [spent, ...moved.storage]
  return { ...base(world, contract, caller, input), ...moved, storage, cost: costs.transferFrom + storageGas(storage) }
}

export function approve(world: World, contract: TokenContract, caller: Party, spender: Party, value: number): Frame {
  const input = encoded('approve(address,uint256)', addressWord(spender.address), word(value))
  const storage = [allow(contract, caller, spender, value)]
  const topics = [approvalTopic, addressWord(caller.address), addressWord(spender.address)]
  const log = { contract: contract.num, topics, data: word(value) }
  const cost = costs.approve + storageGas(storage)
  return { ...base(world, contract, caller, input), storage, logs: [log], cost }
}

/** A contract that looks up what it has itself. */
export function balanceOf(world: World, contract: TokenContract, caller: Party): Frame {
  const held = contract.token.holders[caller.num] ?? 0
  const storage = [{ slot: mappingSlot(caller.address, balances), before: hexOf(held) }]
  const input = encoded('balanceOf(address)', addressWord(caller.address))
  const end = { output: word(held) }
  return { ...base(world, contract, caller, input), operation: 'staticCall', end, storage, cost: costs.balanceOf }
}

/** Hbar for the contract, without a word. */
export function donate(world: World, contract: TokenContract, caller: Party, value: number): Frame {
  return { ...base(world, contract, caller, Buffer.alloc(0)), value, end: { output: Buffer.alloc(0) }, cost: 60 }
}

/** The constructor gives everything to the owner. */
export function founding(contract: TokenContract, owner: Party, supply: number) {
  const self = { num: contract.num, address: contract.evmAddress, contract: true }
  contract.token.holders[owner.num] = supply
  const storage = [
    { slot: mappingSlot(owner.address, balances), before: '', after: hexOf(supply) },
    { slot: supplySlot, before: '', after: hexOf(supply) },
  ]
  return {
    recipient: self,
    end: { output: codeOf('token').runtime },
    storage,
    logs: [transferLog(self, nobody, owner.address, supply)],
    cost: costs.create + storageGas(storage),
    changes: [holding(contract, owner)],
  }
}

export function tokenInitcode(owner: string, supply: number): Buffer {
  return Buffer.concat([codeOf('token').initcode, addressWord(owner), word(supply)])
}

/** A token for nobody is refused by the constructor. */
export function refusedFounding(caller: Party, supply: number): Frame {
  const end = { revert: reasonText('no owner') }
  return { operation: 'create', caller, recipient: null, input: tokenInitcode(nobody, supply), end, cost: 400 }
}

function base(world: World, { num }: Contract, caller: Party, input: Uint8Array) {
  const end: End = { output: word(1) }
  return { operation: 'call' as const, caller, recipient: partyOf(world, num), input, end }
}

function refused(world: World, contract: Contract, caller: Party, input: Uint8Array, revert: Uint8Array): Frame {
  return { ...base(world, contract, caller, input), end: { revert }, cost: costs.refused }
}

function tooLittle(what: 'Balance' | 'Allowance', { address }: Party, there: number, needed: number): Buffer {
  return encoded(`Insufficient${what}(address,uint256,uint256)`, addressWord(address), word(there), word(needed))
}

function allow({ token }: TokenContract, owner: Party, spender: Party, left: number): SlotAccess {
  const key = `${owner.num}/${spender.num}`
  const before = token.allowances[key] ?? 0
  if (left === 0) delete token.allowances[key]
  else token.allowances[key] = left
  const slot = mappingSlot(spender.address, mappingSlot(owner.address, allowances))
  return { slot, before: hexOf(before), after: hexOf(left) }
}

function move(world: World, contract: TokenContract, from: Party, to: Party, value: number) {
  const storage = [book(contract, from, -value), book(contract, to, value)]
  const logs = [transferLog(partyOf(world, contract.num), from.address, to.address, value)]
  return { storage, logs, changes: [holding(contract, from), holding(contract, to)] }
}

function book({ token: { holders } }: TokenContract, { num, address }: Party, amount: number): SlotAccess {
  const before = holders[num] ?? 0
  holders[num] = before + amount
  return { slot: mappingSlot(address, balances), before: hexOf(before), after: hexOf(before + amount) }
}

function holding({ num, token }: TokenContract, holder: Party): LedgerChange {
  const set = { address: holder.address, balance: BigInt(token.holders[holder.num] ?? 0) }
  return { table: 'contractTokens', key: `${num}/${holder.num}`, set }
}
