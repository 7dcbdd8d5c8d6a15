import type { AskedCall } from '#src/simulator/evm/asked-call.ts'
import { codeOf } from '#src/simulator/evm/code.ts'
import { type Frame, type Party, partyAt, partyOf } from '#src/simulator/evm/frame.ts'
import type { Log } from '#src/simulator/evm/function-result.ts'
import { addressWord, encoded, keccakOfKnown, longZero, mappingSlot, word } from '#src/simulator/evm/words.ts'
import type { LedgerChange } from '#src/simulator/ledger-change.ts'
import type { Contract } from '#src/simulator/ledger-state.ts'
import type { World } from '#src/simulator/world.ts'

const transferTopic = keccakOfKnown(Buffer.from('Transfer(address,address,uint256)'))
const approvalTopic = keccakOfKnown(Buffer.from('Approval(address,address,uint256)'))
const spendingSelector = encoded('transferFrom(address,address,uint256)').toString('hex')
const selectorBytes = 4
const nobody = longZero(0)
const [balances, allowances] = ['00', '01']
const needs = { transfer: 60_000, transferFrom: 70_000, approve: 30_000, donate: 100, create: 360_000 }

/** A contract that is a token, and what its storage says in short. */
export type TokenContract = Contract & { readonly token: NonNullable<Contract['token']> }

export function isToken(contract: Contract): contract is TokenContract {
  return contract.token != null
}

/** As tokens log a transfer; those of the ledger itself do it by the network's own contract. */
export function transferLog(token: Party, from: string, to: string, value: number): Log {
  const topics = [transferTopic, addressWord(from), addressWord(to)]
  return { contract: token.num, topics, data: word(value) }
}

/** `transfer(address,uint256)`; refused when the caller has less. */
export function transfer(world: World, contract: Contract, caller: Party, to: Party, value: number): AskedCall {
  const input = encoded('transfer(address,uint256)', addressWord(to.address), word(value))
  return { caller, recipient: partyOf(world, contract.num), input, needs: needs.transfer }
}

/** `transferFrom(address,address,uint256)` of what the owner allowed; refused when that is less. */
export function transferFrom(
  world: World,
  contract: Contract,
  caller: Party,
  [from, to]: readonly [Party, Party],
  value: number,
): AskedCall {
  const words = [addressWord(from.address), addressWord(to.address), word(value)]
  const input = encoded('transferFrom(address,address,uint256)', ...words)
  return { caller, recipient: partyOf(world, contract.num), input, needs: needs.transferFrom }
}

export function approve(world: World, contract: Contract, caller: Party, spender: Party, value: number): AskedCall {
  const input = encoded('approve(address,uint256)', addressWord(spender.address), word(value))
  return { caller, recipient: partyOf(world, contract.num), input, needs: needs.approve }
}

/** Hbar for the contract, without a word. */
export function donate(world: World, contract: Contract, caller: Party, value: number): AskedCall {
  return { caller, recipient: partyOf(world, contract.num), input: Buffer.alloc(0), value, needs: needs.donate }
}

/** What a creation of a token says; the constructor gives everything to the owner. */
export function founding(owner: string, supply: number): Pick<AskedCall, 'input' | 'needs'> {
  return { input: Buffer.concat([codeOf('token').initcode, addressWord(owner), word(supply)]), needs: needs.create }
}

/** A token for nobody is refused by the constructor. */
export function refusedFounding(caller: Party, supply: number): AskedCall {
  return { caller, creation: { code: 'token' }, ...founding(nobody, supply) }
}

/** Brings what is known in short of tokens to what their storage says, where a call has moved or allowed some. */
export function tokenChanges(world: World, frames: readonly Frame[], logs: readonly Log[]): LedgerChange[] {
  const held = new Map<string, LedgerChange>()
  for (const { contract: num, topics } of logs) {
    const contract = world.recentContract(num)
    if (!contract || !isToken(contract)) continue
    const parties = topics.slice(1, 3).map((topic) => partyAt(world, Buffer.from(topic).toString('hex').slice(24)))
    if (transferTopic.equals(topics[0]!)) {
      for (const party of parties)
        if (party && party.num !== 0) held.set(`${num}/${party.num}`, recount(contract, party))
    } else if (approvalTopic.equals(topics[0]!) && parties[0] && parties[1]) allow(contract, parties[0], parties[1])
  }
  for (const frame of frames) noteSpending(world, frame)
  return [...held.values()]
}

/** What is taken of an allowance is not logged. */
function noteSpending(world: World, { undone, recipient, caller, input }: Frame): void {
  const contract = recipient && world.recentContract(recipient.num)
  if (undone || !contract || !isToken(contract) || !caller) return
  const hex = Buffer.from(input).toString('hex')
  if (hex.slice(0, 2 * selectorBytes) !== spendingSelector) return
  const owner = partyAt(world, hex.slice(2 * selectorBytes + 24, 2 * selectorBytes + 64))
  if (owner) allow(contract, owner, caller)
}

function allow({ token, slots }: TokenContract, owner: Party, spender: Party): void {
  const key = `${owner.num}/${spender.num}`
  const left = Number(`0x${slots[mappingSlot(spender.address, mappingSlot(owner.address, allowances))] || '0'}`)
  if (left === 0) delete token.allowances[key]
  else token.allowances[key] = left
}

function recount({ num, token, slots }: TokenContract, holder: Party): LedgerChange {
  const balance = Number(`0x${slots[mappingSlot(holder.address, balances)] || '0'}`)
  token.holders[holder.num] = balance
  const set = { address: holder.address, balance: BigInt(balance) }
  return { table: 'contractTokens', key: `${num}/${holder.num}`, set }
}
