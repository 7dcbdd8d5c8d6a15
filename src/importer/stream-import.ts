import type { LedgerError } from '#src/domain/errors.ts'

/** What one look at a stream came to: something was published, nothing new was there, or the end that was asked for is reached. */
export type PassOutcome = 'advanced' | 'idle' | 'ended'

export interface PassBounds {
  /** Milliseconds after which a pass ends that would wait for more; undefined: not before its source does. */
  readonly forMs?: number | undefined
}

/** One of the forms in which a network writes its history, as it is imported. */
export interface StreamImport {
  /** Where it is read from, for people. */
  readonly description: string
  /** Publishes what is new; rejects with what is in the way, once all before it is published. */
  pass(bounds: PassBounds): Promise<PassOutcome>
  /** That there is nothing to begin with, if so. */
  emptiness(): Promise<LedgerError | undefined>
  /** Resolves when there may be more, at the latest after so many milliseconds. */
  waitForChange(maxMs: number): Promise<void>
}
