import { type HexAddress, lastSystemAccount, numberOf } from '#src/evm/addresses.ts'
import { accountAt } from '#src/evm/services/accounts.ts'
import type { ServiceCall } from '#src/evm/services/call.ts'
import { Failed, must } from '#src/evm/services/failed.ts'

/** An account, or an address that nobody has: of who receives one is made for it. */
export type Party = bigint | HexAddress

export async function partyAt(call: ServiceCall, address: HexAddress): Promise<Party> {
  return isSystem(address) ? address : ((await accountAt(call.world, address)) ?? address)
}

function isSystem(address: HexAddress): boolean {
  const number = numberOf(address)
  return number !== undefined && number > 0n && number <= lastSystemAccount
}

/** Who gives: somebody who is there. */
export async function givingAccount(call: ServiceCall, party: Party): Promise<bigint> {
  const account = typeof party === 'bigint' ? party : await accountAt(call.world, party)
  must(account !== undefined, 'INVALID_ACCOUNT_ID')
  return account
}

/** Whether an account has to be made for who receives. */
export function isToBeMade(party: Party): party is HexAddress {
  return typeof party !== 'bigint' && numberOf(party) === undefined
}

/** Whom a spender's allowance is for. */
export async function spenderAt(call: ServiceCall, address: HexAddress): Promise<bigint> {
  const account = await accountAt(call.world, address)
  if (account === undefined) throw new Failed('INVALID_ALLOWANCE_SPENDER_ID')
  return account
}

/** Who receives: for an address that nobody has, a new account that takes any token. The system's accounts receive nothing. */
export async function receivingAccount(call: ServiceCall, party: Party): Promise<bigint> {
  if (typeof party === 'bigint') return party
  if (isSystem(party)) throw new Failed('INVALID_RECEIVING_NODE_ACCOUNT', { shape: 'name' })
  // Made for another move of the same transfer.
  const known = await accountAt(call.world, party)
  if (known !== undefined) return known
  must(isToBeMade(party), 'INVALID_ALIAS_KEY')
  const account = await call.world.addEntity('account', party)
  call.tokens.setAssociations(account, { automaticMax: -1n, automatic: 0n })
  return account
}
