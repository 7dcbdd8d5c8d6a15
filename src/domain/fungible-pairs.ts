import { compareIds } from '#src/domain/entity-id.ts'

/** What one account gains or loses of a token with a transaction. */
export interface AccountChange {
  /** Encoded entity id; 0 where only an alias names it. */
  readonly accountId: bigint
  readonly amount: bigint
}

/** So much went from one account to another. */
export interface TokenPayment {
  readonly sender: bigint
  readonly receiver: bigint
  /** Never negative. */
  readonly amount: bigint
}

interface Party {
  readonly accountId: bigint
  rest: bigint
}

/**
 * Who paid whom, from what the accounts of one token's list gained and lost: the largest sender pays the largest receiver until
 * one of them is done. The order of the list does not matter, no more payments come out than parties less one, and what one
 * side exceeds the other by is left out. An account that neither gains nor loses counts as a sender of nothing: it pays
 * 0 where it is its turn while a receiver still waits.
 */
export function paymentsOf(changes: readonly AccountChange[]): TokenPayment[] {
  if (changes.length === 2) return paymentsOfTwo(changes[0]!, changes[1]!)
  const senders = largestFirst(changes.filter(({ amount }) => amount <= 0n))
  const receivers = largestFirst(changes.filter(({ amount }) => amount > 0n))
  const payments: TokenPayment[] = []
  for (let from = 0, to = 0; from < senders.length && to < receivers.length; ) {
    const sender = senders[from]!
    const receiver = receivers[to]!
    const amount = lesser(sender.rest, receiver.rest)
    payments.push({ sender: sender.accountId, receiver: receiver.accountId, amount })
    sender.rest -= amount
    receiver.rest -= amount
    if (sender.rest === 0n) from += 1
    if (receiver.rest === 0n) to += 1
  }
  return payments
}

/** As most lists are. */
function paymentsOfTwo(one: AccountChange, other: AccountChange): TokenPayment[] {
  if (one.amount > 0n) return other.amount > 0n ? [] : [paymentFrom(other, one)]
  return other.amount > 0n ? [paymentFrom(one, other)] : []
}

function paymentFrom(sender: AccountChange, receiver: AccountChange): TokenPayment {
  return {
    sender: sender.accountId,
    receiver: receiver.accountId,
    amount: lesser(-sender.amount, receiver.amount),
  }
}

function largestFirst(changes: readonly AccountChange[]): Party[] {
  const parties = changes.map(({ accountId, amount }) => ({ accountId, rest: amount < 0n ? -amount : amount }))
  if (parties.length < 2) return parties
  return parties.sort((a, b) => (a.rest === b.rest ? compareIds(a.accountId, b.accountId) : a.rest > b.rest ? -1 : 1))
}

function lesser(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
