import type { Topics } from '#projections/contract-logs/packing/digits.ts'

/** Where a log comes from, which decides where it is shown and whether it is. */
export const draftKind = {
  /** Recorded: a contract logged it. */
  real: 0,
  /** Made for a transfer, mint, burn, wipe or approval. */
  synthetic: 1,
  /** Made for fungible tokens that moved within a contract's call: before version 0.71 the network logged none itself. */
  syntheticOfCall: 2,
  /** Made for all NFTs that an account has of a token, as when a token gets another treasury: none of them is named. */
  syntheticOfAll: 3,
} as const

export type DraftKind = (typeof draftKind)[keyof typeof draftKind]

/** A log of a transaction before its block is complete: then it gets its place. */
export interface DraftLog {
  readonly kind: DraftKind
  readonly contractId: bigint
  readonly topics: Topics
  /** Hex digits. */
  readonly data: string
  /** Packed by packRecordedBloom; null where it follows from address and topics. */
  readonly bloom: string | null
}
