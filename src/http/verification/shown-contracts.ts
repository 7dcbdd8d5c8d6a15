import type { FoundContract } from '#commands/verification/contract-codes.ts'
import { findSimilar, findVerified, type Verified } from '#queries/verification/find-verified.ts'
import { checksumAddress } from '#src/domain/verification/checksum-address.ts'
import { isVerificationProblem } from '#src/domain/verification/problem.ts'
import type { ServedReads } from '#src/http/verification/served-reads.ts'
import type { Asked, Verifier } from '#src/http/verification/verifier.ts'

/** What is known of a contract that somebody asks about. */
export interface ShownContract {
  readonly contract: FoundContract
  /** As it was asked for, with its checksum. */
  readonly address: string
  readonly verified: Verified
  readonly match: 'perfect' | 'partial'
  /** Whose verification it is, where it is a clone's. */
  readonly similarTo?: string
}

/** Finds what is verified, clones included; undefined for what is not, or is nothing at all. */
export async function findShown(
  { verifier, reads }: { readonly verifier: Verifier; readonly reads: ServedReads },
  asked: Asked,
): Promise<ShownContract | undefined> {
  const located = await verifier.locate(asked).catch((error: unknown) => {
    if (isVerificationProblem(error)) return undefined
    throw error
  })
  if (located === undefined) return undefined
  const { chain, entity, code } = located.contract
  return reads.verified(async (rows) => {
    const own = await findVerified(rows, chain, entity)
    if (own !== undefined) return { ...located, verified: own, match: matchOf(own.match) }
    const similar = await findSimilar(rows, chain, code.runtime ?? Buffer.alloc(0))
    if (similar === undefined) return undefined
    const { verified, isSame } = similar
    // Names and comments are proved by a hash in the code, which has to be the same for that.
    const match = isSame ? matchOf(verified.runtimeMatch) : 'partial'
    return { ...located, verified, match, similarTo: checksumAddress(verified.address) }
  })
}

function matchOf(text: string | null): 'perfect' | 'partial' {
  return text === 'perfect' ? 'perfect' : 'partial'
}
