import type { Account } from '#src/simulator/ledger-state.ts'
import type { World } from '#src/simulator/world.ts'

export interface NewAccount {
  readonly ecdsa: boolean
  /** `key`: the serialized key as alias, `address`: the 20-byte EVM address. */
  readonly alias: 'none' | 'key' | 'address'
  /** Busy from the start, or one of the bounded number of later comers. */
  readonly user?: boolean
}

const secp256k1KeyPrefix = Buffer.of(0x3a, 33)

/** Takes the next account number and remembers the account with balance 0; the record's transfers fill it. */
export function createAccount(world: World, { ecdsa, alias, user = false }: NewAccount): Account {
  const num = world.newEntity()
  const evmAddress = ecdsa && alias !== 'none' ? world.keys.evmAddress(num).toString('hex') : null
  const account: Account = {
    num,
    balance: 0,
    ecdsa,
    alias: alias === 'none' ? null : alias === 'address' ? evmAddress : keyAlias(world, num),
    evmAddress,
    stakedNode: null,
    rewardedPeriod: world.stakingPeriod - 1,
    ethereumNonce: 0,
    hookId: null,
  }
  if (user) world.addUser(account)
  else world.addGuest(account)
  return account
}

/** A key alias is the serialized Key message: here field 7 with 33 bytes. */
function keyAlias(world: World, num: number): string {
  return Buffer.concat([secp256k1KeyPrefix, world.keys.publicKey(num, true)]).toString('hex')
}
