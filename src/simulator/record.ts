import { touched } from '#src/simulator/changes.ts'
import type { Message } from '#src/simulator/codec.ts'
import { exchangeRates, ratesSetBy } from '#src/simulator/exchange-rates.ts'
import { defaultFee, feeShares } from '#src/simulator/fees.ts'
import { accountId, accounts, isAdministrator, tokenId } from '#src/simulator/ids.ts'
import type { LedgerChange } from '#src/simulator/ledger-change.ts'
import type { Movement, TokenMovement } from '#src/simulator/movement.ts'
import { payRewards } from '#src/simulator/staking.ts'
import { bodyFieldOf, type Submission, statusOf, succeeded } from '#src/simulator/submission.ts'
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
  const moves: Movement[] = [
    ...(fee > 0 ? ([[submission.payer, -fee], ...feeShares(fee, facts.node || accounts.firstNode)] as Movement[]) : []),
    ...moved,
  ]
  const rewards = payRewards(world, [
    ...moves,
    ...(success ? (submission.stakers ?? []) : []).map((num): Movement => [num, 0]),
  ])
  for (const [num, amount] of rewards) moves.push([num, amount], [accounts.stakingReward, -amount])
  const transfers = bookTransfers(world, moves)
  const tokens = success ? (submission.tokenMovements ?? []) : []
  const changes = success ? (submission.changes ?? []) : []
  // New rates count for the transaction that brings them.
  world.state.exchangeRates = ratesSetBy(changes) ?? world.state.exchangeRates
  if (world.observer) {
    world.observer.executed({
      time: facts.time,
      kind: bodyFieldOf(submission.body),
      success,
      hbar: transfers,
      tokens,
      rewards,
      changes: [...changes, ...(submission.lasting ?? []), ...rewards.map(([num]) => rewardChange(world, num))],
    })
  }
  return {
    receipt: {
      status: statusOf(submission),
      ...(facts.parent ? {} : { exchangeRate: world.state.exchangeRates ?? exchangeRates(facts.time) }),
      ...(success ? updatedAccount(submission) : {}),
      ...submission.receipt,
    },
    transactionHash: facts.hash,
    consensusTimestamp: facts.time,
    transactionID: facts.id,
    ...(submission.memo ? { memo: submission.memo } : {}),
    ...(fee > 0 ? { transactionFee: fee } : {}),
    transferList: { accountAmounts: transfers.map(accountAmount) },
    ...(tokens.length > 0 ? { tokenTransferLists: tokens.map(tokenTransferList) } : {}),
    ...(facts.parent ? { parentConsensusTimestamp: facts.parent } : {}),
    ...(rewards.length > 0 ? { paidStakingRewards: rewards.map(accountAmount) } : {}),
    ...submission.record,
  }
}

/** An update names its account in the receipt, too. */
function updatedAccount({ body }: Submission): Message {
  const { accountIDToUpdate } = (body['cryptoUpdateAccount'] ?? {}) as Message
  return accountIDToUpdate === undefined ? {} : { accountID: accountIDToUpdate }
}

/** A payer who has less than the fee is charged what is there, as the network does; its administrators pay nothing. */
function affordableFee(world: World, submission: Submission): number {
  if (isAdministrator(submission.payer)) return 0
  const fee = submission.fee ?? defaultFee(bodyFieldOf(submission.body))
  const balance = world.holder(submission.payer)?.balance
  return balance === undefined ? fee : Math.max(0, Math.min(fee, balance))
}

/** The period from which on the account's stake counts again. */
function rewardChange(world: World, num: number): LedgerChange {
  return touched(num, { stakePeriodStart: world.holder(num)?.staking?.periodStart ?? null })
}

/** One amount per account, by account number, without zeros. */
function bookTransfers(world: World, movements: readonly Movement[]): Movement[] {
  const sums = new Map<number, number>()
  for (const [num, amount] of movements) sums.set(num, (sums.get(num) ?? 0) + amount)
  const changes = [...sums].filter(([, amount]) => amount !== 0).sort(([left], [right]) => left - right)
  for (const [num, amount] of changes) {
    const holder = world.holder(num) ?? world.recentContract(num)
    if (holder) holder.balance += amount
  }
  return changes
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
