import type { HexAddress } from '#src/evm/addresses.ts'
import type { LedgerState } from '#src/evm/ledger-state.ts'
import type { CallRequest, CallResult, CallSettings } from '#src/evm/run-call.ts'
import type { KnownFact } from '#src/evm/threads/known-facts.ts'
import type { RecordedCall } from '#src/evm/trace/recorded-calls.ts'
import type { ShownParts } from '#src/evm/trace/step-text.ts'

/** What a thread is to run. */
export interface CallJob {
  readonly kind: 'call' | 'estimate'
  readonly request: CallRequest
  readonly settings: CallSettings
}

/** A transaction that ran already, run again to tell each of its steps. */
export interface TraceJob {
  readonly kind: 'trace'
  readonly request: CallRequest
  readonly settings: CallSettings
  readonly shown: ShownParts
  /** Where the contract went that it created. */
  readonly newContract: HexAddress | undefined
  /** What was recorded of the network's own contracts; undefined where no trace was. */
  readonly recorded: readonly RecordedCall[] | undefined
  /** JSON text that the trace begins with. */
  readonly head: string
}

export type Job = CallJob | TraceJob

/** Of an estimate the gas; else what came of the call. */
export type CallOutcome = CallResult | bigint

/** Says whether more of it is wanted, once there is room for more. */
export type PartTaker = (part: Uint8Array) => Promise<boolean>

export type StateQuestion = keyof LedgerState

export interface ThreadError {
  /** Of the catalogue of errors; undefined for anything else. */
  readonly code: string | undefined
  readonly message: string
  readonly stack: string | undefined
}

export type ToCallThread =
  | { readonly kind: 'job'; readonly job: Job; readonly known: readonly KnownFact[] }
  | { readonly kind: 'told'; readonly question: number; readonly fact: unknown }
  | { readonly kind: 'untold'; readonly question: number; readonly error: ThreadError }
  /** A part was taken, and whether more is wanted. */
  | { readonly kind: 'taken'; readonly isWanted: boolean }

export type FromCallThread =
  | {
      readonly kind: 'ask'
      readonly question: number
      readonly about: StateQuestion
      readonly of: readonly unknown[]
    }
  /** Of a trace, compressed. */
  | { readonly kind: 'part'; readonly bytes: Uint8Array<ArrayBuffer> }
  /** undefined: it was all told in parts. */
  | { readonly kind: 'done'; readonly outcome: CallOutcome | undefined }
  | { readonly kind: 'failed'; readonly error: ThreadError }
