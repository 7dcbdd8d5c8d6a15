import type { Message } from '#src/simulator/codec.ts'
import type { LedgerChange } from '#src/simulator/ledger-change.ts'
import type { Movement, TokenMovement } from '#src/simulator/movement.ts'
import { type ResponseName, responseCodes } from '#src/simulator/response-codes.ts'
import type { Instant } from '#src/simulator/time.ts'
import type { World } from '#src/simulator/world.ts'

/** Identity of a transaction that does not get its own: children, scheduled executions. */
export interface TransactionIdentity {
  readonly payer: number
  readonly validStart: Instant
  readonly scheduled?: boolean
}

/**
 * One transaction as a kind plans it. What consensus adds (time, id, node, fee, hashes) comes when it is emitted. All
 * effects on the ledger state are made by the planner, except hbar movements, fees and rewards, which the emitter books.
 */
export interface Submission {
  /** Exactly one field: the TransactionBody's data. */
  readonly body: Message
  readonly payer: number
  /** Accounts that sign, besides the payer. */
  readonly signers?: readonly number[]
  /** Default SUCCESS. */
  readonly result?: ResponseName
  /** Tinybars; default by kind of body. */
  readonly fee?: number
  readonly memo?: string
  /** Further fields of the receipt, the record and the TransactionBody. */
  readonly receipt?: Message
  readonly record?: Message
  readonly header?: Message
  /** Hbar that moves besides fees and rewards; sums to zero. Ignored on failure. */
  readonly movements?: readonly Movement[]
  readonly tokenMovements?: readonly TokenMovement[]
  /** What else is different on the ledger when it succeeds, for those who watch. */
  readonly changes?: readonly LedgerChange[]
  /** The same, whether it succeeds or not. */
  readonly lasting?: readonly LedgerChange[]
  /** Whose staking choice changes, so that what they earned before is paid. */
  readonly stakers?: readonly number[]
  readonly identity?: TransactionIdentity
  /** Written by the network itself: no node, no fee, no signatures. */
  readonly system?: boolean
  /** Children whose consensus time comes before (no parent timestamp) and after (with it). */
  readonly preceding?: readonly Submission[]
  readonly following?: readonly Submission[]
  /** Transactions of an atomic batch. */
  readonly inner?: readonly Submission[]
  /** Sidecar records without their timestamp. */
  readonly sidecars?: readonly Message[]
  /** The hook that a call runs, of an account. */
  readonly hook?: { readonly owner: number; readonly id: number }
}

/** One transaction, or several in a row; undefined when the ledger holds nothing to do it with. */
export type Planned = Submission | readonly Submission[] | undefined

export type Kind = (world: World) => Planned

/** A kind that runs code of contracts. */
export type RunningKind = (world: World) => Promise<Planned>

/** Name of the body's data field, which is also the name of its type. */
export function bodyFieldOf(body: Message): string {
  const [field] = Object.keys(body)
  if (field === undefined) throw new TypeError('a transaction body without data')
  return field
}

export function succeeded({ result = 'SUCCESS' }: Submission): boolean {
  return result === 'SUCCESS' || result === 'FEE_SCHEDULE_FILE_PART_UPLOADED'
}

export function statusOf(submission: Submission): number {
  return responseCodes[submission.result ?? 'SUCCESS']
}
