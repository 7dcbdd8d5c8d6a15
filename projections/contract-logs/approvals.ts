import type { DraftLog } from '#projections/contract-logs/draft-log.ts'
import { approvalForAllLog, approvalLog, nftApprovalLog } from '#projections/contract-logs/synthetic-logs.ts'
import { accountIdOf, type FindName } from '#projections/entity-ids/resolve.ts'
import type {
  AccountID,
  CryptoApproveAllowanceTransactionBody,
  CryptoDeleteAllowanceTransactionBody,
} from '#schemas/events/types.ts'
import { numberOf } from '#src/events/ids.ts'

interface Approver {
  readonly payer: bigint
  readonly time: bigint
  readonly find: FindName
}

/** The owner that an entry names, the payer where it names none; null for one that does not exist. */
function ownerOf(owner: AccountID | null, { payer, time, find }: Approver): bigint | null {
  return owner === null || isUnset(owner) ? payer : accountIdOf(owner, find, time)
}

function isUnset({ accountNum, alias }: AccountID): boolean {
  return alias === null && (accountNum === null || accountNum === 0n)
}

/**
 * What an approval says to the EVM: first of NFTs, then of fungible tokens, each list of the body from its end, since the last
 * word on a matter is the one that counts.
 */
export function approvedLogs(body: CryptoApproveAllowanceTransactionBody, approver: Approver): DraftLog[] {
  const said = new Set<string>()
  const isFirst = (...matter: readonly (bigint | string)[]): boolean => {
    const key = matter.join('/')
    if (said.has(key)) return false
    said.add(key)
    return true
  }
  const logs: DraftLog[] = []
  for (const { owner: named, spender, tokenId, approvedForAll, serialNumbers } of body.nftAllowances.toReversed()) {
    const owner = ownerOf(named, approver)
    if (owner === null) continue
    const approval = { tokenId: numberOf(tokenId), owner, spender: accountIdOf(spender, approver.find, approver.time) }
    if (approvedForAll !== null && isFirst('all', owner, approval.spender ?? 0n, approval.tokenId))
      logs.push(approvalForAllLog(approval, approvedForAll))
    for (const serial of serialNumbers)
      if (isFirst('serial', approval.tokenId, serial) && approvedForAll === null)
        logs.push(nftApprovalLog(approval, serial))
  }
  for (const { owner: named, spender, tokenId, amount } of body.tokenAllowances.toReversed()) {
    const owner = ownerOf(named, approver)
    if (owner === null) continue
    const approval = { tokenId: numberOf(tokenId), owner, spender: accountIdOf(spender, approver.find, approver.time) }
    if (isFirst('token', owner, approval.spender ?? 0n, approval.tokenId)) logs.push(approvalLog(approval, amount))
  }
  return logs
}

/** Nobody may move these NFTs any more. */
export function withdrawnLogs(body: CryptoDeleteAllowanceTransactionBody, approver: Approver): DraftLog[] {
  return body.nftAllowances.flatMap(({ owner: named, tokenId, serialNumbers }) => {
    const owner = ownerOf(named, approver)
    if (owner === null) return []
    return serialNumbers.map((serial) => nftApprovalLog({ tokenId: numberOf(tokenId), owner, spender: null }, serial))
  })
}
