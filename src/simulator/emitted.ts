import type { Message } from '#src/simulator/codec.ts'
import type { Submission } from '#src/simulator/submission.ts'
import type { Instant } from '#src/simulator/time.ts'

/** A transaction that reached consensus, and what the network knows of it. */
export interface Emitted {
  readonly submission: Submission
  readonly time: Instant
  /** A SignedTransaction. */
  readonly signed: Uint8Array
  /** A TransactionRecord. */
  readonly record: Message
  /** Account of the node that it came through; 0: the network made it itself. */
  readonly node: number
  /** `top`: its family is named for it. `inner`: of a batch, whose body has its signed bytes. */
  readonly role: 'top' | 'child' | 'inner'
}

/** Takes what reaches consensus, in order, and writes it down in some form. */
export interface TransactionSink {
  add(transaction: Emitted): void
  /** All that belongs to one transaction was added; the state is what it is after that. */
  endFamily(): void
}
