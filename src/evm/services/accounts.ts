import { type HexAddress, longZeroOf, numberOf } from '#src/evm/addresses.ts'
import { addressOf, type World } from '#src/evm/world.ts'

/** The account or contract that is seen at an address; undefined where nobody is. Whoever has an address of its own is not seen by its number. */
export async function accountAt(world: World, address: HexAddress): Promise<bigint | undefined> {
  if (numberOf(address) === 0n) return undefined
  const entity = await world.entityAt(address)
  if (entity !== undefined) return entity.kind === 'account' || entity.kind === 'contract' ? entity.id : undefined
  // Contracts that this transaction itself created.
  return (await world.exists(address)) ? world.adopt(address) : undefined
}

/** The address under which an account is seen; zero for nobody. */
export async function addressOfAccount(world: World, account: bigint): Promise<HexAddress> {
  if (account === 0n) return longZeroOf(0n)
  const entity = await world.entityOf(account)
  return entity === undefined ? longZeroOf(account) : addressOf(entity)
}
