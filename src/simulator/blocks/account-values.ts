import type { Message } from '#src/simulator/codec.ts'
import { accountId, accounts, contractId, firstUserEntity, hexBytes } from '#src/simulator/ids.ts'
import type { Account, Contract, Holder } from '#src/simulator/ledger-state.ts'
import type { World } from '#src/simulator/world.ts'

/** Balances of the accounts that the network begins with, of which its ledger keeps no count: tinybars as text by number. */
export type SystemBalances = Record<string, string>

/** Adds what a TransferList moves for the network's own accounts. */
export function bookSystemTransfers(balances: SystemBalances, transferList: Message): void {
  for (const { accountID, amount } of (transferList['accountAmounts'] ?? []) as Message[]) {
    const num = Number((accountID as Message)['accountNum'])
    if (num < firstUserEntity) balances[num] = String(BigInt(balances[num] ?? 0) + BigInt(amount as number))
  }
}

/**
 * The Account of a number as the network keeps it: who it is, whose, and what it has now. Undefined for those that the
 * network does not remember any more.
 */
export function accountValue(world: World, balances: SystemBalances, num: number): Message | undefined {
  const contract = world.recentContract(num)
  if (contract) return { ...holderValue(contract), ...contractFields(world, contract) }
  const account = world.account(num)
  if (account) return { ...holderValue(account), ...accountFields(world, account) }
  if (num >= firstUserEntity) return undefined
  return { accountId: accountId(num), key: world.keyOf(accounts.treasury), tinybarBalance: balances[num] ?? '0' }
}

function holderValue({ num, balance, staking }: Holder): Message {
  return {
    accountId: accountId(num),
    tinybarBalance: balance,
    stakePeriodStart: staking?.periodStart ?? -1,
    ...(staking?.node != null && staking.node >= 0 ? { stakedNodeId: staking.node } : {}),
    ...(staking?.account ? { stakedAccountId: accountId(staking.account) } : {}),
    ...(staking?.decline ? { declineReward: true } : {}),
  }
}

function accountFields(world: World, { num, alias, hollow, ethereumNonce }: Account): Message {
  return {
    key: hollow ? { keyList: {} } : world.keyOf(num),
    ...(alias === null ? {} : { alias: hexBytes(alias) }),
    ...(ethereumNonce === 0 ? {} : { ethereumNonce }),
  }
}

/** The alias of a contract is its address. */
function contractFields(world: World, { num, admin, evmAddress, nonce }: Contract): Message {
  return {
    key: admin === null ? { contractID: contractId(num) } : world.keyOf(admin),
    alias: hexBytes(evmAddress),
    smartContract: true,
    ethereumNonce: nonce,
  }
}
