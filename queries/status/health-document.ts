import type { LiveHealth, Measurement } from '#src/domain/status/live-health.ts'
import { formatInstant } from '#src/domain/status/zoned-time.ts'

/** What the process that answers measured last, of the components that it watches, as JSON. */
export function healthMembers({ components, completeUntil, leftOut }: LiveHealth = nothing, timeZone: string) {
  const measured = components.map(({ component_id, status, figures }) => ({
    component_id,
    status,
    figures: figures.map((figure) => figureDocument(figure, timeZone)),
  }))
  const until = completeUntil === undefined ? null : formatInstant(completeInstant(completeUntil), timeZone)
  return {
    complete_until: JSON.stringify(until),
    left_out: JSON.stringify(leftOut),
    components: JSON.stringify(measured),
  }
}

const nothing: LiveHealth = { components: [], completeUntil: undefined, leftOut: [] }

function figureDocument({ metric, value, position, at }: Measurement & { readonly metric: string }, timeZone: string) {
  const checked_at = formatInstant(new Date(at).toISOString(), timeZone)
  return { metric, value, position: position ?? null, checked_at }
}

/** Nanoseconds since the epoch, as an instant of milliseconds that is not later. */
export function completeInstant(nanoseconds: bigint): string {
  return new Date(Number(nanoseconds / 1_000_000n)).toISOString()
}
