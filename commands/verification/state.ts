import type { VerificationEvent, VerificationEventData, VerifiedContract } from '#commands/verification/events.ts'
import { verificationEventTypes } from '#commands/verification/events.ts'
import { isProblemCode, type VerificationProblemCode } from '#src/domain/verification/problem.ts'
import type { DecisionPosition, RecordedDecision } from '#src/ports/decision-store.ts'

/** What an explorer published: what is shown of a contract that did not match. */
export type FetchedFacts = Pick<
  VerificationEventData<'SourcesFetched'>,
  'explorer' | 'compiler_version' | 'target_name' | 'target_path' | 'sources' | 'input'
>

/** A request that has not come to its end. */
export interface OpenRequest {
  readonly id: string
  readonly address: string
  readonly source: 'explorer' | 'caller'
  /** Hash of what is to be compiled; null until the explorer was asked. */
  readonly input: string | null
  readonly implementation: string | null
  readonly fetched: FetchedFacts | undefined
  /** Of its newest event; ms. */
  readonly movedAt: number
}

export interface FailedRequest {
  readonly code: VerificationProblemCode
  readonly message: string
  /** JSON. */
  readonly details: string | null
}

/** What came of a request: what is stored of the contract since, or why there is nothing of it. */
export interface RequestOutcome {
  readonly position: DecisionPosition
  readonly at: string
  readonly verified?: VerifiedContract
  readonly failed?: FailedRequest
  readonly fetched?: FetchedFacts | undefined
}

/** What is known of a contract from its stream. */
export interface ContractState {
  readonly revision: number | 'none'
  readonly open: OpenRequest | undefined
  /** The best match so far, and when the first one was stored. */
  readonly verified: VerifiedContract | undefined
  readonly outcomes: ReadonlyMap<string, RequestOutcome>
}

const nothing: ContractState = { revision: 'none', open: undefined, verified: undefined, outcomes: new Map() }
const types: ReadonlySet<string> = new Set(verificationEventTypes)

/** `forgottenAt`: what was verified before this position is verified no more. */
export function stateOf(decisions: readonly RecordedDecision[], forgottenAt: DecisionPosition): ContractState {
  let state = nothing
  for (const decision of decisions) {
    const { type, data, revision, position } = decision
    const after = types.has(type) ? evolve(state, { type, data } as VerificationEvent, decision) : state
    state = { ...after, verified: position > forgottenAt ? after.verified : undefined, revision }
  }
  return state
}

function evolve(state: ContractState, event: VerificationEvent, decision: RecordedDecision): ContractState {
  const at = event.data.at
  const movedAt = Date.parse(at)
  switch (event.type) {
    case 'VerificationRequested': {
      const { request_id: id, address, source, input } = event.data
      return { ...state, open: { id, address, source, input, implementation: null, fetched: undefined, movedAt } }
    }
    case 'SourcesFetched': {
      const { input, implementation } = event.data
      return { ...state, open: state.open && { ...state.open, input, implementation, fetched: event.data, movedAt } }
    }
    case 'CompilationSucceeded':
      return { ...state, open: state.open && { ...state.open, movedAt } }
    case 'ContractVerified':
      return ended({ ...state, verified: event.data }, event.data.request_id, { verified: event.data }, decision, at)
    case 'MatchNotImproved':
      return ended(state, event.data.request_id, { ...(state.verified && { verified: state.verified }) }, decision, at)
    case 'SourceFetchFailed':
    case 'CompilationFailed':
    case 'VerificationRejected': {
      const { request_id, code, message, details } = event.data
      const failed = { code: isProblemCode(code) ? code : ('internal' as const), message, details }
      return ended(state, request_id, { failed }, decision, at)
    }
    case 'ChainForgotten':
      return state
  }
}

function ended(
  state: ContractState,
  requestId: string,
  outcome: Pick<RequestOutcome, 'verified' | 'failed'>,
  { position }: RecordedDecision,
  at: string,
): ContractState {
  const fetched = state.open?.id === requestId ? state.open.fetched : undefined
  const outcomes = new Map(state.outcomes).set(requestId, { ...outcome, position, at, fetched })
  return { ...state, outcomes, open: state.open?.id === requestId ? undefined : state.open }
}
