import { effectiveStatus } from '#src/domain/status/effective-status.ts'
import type { ComponentStatus } from '#src/domain/status/words.ts'

export type SpanSource = 'manual' | 'incident' | 'maintenance' | 'health'

/** What one source says of a component. */
export interface StatusSource {
  readonly source: SpanSource
  /** Of the incident or maintenance; empty for others. */
  readonly id: string
  readonly status: ComponentStatus
  /** Whether what health rules say does not count meanwhile. */
  readonly masks: boolean
  /** Instant. */
  readonly from: string
}

/** What an incident or a maintenance says of one component. */
export interface ConcernedComponent {
  readonly id: string
  /** `operational`: it is no longer concerned. */
  readonly status: ComponentStatus
  /** Instant. */
  readonly from: string
}

export interface AffectedComponent {
  readonly code: string
  readonly name: string
  readonly old_status: string
  readonly new_status: string
}

/** What stands in a column of packed values is what `pack` of the same type put there. */
export function unpack<T extends StatusSource | ConcernedComponent | AffectedComponent | string>(text: string): T[] {
  return JSON.parse(text) as T[]
}

export function pack<T extends StatusSource | ConcernedComponent | AffectedComponent | string>(
  values: readonly T[],
): string {
  return JSON.stringify(values)
}

/** What shows of a component, from what each source says. */
export function shownStatus(sources: readonly Pick<StatusSource, 'source' | 'status' | 'masks'>[]): ComponentStatus {
  if (sources.length === 0) return 'operational'
  const of = (wanted: SpanSource) => sources.filter(({ source }) => source === wanted)
  return effectiveStatus({
    manual: of('manual')[0]?.status,
    incidents: of('incident').map(({ status }) => status),
    maintenances: of('maintenance').map(({ masks }) => ({ masksHealth: masks })),
    health: of('health')[0]?.status,
  })
}
