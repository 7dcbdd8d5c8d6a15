import type {
  AccountAmount,
  CryptoTransferTransactionBody,
  NftTransfer,
  NftTransferEntry,
  TokenTransferEntry,
  TokenTransferList,
  TransferEntry,
} from '#schemas/events/types.ts'
import { accountNumber, losesAccount, numberOf, orNull } from '#src/events/ids.ts'

type Losses = string[]

/** Hbar movements of the record; a debit is by allowance when the body lists the same account and amount as such. */
export function hbarTransfers(
  listed: readonly AccountAmount[],
  body: CryptoTransferTransactionBody | null | undefined,
  losses: Losses,
): TransferEntry[] {
  const approvals = approvalsOf(body?.transfers?.accountAmounts)
  return listed.map((item) => {
    noteLosses(item, losses)
    const accountId = accountNumber(item.accountID)
    const { amount } = item
    const isApproval =
      amount < 0n && approvals !== undefined && (sameMovement(approvals, accountId, amount)?.isApproval ?? false)
    return { accountId, amount, isApproval, errata: null }
  })
}

/** Movements of fungible tokens. */
export function tokenTransfers(
  lists: readonly TokenTransferList[],
  body: CryptoTransferTransactionBody | null | undefined,
  losses: Losses,
): TokenTransferEntry[] {
  const entries: TokenTransferEntry[] = []
  for (const list of lists) {
    const tokenId = numberOf(list.token)
    if (list.expectedDecimals !== null) losses.push('expected decimals in a record')
    const requested = list.transfers.length > 0 ? approvalsOf(bodyTransfers(body, tokenId)) : undefined
    for (const item of list.transfers) {
      noteLosses(item, losses)
      const { amount } = item
      const isApproval = amount < 0n && requested !== undefined && tokenApproval(requested, item)
      entries.push({ tokenId, accountId: accountNumber(item.accountID), amount, isApproval })
    }
  }
  return entries
}

/** Movements of NFTs; without a sender a mint, without a receiver a burn. */
export function nftTransfers(
  lists: readonly TokenTransferList[],
  body: CryptoTransferTransactionBody | null | undefined,
  losses: Losses,
): NftTransferEntry[] {
  const entries: NftTransferEntry[] = []
  for (const list of lists) {
    if (list.nftTransfers.length === 0) continue
    const tokenId = numberOf(list.token)
    const requested = bodyNftTransfers(body, tokenId).filter((item) => item.isApproval)
    for (const item of list.nftTransfers) {
      if (losesAccount(item.senderAccountID) || losesAccount(item.receiverAccountID))
        losses.push('an NFT transfer of an alias')
      if (hasNftHook(item)) losses.push('hook calls in a record')
      entries.push({
        tokenId,
        serialNumber: item.serialNumber,
        senderAccountId: orNull(accountNumber(item.senderAccountID)),
        receiverAccountId: orNull(accountNumber(item.receiverAccountID)),
        isApproval: requested.length > 0 && requested.some((other) => sameNft(item, other)),
      })
    }
  }
  return entries
}

/** The entries of a body, or undefined when none of them is by allowance, so that nothing need be compared. */
function approvalsOf(requested: readonly AccountAmount[] | undefined): readonly AccountAmount[] | undefined {
  return requested?.some((item) => item.isApproval) ? requested : undefined
}

function sameMovement(items: readonly AccountAmount[], accountId: bigint, amount: bigint): AccountAmount | undefined {
  return items.find((item) => item.amount === amount && isAccount(item, accountId))
}

/** An alias in a body never equals the number in a record. */
function isAccount(item: AccountAmount, accountId: bigint): boolean {
  return item.accountID !== null && item.accountID.accountNum !== null && accountNumber(item.accountID) === accountId
}

/** An entry equal in everything decides; without one, any entry of the account by allowance does. */
function tokenApproval(requested: readonly AccountAmount[], item: AccountAmount): boolean {
  const accountId = accountNumber(item.accountID)
  const mine = requested.filter((other) => isAccount(other, accountId))
  const equal = mine.find(
    (other) => other.amount === item.amount && other.isApproval === item.isApproval && !hasHook(other),
  )
  return equal ? equal.isApproval : mine.some((other) => other.isApproval)
}

function bodyTransfers(body: CryptoTransferTransactionBody | null | undefined, tokenId: bigint): AccountAmount[] {
  return (body?.tokenTransfers ?? [])
    .filter((list) => numberOf(list.token) === tokenId)
    .flatMap((list) => list.transfers)
}

function bodyNftTransfers(body: CryptoTransferTransactionBody | null | undefined, tokenId: bigint): NftTransfer[] {
  return (body?.tokenTransfers ?? [])
    .filter((list) => numberOf(list.token) === tokenId)
    .flatMap((list) => list.nftTransfers)
}

function sameNft(item: NftTransfer, other: NftTransfer): boolean {
  return (
    item.serialNumber === other.serialNumber &&
    accountNumber(item.senderAccountID) === accountNumber(other.senderAccountID) &&
    accountNumber(item.receiverAccountID) === accountNumber(other.receiverAccountID)
  )
}

function noteLosses(item: AccountAmount, losses: Losses): void {
  if (losesAccount(item.accountID)) losses.push('a transfer of an alias')
  if (hasHook(item)) losses.push('hook calls in a record')
}

function hasHook(item: AccountAmount): boolean {
  return item.preTxAllowanceHook !== null || item.prePostTxAllowanceHook !== null
}

function hasNftHook(item: NftTransfer): boolean {
  return (
    item.preTxSenderAllowanceHook !== null ||
    item.prePostTxSenderAllowanceHook !== null ||
    item.preTxReceiverAllowanceHook !== null ||
    item.prePostTxReceiverAllowanceHook !== null
  )
}

/** Records of mainnet's first weeks list the movements of failed transfers as if they had happened. */
export const lastErroneousTime = 1_577_836_799_000_000_000n

/** Marks those movements: they equal an entry of the body. Reads the event's own fields only. */
export function markErroneousTransfers(
  event: { consensusTimestamp: bigint; successful: boolean | null; transfers: TransferEntry[] },
  body: CryptoTransferTransactionBody,
): void {
  if (event.successful !== false || event.consensusTimestamp >= lastErroneousTime) return
  for (const transfer of event.transfers) {
    const requested = sameMovement(body.transfers?.accountAmounts ?? [], transfer.accountId, transfer.amount)
    if (!requested) continue
    transfer.errata = 'DELETE'
    transfer.isApproval = requested.isApproval
  }
}
