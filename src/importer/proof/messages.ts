import { type ErrorCode, LedgerError } from '#src/domain/errors.ts'
import type { Ledger } from '#src/tss/ledger.ts'
import type { ProofJob, Verdict } from '#src/tss/proof-verifier.ts'

/** What a thread is started with. */
export interface ThreadData {
  readonly pairings: 'fast' | 'reference'
}

/** Jobs for one thread, which answers all of them at once. */
export interface Batch {
  /** Undefined: the same as before. */
  readonly ledger: Ledger | undefined
  readonly jobs: readonly ProofJob[]
}

export type Outcome = Verdict | LedgerError
type SentOutcome = Verdict | { readonly error: SentError }

interface SentError {
  readonly code: ErrorCode
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
}

export type FromThread =
  | { readonly kind: 'ready'; readonly library: string; readonly reason: string | undefined }
  | { readonly kind: 'done'; readonly outcomes: readonly SentOutcome[] }

/** An error loses its class on the way to another thread. */
export function sent(outcome: Outcome): SentOutcome {
  if (!(outcome instanceof LedgerError)) return outcome
  const { code, message, details } = outcome
  return { error: { code, message, details } }
}

export function received(outcome: SentOutcome): Outcome {
  if (!('error' in outcome)) return outcome
  const { code, message, details } = outcome.error
  return new LedgerError(code, message, details)
}
