import type { TransactionRecorded } from '#schemas/events/types.ts'
import type { LogRecord } from '#src/ports/message-log.ts'
import { transaction } from '#test/projections/entities/story.ts'
import type { Sketch } from '#test/support/whole-event.ts'

const account = (accountNum: bigint) => ({ accountNum, alias: null })
const token = (tokenNum: bigint) => ({ tokenNum })

/** Whose is spent: by number, or by an alias. */
type Party = bigint | Buffer
const partyOf = (party: Party) => (typeof party === 'bigint' ? account(party) : { accountNum: null, alias: party })

/** Hbar where no token is given. */
export interface Entry {
  /** Who pays, where left out. */
  readonly owner?: Party
  readonly spender: Party
  readonly token?: bigint
  readonly amount: bigint
}

export function approved(
  time: bigint,
  payerAccountId: bigint,
  entries: readonly Entry[],
  facts: Sketch<TransactionRecorded> = {},
): LogRecord {
  const named = entries.map((entry) => ({
    owner: entry.owner === undefined ? null : partyOf(entry.owner),
    spender: partyOf(entry.spender),
    amount: entry.amount,
    tokenId: entry.token === undefined ? null : token(entry.token),
  }))
  const cryptoAllowances = named.filter(({ tokenId }) => tokenId === null).map(({ tokenId: _token, ...entry }) => entry)
  const tokenAllowances = named.filter(({ tokenId }) => tokenId !== null)
  return transaction(time, 48, null, {
    payerAccountId,
    cryptoApproveAllowance: { cryptoAllowances, tokenAllowances },
    ...facts,
  })
}

export interface Spending {
  readonly owner: Party
  readonly token?: bigint
  readonly amount: bigint
  readonly isApproval?: boolean
}

/** A transfer that takes the amounts from the owners. */
export function spent(
  time: bigint,
  payerAccountId: bigint,
  spendings: readonly Spending[],
  facts: Sketch<TransactionRecorded> = {},
): LogRecord {
  const entryOf = ({ owner, amount, isApproval = true }: Spending) => ({
    accountID: partyOf(owner),
    amount: -amount,
    isApproval,
  })
  const ofTokens = spendings.filter((each) => each.token !== undefined)
  return transaction(time, 14, null, {
    payerAccountId,
    cryptoTransfer: {
      transfers: { accountAmounts: spendings.filter((each) => each.token === undefined).map(entryOf) },
      tokenTransfers: ofTokens.map((each) => ({ token: token(each.token ?? 0n), transfers: [entryOf(each)] })),
    },
    ...facts,
  })
}

/** That a contract made the transfer on behalf of somebody. */
export const calledBy = (sender: bigint | null): Sketch<TransactionRecorded> => ({
  record: { contractCallResult: { senderId: sender === null ? null : account(sender) } },
})
