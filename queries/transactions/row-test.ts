import { decodeNftTransfers, decodeParties, partyFlag } from '#projections/transactions/packing.ts'
import { transactionFlag, type transactionsSchema } from '#projections/transactions/schema.ts'
import { includes } from '#queries/common/range.ts'
import type { Criteria } from '#queries/transactions/criteria.ts'
import type { TransactionContext } from '#queries/transactions/reads.ts'
import type { RowOf } from '#src/ports/read-store.ts'

export const testedFields = ['consensusTimestamp', 'type', 'flags', 'parties', 'nftTransfers'] as const

type TestedRow = Pick<RowOf<typeof transactionsSchema, 'transactions'>, (typeof testedFields)[number]>
export type RowTest = (row: TestedRow) => boolean

/** All conditions but the time, on a row with the tested fields. */
export function rowTest({ accounts, sign, success, types }: Criteria, { settings }: TransactionContext): RowTest {
  const rowBit = sign === undefined ? 0 : transactionFlag[sign]
  const partyBit = sign === undefined ? 0 : partyFlag[sign]
  const oneOf = accounts?.oneOf && new Set(accounts.oneOf)
  const matches = (account: bigint): boolean =>
    oneOf?.has(account) ?? (accounts === undefined || includes(accounts.range, account))
  return ({ flags, type, parties, nftTransfers }) => {
    if (rowBit !== 0 && (flags & rowBit) === 0) return false
    if (success !== undefined && ((flags & transactionFlag.success) !== 0) !== success) return false
    if (types !== undefined && !types.matches(type)) return false
    if (accounts === undefined) return true
    if (
      decodeParties(parties).some(
        (party) => (partyBit === 0 || (party.flags & partyBit) !== 0) && matches(party.account),
      )
    )
      return true
    if (!settings.nftOnlyMatches || sign !== undefined) return false
    const matchesIfAny = (account: bigint | null): boolean => account !== null && matches(account)
    return decodeNftTransfers(nftTransfers).some(
      ({ senderAccountId, receiverAccountId }) => matchesIfAny(senderAccountId) || matchesIfAny(receiverAccountId),
    )
  }
}
