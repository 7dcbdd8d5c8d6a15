import type { VerificationEvent, VerificationEventData, VerifiedContract } from '#commands/verification/events.ts'
import type { ContractState } from '#commands/verification/state.ts'

/** A request is made once, and not while another one is open: who asks then waits for that. */
export function decideRequest(
  { open, outcomes }: ContractState,
  data: VerificationEventData<'VerificationRequested'>,
): VerificationEvent[] {
  if (open !== undefined || outcomes.has(data.request_id)) return []
  return [{ type: 'VerificationRequested', data }]
}

/** What a step led to counts as long as nobody else has taken it. */
export function decideStep(
  { open }: ContractState,
  requestId: string,
  events: readonly VerificationEvent[],
): readonly VerificationEvent[] {
  return open?.id === requestId ? events : []
}

/** A match that is no better than what is stored is told, and replaces nothing. */
export function decideMatch({ verified }: ContractState, found: VerifiedContract): VerificationEvent {
  if (verified === undefined || isBetter(found, verified)) return { type: 'ContractVerified', data: found }
  const { chain, entity, request_id, at, match } = found
  return { type: 'MatchNotImproved', data: { chain, entity, request_id, at, match } }
}

type Matches = Pick<VerifiedContract, 'match' | 'runtime_match' | 'creation_match'>

const ranks = { perfect: 2, partial: 1 } as const
const rankOf = (match: keyof typeof ranks | null): number => (match === null ? 0 : ranks[match])

function isBetter(found: Matches, known: Matches): boolean {
  const [now, before] = [rankOf(found.match), rankOf(known.match)]
  if (now !== before) return now > before
  const both = ({ runtime_match, creation_match }: Matches) => rankOf(runtime_match) + rankOf(creation_match)
  return both(found) > both(known)
}
