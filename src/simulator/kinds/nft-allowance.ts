import { nftApproved } from '#src/simulator/changes.ts'
import { accountId, tokenId, wrapped } from '#src/simulator/ids.ts'
import type { LedgerChange } from '#src/simulator/ledger-change.ts'
import type { Kind, Submission } from '#src/simulator/submission.ts'

interface ForAll {
  readonly owner: number
  readonly spender: number
  readonly token: number
}

/**
 * An owner approves a spender for all serials of a collection, who approves another account for one of them in the owner's
 * name. Half of the owners take the first approval back at once; the second one stays.
 */
export const nftApproveForAll: Kind = (world) => {
  const token = world.token((candidate) => !candidate.paused && candidate.nfts.length > 0)
  const nft = world.some(token?.nfts ?? [])
  if (!token || !nft) return undefined
  const { owner, serial } = nft
  const spender = world.userOtherThan(owner).num
  const delegate = world.userOtherThan(spender).num
  const forAll = { owner, spender, token: token.num }
  const approved = submission(forAll, true)
  if (delegate === owner) return approved
  nft.spender = delegate
  const delegated: Submission = {
    body: {
      cryptoApproveAllowance: {
        nftAllowances: [
          {
            tokenId: tokenId(token.num),
            owner: accountId(owner),
            spender: accountId(delegate),
            serialNumbers: [serial],
            delegatingSpender: accountId(spender),
          },
        ],
      },
    },
    payer: spender,
    changes: [nftApproved(token.num, serial, delegate, spender)],
  }
  return [approved, delegated, ...(world.prng.chance(0.5) ? [submission(forAll, false)] : [])]
}

function submission({ owner, spender, token }: ForAll, approved: boolean): Submission {
  const entry = { tokenId: tokenId(token), owner: accountId(owner), spender: accountId(spender) }
  const change: LedgerChange = { table: 'nftAllowances', key: `${owner}/${spender}/${token}`, set: { approved } }
  return {
    body: { cryptoApproveAllowance: { nftAllowances: [{ ...entry, approvedForAll: wrapped(approved) }] } },
    payer: owner,
    changes: [change],
  }
}
