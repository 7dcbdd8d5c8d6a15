import { type Party, partyFlag } from '#projections/transactions/packing.ts'
import type { TokenMoves, TransactionFacts } from '#projections/transactions/render.ts'
import { sortFew } from '#src/domain/sort-few.ts'
import { tokenTypes, transactionType } from '#src/domain/transaction-types.ts'

/** Account create and update, the two kinds that may precede the transaction that caused them. */
const precedingTypes: ReadonlySet<number> = new Set([transactionType.cryptoCreate, transactionType.cryptoUpdate])

/**
 * The accounts that the account filter finds a transaction by, ascending, each with the way it takes part. The payer
 * counts only for the user's own transactions and those with a parent: what precedes its parent is shown with that.
 */
export function partiesOf(facts: TransactionFacts, { tokenTransfers }: TokenMoves): Party[] {
  const parties: MutableParty[] = []
  const { nonce, parentConsensusTimestamp, type, payerAccountId } = facts
  if (nonce === 0 || parentConsensusTimestamp !== null || precedingTypes.has(type))
    note(parties, payerAccountId, partyFlag.payer)
  for (const { accountId, amount, errata } of facts.transfers) {
    if (errata !== 'DELETE') note(parties, accountId, flagsOf(amount))
  }
  for (const { accountId, amount } of tokenTransfers) note(parties, accountId, flagsOf(amount))
  return sortFew(parties, (a, b) => (a.account < b.account ? -1 : 1))
}

interface MutableParty {
  readonly account: bigint
  flags: number
}

/** A linear search: a transaction touches some six accounts, and a map keyed by bigint costs more than it finds. */
function note(parties: MutableParty[], account: bigint, flags: number): void {
  for (const party of parties) {
    if (party.account === account) {
      party.flags |= flags
      return
    }
  }
  parties.push({ account, flags })
}

function flagsOf(amount: bigint): number {
  return partyFlag.transfer | (amount > 0n ? partyFlag.credit : amount < 0n ? partyFlag.debit : 0)
}

/** Accounts that occur in NFT transfers and nowhere else. */
export function nftOnlyParties({ nftTransfers }: TokenMoves, parties: readonly Party[]): Iterable<bigint> {
  if (nftTransfers.length === 0) return []
  const accounts = new Set<bigint>()
  for (const { senderAccountId, receiverAccountId } of nftTransfers) {
    if (senderAccountId) accounts.add(senderAccountId)
    if (receiverAccountId) accounts.add(receiverAccountId)
  }
  for (const { account } of parties) accounts.delete(account)
  return accounts
}

/** The tokens that a transaction moves, and the one that it creates or changes. */
export function tokensOf(
  { type, entityId }: TransactionFacts,
  { tokenTransfers, nftTransfers }: TokenMoves,
): Iterable<bigint> {
  const isOfToken = tokenTypes.has(type) && entityId !== null
  if (!isOfToken && tokenTransfers.length === 0 && nftTransfers.length === 0) return []
  const tokens = new Set<bigint>(isOfToken ? [entityId] : [])
  for (const { tokenId } of tokenTransfers) tokens.add(tokenId)
  for (const { tokenId } of nftTransfers) tokens.add(tokenId)
  return tokens
}
