import type { EventOf } from '#schemas/events/types.ts'
import type { EventType } from '#src/events/event-types.ts'

/** An event that is not encoded yet. */
export type EventDraft = {
  readonly [T in EventType]: {
    readonly type: T
    readonly event: EventOf<T>
    readonly key: string
    /** ns */
    readonly time: bigint
  }
}[EventType]
