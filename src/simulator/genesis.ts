import { created, keyHex } from '#src/simulator/changes.ts'
import { accountId, accounts, administrators } from '#src/simulator/ids.ts'
import { openingNodes } from '#src/simulator/kinds/node.ts'
import { openingBlockNodes } from '#src/simulator/kinds/registered-node.ts'
import type { Submission } from '#src/simulator/submission.ts'
import type { World } from '#src/simulator/world.ts'

/** Tinybars: all hbar that there ever is, 50 billion. Larger than 2^53, but a double holds this number exactly. */
export const totalSupply = 5_000_000_000_000_000_000
/** Tinybars that rewards are paid from at the start. */
const rewardFund = 6_200_000_000_000_000
const autoRenewSeconds = 7_776_000

/**
 * What a network writes down before its first transaction: the accounts that are there from the start, with the whole
 * supply as amounts that come from nowhere, and its nodes.
 */
export function genesis(world: World): Submission[] {
  const nodes = Array.from({ length: world.options.nodes }, (_, node) => accounts.firstNode + node)
  const funds = [accounts.networkFee, accounts.stakingReward, accounts.nodeReward, accounts.feeCollection]
  const nums = new Set<number>([accounts.treasury, ...nodes, ...administrators, ...funds])
  const ordered = [...nums].sort((left, right) => left - right)
  return [...ordered.map((num) => systemAccount(world, num)), ...openingNodes(world), ...openingBlockNodes(world)]
}

function systemAccount(world: World, num: number): Submission {
  const key = world.keyOf(accounts.treasury)
  const opening = openingBalance(num)
  const facts = { type: 'ACCOUNT' as const, key: keyHex(key), autoRenewSeconds, receiverSigRequired: false }
  return {
    body: {
      cryptoCreateAccount: {
        key,
        autoRenewPeriod: { seconds: autoRenewSeconds },
        ...(opening === 0 ? {} : { initialBalance: opening }),
      },
    },
    payer: accounts.treasury,
    system: true,
    memo: 'Synthetic system creation',
    receipt: { accountID: accountId(num) },
    changes: [created(num, { ...facts, maxAutomaticAssociations: 0 })],
    movements: opening === 0 ? [] : [[num, opening]],
  }
}

function openingBalance(num: number): number {
  if (num === accounts.treasury) return totalSupply - rewardFund
  return num === accounts.stakingReward ? rewardFund : 0
}
