import type { Message } from '#src/simulator/codec.ts'
import { exchangeRates } from '#src/simulator/exchange-rates.ts'
import { defaultFee, feeShares } from '#src/simulator/fees.ts'
import { accountId, accounts, tokenId } from '#src/simulator/ids.ts'
import {
  bodyFieldOf,
  type Movement,
  type Submission,
  statusOf,
  succeeded,
  type TokenMovement,
} from '#src/simulator/submission.ts'
import type { Instant } from '#src/simulator/time.ts'
import type { World } from '#src/simulator/world.ts'

export interface RecordFacts {
  readonly time: Instant
  readonly hash: Uint8Array
  readonly id: Message
  readonly node: number
  readonly pays: boolean
  readonly parent?: Instant
}

/** The TransactionRecord of a submission. Books its hbar: fees, movements and staking rewards reach the balances. */
export function buildRecord(world: World, submission: Submission, facts: RecordFacts): Message {
  const success = succeeded(submission)
  const moved = success ? (submission.movements ?? []) : []
  const fee = facts.pays ? affordableFee(world, submission) : 0
  const rewards = success && facts.pays ? payRewards(world, [[submission.payer, 0], ...moved]) : []
  const rewardTotal = rewards.reduce((sum, [, amount]) => sum + amount, 0)
  const transfers = bookTransfers(world, [
    ...(fee > 0 ? ([[submission.payer, -fee], ...feeShares(fee, facts.node || accounts.firstNode)] as Movement[]) : []),
    ...moved,
    ...rewards,
    [accounts.stakingReward, -rewardTotal],
  ])
  return {
    receipt: {
      status: statusOf(submission),
      ...(facts.pays ? { exchangeRate: exchangeRates(facts.time) } : {}),
      ...submission.receipt,
    },
    transactionHash: facts.hash,
    consensusTimestamp: facts.time,
    transactionID: facts.id,
    ...(submission.memo ? { memo: submission.memo } : {}),
    ...(fee > 0 ? { transactionFee: fee } : {}),
    transferList: { accountAmounts: transfers },
    ...(success && submission.tokenMovements
      ? { tokenTransferLists: submission.tokenMovements.map(tokenTransferList) }
      : {}),
    ...(facts.parent ? { parentConsensusTimestamp: facts.parent } : {}),
    ...(rewards.length > 0 ? { paidStakingRewards: rewards.map(accountAmount) } : {}),
    ...submission.record,
  }
}

/** A payer who has less than the fee is charged what is there, as the network does. */
function affordableFee(world: World, submission: Submission): number {
  const fee = submission.fee ?? defaultFee(bodyFieldOf(submission.body))
  const balance = world.account(submission.payer)?.balance
  return balance === undefined ? fee : Math.max(0, Math.min(fee, balance))
}

/** Accounts that stake get a reward with the first transaction of theirs in a staking period. */
function payRewards(world: World, movements: readonly Movement[]): Movement[] {
  const period = world.stakingPeriod
  const rewards: Movement[] = []
  for (const [num] of movements) {
    const account = world.account(num)
    if (account?.stakedNode == null || account.rewardedPeriod >= period) continue
    const reward = Math.floor(account.balance / 20_000)
    if (reward === 0) continue
    account.rewardedPeriod = period
    rewards.push([num, reward])
  }
  return rewards
}

/** One amount per account, by account number, without zeros. */
function bookTransfers(world: World, movements: readonly Movement[]): Message[] {
  const sums = new Map<number, number>()
  for (const [num, amount] of movements) sums.set(num, (sums.get(num) ?? 0) + amount)
  const changes = [...sums].filter(([, amount]) => amount !== 0).sort(([left], [right]) => left - right)
  for (const [num, amount] of changes) {
    const account = world.account(num)
    if (account) account.balance += amount
  }
  return changes.map(accountAmount)
}

function accountAmount([num, amount]: Movement): Message {
  return { accountID: accountId(num), amount }
}

function tokenTransferList({ token, transfers = [], nfts = [] }: TokenMovement): Message {
  return {
    token: tokenId(token),
    transfers: transfers.map(accountAmount),
    nftTransfers: nfts.map(({ serial, sender, receiver }) => ({
      ...(sender === 0 ? {} : { senderAccountID: accountId(sender) }),
      ...(receiver === 0 ? {} : { receiverAccountID: accountId(receiver) }),
      serialNumber: serial,
    })),
  }
}
