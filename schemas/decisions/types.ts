import type { StatusEventData } from '#schemas/decisions/status.ts'
import { type StatusEventType, statusEventTypes } from '#schemas/decisions/status-event-types.ts'
import type { VerificationEventData } from '#schemas/decisions/verification.ts'
import { type VerificationEventType, verificationEventTypes } from '#schemas/decisions/verification-event-types.ts'
import type { DecisionMetadata } from '#src/ports/decision-store.ts'

/** Every kind of event on the decision side. */
export type DecisionType = StatusEventType | VerificationEventType
export const decisionTypes: readonly DecisionType[] = [...statusEventTypes, ...verificationEventTypes]

type DecisionData<T extends DecisionType> = T extends StatusEventType
  ? StatusEventData<T>
  : T extends VerificationEventType
    ? VerificationEventData<T>
    : never

/** What a fold of decisions sees of an event: its own fields, and who wrote it down when. */
export type DecisionOf<T extends DecisionType> = DecisionData<T> &
  Pick<DecisionMetadata, 'actor' | 'actor_role' | 'recorded_at' | 'command_id'> & {
    readonly stream: string
    /** Number of the event in its stream, from 0. */
    readonly revision: number
    /** Of all that was written down of it: another event has another. */
    readonly digest: string
  }
