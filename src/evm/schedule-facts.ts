import type { TokenFacts, TokenKeyKind } from '#src/evm/token-facts.ts'

/** A simple key that signed. */
export type Signatory =
  | {
      readonly kind: 'ed25519' | 'secp256k1' /** What the public key begins with, usually all of it. */
      readonly prefix: Uint8Array
    }
  | { readonly kind: 'contract'; readonly contract: bigint }

/** What a schedule is to run, in what matters to contracts. Ids are numbers of entities. */
export interface ScheduledFacts {
  /** As SchedulableTransactionBody names it. */
  readonly kind: string
  /** What a contract call may use; 0 of anything else. */
  readonly gas: bigint
  /** Of a creation: the token, without a number. It expires at 0 where that is not asked. */
  readonly token?: TokenFacts
  /** Who has to sign beside the payer; undefined where that does not follow from it. */
  readonly signers: Signers | undefined
}

export interface Signers {
  readonly accounts: readonly bigint[]
  /** Serialized. */
  readonly keys: readonly Uint8Array[]
  readonly tokenKeys: readonly { readonly token: bigint; readonly kind: TokenKeyKind }[]
}

/** A schedule as of an instant. Ids are numbers of entities, 0 for nobody. */
export interface ScheduleFacts {
  readonly id: bigint
  readonly payer: bigint
  /** Serialized Key of who may delete it; null where nobody may. */
  readonly adminKey: Uint8Array | null
  readonly expirySeconds: bigint
  /** It runs when it expires, and not as soon as all have signed. */
  readonly waits: boolean
  readonly end: 'executed' | 'deleted' | undefined
  readonly signatories: readonly Signatory[]
  readonly scheduled: ScheduledFacts
}

/** What is to run in one second. */
export interface SecondFacts {
  readonly transactions: bigint
  readonly gas: bigint
}

/** Schedules as of the instant of a call. */
export interface ScheduleLedger {
  /** undefined where there never was one. */
  schedule(id: bigint): Promise<ScheduleFacts | undefined>
  /** What schedules were made for a second. */
  scheduledAt(second: bigint): Promise<SecondFacts>
}

/** Nobody but the payer. */
export const noSigners: Signers = { accounts: [], keys: [], tokenKeys: [] }
