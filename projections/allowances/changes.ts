import { accountIdOf, type FindName } from '#projections/entity-ids/resolve.ts'
import type {
  AccountAmount,
  AccountID,
  CryptoApproveAllowanceTransactionBody,
  CryptoTransferTransactionBody,
  TransactionRecorded,
} from '#schemas/events/types.ts'
import { transactionType } from '#src/domain/transaction-types.ts'
import { accountNumber, numberOf, resolveAccount } from '#src/events/ids.ts'
import { hasMovedTokens, hasSucceeded } from '#src/events/success.ts'

/** Fields of a transaction that allowances depend on. */
export const allowanceFacts = [
  'type',
  'successful',
  'result',
  'consensusTimestamp',
  'payerAccountId',
  'cryptoApproveAllowance',
  'cryptoTransfer',
  'record',
] as const

type Facts = Pick<TransactionRecorded, (typeof allowanceFacts)[number]>

/** What happens to one allowance: it is granted anew, or something of it is spent. Amounts in tinybars or smallest units. */
export interface AllowanceChange {
  readonly owner: bigint
  readonly spender: bigint
  /** 0 for hbar. */
  readonly token: bigint
  readonly does: 'grant' | 'spend'
  readonly amount: bigint
}

const none: readonly AllowanceChange[] = []

/** What a transaction does to allowances, in order; nearly all are passed over with a look at their type or their entries. */
export function allowanceChanges(facts: Facts, find: FindName): readonly AllowanceChange[] {
  const { type, cryptoApproveAllowance: approval, cryptoTransfer: transfer } = facts
  if (type === transactionType.cryptoTransfer) return transfer === null ? none : spendings(transfer, facts, find)
  if (type !== transactionType.cryptoApproveAllowance || approval === null || !hasSucceeded(facts)) return none
  return grants(approval, facts, find)
}

/** In the order of the body: of entries for one allowance the last one wins. An amount of 0 revokes. */
function grants(
  { cryptoAllowances, tokenAllowances }: CryptoApproveAllowanceTransactionBody,
  facts: Facts,
  find: FindName,
): AllowanceChange[] {
  const hbar = cryptoAllowances.map((entry) => ({ ...entry, token: 0n }))
  const tokens = tokenAllowances
    .map((entry) => ({ ...entry, token: numberOf(entry.tokenId) }))
    .filter(({ token }) => token !== 0n)
  return [...hbar, ...tokens].flatMap(({ owner: named, spender: allowed, token, amount }) => {
    const owner = ownerOf(named, facts, find)
    const spender = accountIdOf(allowed, find, facts.consensusTimestamp)
    return owner === null || spender === null ? [] : [{ owner, spender, token, does: 'grant' as const, amount }]
  })
}

/** Whom the entry names, else who pays. Nothing is granted for a name that is nobody's. */
function ownerOf(
  named: AccountID | null,
  { payerAccountId, consensusTimestamp }: Facts,
  find: FindName,
): bigint | null {
  const { id, address } = resolveAccount(named)
  return id === null && address === null ? payerAccountId : accountIdOf(named, find, consensusTimestamp)
}

/** The body says what was approved; the record's amounts may have custom fees in them. */
function spendings(body: CryptoTransferTransactionBody, facts: Facts, find: FindName): readonly AllowanceChange[] {
  if (!hasSpending(body)) return none
  const hbar = (body.transfers?.accountAmounts ?? []).map((entry) => ({ ...entry, token: 0n }))
  const tokens = body.tokenTransfers
    .map(({ token, transfers }) => ({ token: numberOf(token), transfers }))
    .filter(({ token }) => token !== 0n)
    .flatMap(({ token, transfers }) => transfers.map((entry) => ({ ...entry, token })))
  const happened = [...(hasSucceeded(facts) ? hbar : []), ...(hasMovedTokens(facts) ? tokens : [])]
  const spender = spenderOf(facts)
  return happened.filter(isSpending).flatMap(({ accountID, token, amount }) => {
    const owner = accountIdOf(accountID, find, facts.consensusTimestamp)
    return owner === null ? [] : [{ owner, spender, token, does: 'spend' as const, amount: -amount }]
  })
}

/** Nearly no transfer has one, and is passed over with a look at the flags of its entries. */
function hasSpending({ transfers, tokenTransfers }: CryptoTransferTransactionBody): boolean {
  if (transfers?.accountAmounts.some(isSpending)) return true
  return tokenTransfers.some((ofToken) => ofToken.transfers.some(isSpending))
}

function isSpending({ isApproval, amount }: Pick<AccountAmount, 'isApproval' | 'amount'>): boolean {
  return isApproval && amount < 0n
}

/** Who pays, but where a contract makes the transfer: then whoever called the system's contract, as the result says. */
function spenderOf({ payerAccountId, record }: Facts): bigint {
  return accountNumber(record?.contractCallResult?.senderId ?? null) || payerAccountId
}
