/** Names of the events of contract verification, apart from their schemas: see `status-event-types.ts`. */
export const verificationEventTypes = [
  'VerificationRequested',
  'SourcesFetched',
  'SourceFetchFailed',
  'CompilationSucceeded',
  'CompilationFailed',
  'ContractVerified',
  'MatchNotImproved',
  'VerificationRejected',
  'ChainForgotten',
] as const

export type VerificationEventType = (typeof verificationEventTypes)[number]
