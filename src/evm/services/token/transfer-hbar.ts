import { createAddressFromString } from '@ethereumjs/util'
import type { HexAddress } from '#src/evm/addresses.ts'
import type { ServiceCall } from '#src/evm/services/call.ts'
import { must } from '#src/evm/services/failed.ts'

/** Moves tinybar between two accounts that are there. */
export async function transferHbar(
  call: ServiceCall,
  from: HexAddress,
  to: HexAddress,
  amount: bigint,
  lacking = 'INSUFFICIENT_ACCOUNT_BALANCE',
): Promise<void> {
  await addHbar(call, from, -amount, lacking)
  await addHbar(call, to, amount, lacking)
}

/** Changes what an account has. */
export async function addHbar(call: ServiceCall, address: HexAddress, amount: bigint, lacking: string): Promise<void> {
  const { world } = call
  const place = createAddressFromString(address)
  const account = await world.getAccount(place)
  must(account !== undefined, 'INVALID_ACCOUNT_ID')
  if (amount < 0n) world.assertKnown('balance', address)
  account.balance += amount
  must(account.balance >= 0n, lacking)
  await world.putAccount(place, account)
}
