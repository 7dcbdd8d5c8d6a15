import type { Position } from '#src/ports/message-log.ts'

/** Further behind than this counts as catching up rather than following. */
export const followingLagMax = 20_000

/** What one process does with an instance. `waiting`: for another owner, the log or the store. */
export type InstanceState = 'waiting' | 'catching_up' | 'following' | 'rebuilding' | 'failed'

/** One instance of a read model that a process keeps up to date, or would if another did not. */
export interface RunningInstance {
  readonly name: string
  /** Id within the read model. */
  readonly id: string
  readonly version: number
  readonly build: number
  /** Log generation that it is folded from. */
  readonly generation: number
  readonly state: InstanceState
  /** Number of its ownership; null while it is not ours. */
  readonly epoch: number | null
  /** Committed position, and the newest sequence of the log known to it. */
  readonly position: Position
  readonly head: Position
  readonly eventsPerSecond: number
  /** What it waits for, or failed of. */
  readonly problem?: string
}
