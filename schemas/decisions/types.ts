import type { StatusEventData } from '#schemas/decisions/status.ts'
import { type StatusEventType, statusEventTypes } from '#schemas/decisions/status-event-types.ts'
import type { DecisionMetadata } from '#src/ports/decision-store.ts'

/** Every kind of event on the decision side. */
export type DecisionType = StatusEventType
export const decisionTypes: readonly DecisionType[] = statusEventTypes

/** What a fold of decisions sees of an event: its own fields, and who wrote it down when. */
export type DecisionOf<T extends DecisionType> = StatusEventData<T> &
  Pick<DecisionMetadata, 'actor' | 'actor_role' | 'recorded_at' | 'command_id'> & {
    readonly stream: string
    /** Number of the event in its stream, from 0. */
    readonly revision: number
    /** Of all that was written down of it: another event has another. */
    readonly digest: string
  }
