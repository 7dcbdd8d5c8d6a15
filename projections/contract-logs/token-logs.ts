import type { DraftLog } from '#projections/contract-logs/draft-log.ts'
import { type FindAddress, fungibleTransferLog, nftTransferLog } from '#projections/contract-logs/synthetic-logs.ts'
import type { NftTransferEntry, TokenTransferEntry, TransactionRecorded } from '#schemas/events/types.ts'
import { compareIds } from '#src/domain/entity-id.ts'
import { paymentsOf, type TokenPayment } from '#src/domain/fungible-pairs.ts'
import { transactionType } from '#src/domain/transaction-types.ts'

export type TokenFacts = Pick<TransactionRecorded, 'type' | 'tokenTransfers' | 'nftTransfers'>

/** Types that give tokens to accounts or take them away, instead of moving them: each entry is a movement of its own. */
const supplyTypes: ReadonlySet<number> = new Set([
  transactionType.tokenCreate,
  transactionType.tokenMint,
  transactionType.tokenBurn,
  transactionType.tokenWipe,
])

interface TokenLogOptions {
  /** The transaction is part of a contract's call, or one. */
  readonly ofCall: boolean
  readonly find: FindAddress
}

/**
 * What the movements of tokens say to the EVM, list by list as the record has them: lists are in the order of their tokens, and a
 * token is either fungible or not. The EVM itself has told of NFTs that a call moved.
 */
export function tokenLogs(facts: TokenFacts, { ofCall, find }: TokenLogOptions): DraftLog[] {
  const logs: DraftLog[] = []
  const fungible = byToken(facts.tokenTransfers)
  const nfts = ofCall ? [] : byToken(facts.nftTransfers)
  for (let at = 0, nftsAt = 0; at < fungible.length || nftsAt < nfts.length; ) {
    const list = fungible[at]
    const nftList = nfts[nftsAt]
    if (list && !(nftList && compareIds(nftList.tokenId, list.tokenId) < 0)) {
      for (const payment of fungiblePayments(list, facts.type))
        logs.push(fungibleTransferLog(list.tokenId, payment, ofCall, find))
      at += 1
    } else if (nftList) {
      for (const entry of nftList.entries) logs.push(nftTransferLog(movementOf(entry)))
      nftsAt += 1
    }
  }
  return logs
}

/** How many tokens move: the lists that the record has of them. */
export function movedTokens({ tokenTransfers, nftTransfers }: TokenFacts): number {
  return new Set([...tokenTransfers, ...nftTransfers].map(({ tokenId }) => tokenId)).size
}

interface TokenList<T> {
  readonly tokenId: bigint
  readonly entries: T[]
}

function byToken<T extends { readonly tokenId: bigint }>(entries: readonly T[]): TokenList<T>[] {
  const lists: TokenList<T>[] = []
  for (const entry of entries) {
    const last = lists.at(-1)
    if (last?.tokenId === entry.tokenId) last.entries.push(entry)
    else lists.push({ tokenId: entry.tokenId, entries: [entry] })
  }
  return lists
}

function fungiblePayments({ entries }: TokenList<TokenTransferEntry>, type: number): TokenPayment[] {
  if (!supplyTypes.has(type)) return paymentsOf(entries)
  return entries.flatMap(({ accountId, amount }) => {
    if (amount === 0n) return []
    return amount < 0n
      ? { sender: accountId, receiver: 0n, amount: -amount }
      : { sender: 0n, receiver: accountId, amount }
  })
}

function movementOf({ tokenId, senderAccountId, receiverAccountId, serialNumber }: NftTransferEntry) {
  return { tokenId, sender: senderAccountId, receiver: receiverAccountId, serial: serialNumber }
}
