import type { VerificationEventData } from '#schemas/decisions/verification.ts'
import type { VerificationEventType } from '#schemas/decisions/verification-event-types.ts'

export type { VerificationEventData } from '#schemas/decisions/verification.ts'
export { verificationEventTypes } from '#schemas/decisions/verification-event-types.ts'

export type VerificationEvent = {
  readonly [T in VerificationEventType]: { readonly type: T; readonly data: VerificationEventData<T> }
}[VerificationEventType]

export type VerifiedContract = VerificationEventData<'ContractVerified'>

/** Of one contract on one chain, whichever of its addresses somebody knows. */
export function contractStream(chain: string, entity: string): string {
  return `verification-${chain}-${entity}`
}

export function chainStream(chain: string): string {
  return `verification-chain-${chain}`
}
