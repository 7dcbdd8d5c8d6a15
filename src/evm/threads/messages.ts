import type { AccessListEntry } from '#src/evm/access-lists.ts'
import type { HexAddress } from '#src/evm/addresses.ts'
import type { CallRequest, CallResult, CallSettings } from '#src/evm/call-request.ts'
import type { AccessOutcome } from '#src/evm/find-access.ts'
import type { LedgerState } from '#src/evm/ledger-state.ts'
import type { SimulatedBlock, SimulatedCall } from '#src/evm/simulate.ts'
import type { KnownFact } from '#src/evm/threads/known-facts.ts'
import type { RecordedCall } from '#src/evm/trace/recorded-calls.ts'
import type { ShownParts } from '#src/evm/trace/step-text.ts'

/** What a thread is to run. */
export interface CallJob {
  readonly kind: 'call' | 'estimate'
  readonly request: CallRequest
  readonly settings: CallSettings
}

/** A call that also tells what it touched. */
export interface AccessJob {
  readonly kind: 'access'
  readonly request: CallRequest
  readonly settings: CallSettings
  readonly isEstimate: boolean
}

/** Several calls, each on what those before it left. */
export interface SimulateJob {
  readonly kind: 'simulate'
  readonly blocks: readonly SimulatedBlock[]
  readonly settings: CallSettings
  readonly tracesTransfers: boolean
}

/** A call whose calls are told in parts. */
export interface ActionsJob {
  readonly kind: 'actions'
  readonly request: CallRequest
  readonly settings: CallSettings
  readonly onlyTopCall: boolean
}

/** A transaction that ran already, run again. */
interface ReplayJob {
  readonly request: CallRequest
  readonly settings: CallSettings
  /** Where the contract went that it created. */
  readonly newContract: HexAddress | undefined
  /** What was recorded of the network's own contracts; undefined where no trace was. */
  readonly recorded: readonly RecordedCall[] | undefined
}

/** Tells each of its steps in parts. */
export interface TraceJob extends ReplayJob {
  readonly kind: 'trace'
  readonly shown: ShownParts
  /** JSON text that the trace begins with. */
  readonly head: string
}

/** Tells what it touched. */
export interface TouchedJob extends ReplayJob {
  readonly kind: 'touched'
}

export type Job = CallJob | AccessJob | SimulateJob | ActionsJob | TraceJob | TouchedJob

/** Of an estimate the gas; else what came of the call. */
export type CallOutcome = CallResult | bigint

/** What came of a call that is told in parts, and whether any was: none is of a call that was refused. */
export interface ToldOutcome {
  readonly result: CallResult
  readonly isTold: boolean
}

interface Outcomes {
  readonly call: CallOutcome
  readonly estimate: CallOutcome
  readonly access: AccessOutcome
  readonly simulate: readonly SimulatedCall[]
  readonly actions: ToldOutcome
  /** It was all told in parts. */
  readonly trace: undefined
  readonly touched: readonly AccessListEntry[]
}

export type OutcomeOf<J extends Job> = Outcomes[J['kind']]

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
  /** It has loaded all that it needs. */
  | { readonly kind: 'ready' }
  | {
      readonly kind: 'ask'
      readonly question: number
      readonly about: StateQuestion
      readonly of: readonly unknown[]
    }
  /** Of what is told in parts, compressed. */
  | { readonly kind: 'part'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'done'; readonly outcome: OutcomeOf<Job> }
  | { readonly kind: 'failed'; readonly error: ThreadError }
