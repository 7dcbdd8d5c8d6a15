import type { StatusEventData } from '#schemas/decisions/status.ts'
import type { ComponentStatus, Impact, Imposer, IncidentStatus, MaintenanceStatus } from '#src/domain/status/words.ts'

export type PageState = StatusEventData<'PageConfigured'>

export interface Imposition {
  readonly source: Imposer
  readonly source_id: string
  readonly status: ComponentStatus
  readonly mask_health: boolean
}

export interface ComponentState extends Omit<StatusEventData<'ComponentCreated'>, 'at' | 'position'> {
  readonly removed: boolean
  readonly manual: ComponentStatus | undefined
  readonly health: ComponentStatus | undefined
  /** The change of level that said so. */
  readonly health_change: StatusEventData<'ComponentHealthChanged'> | undefined
  /** By source and its id: each is released apart from the others. */
  readonly imposed: ReadonlyMap<string, Imposition>
}

export interface IncidentState {
  readonly incident_id: string
  readonly name: string
  readonly status: IncidentStatus
  /** Opened by the process that watches live health. */
  readonly automatic: boolean
  /** A person has posted to it: the process changes it no more. */
  readonly taken_over: boolean
  /** Earliest time that readers are shown. */
  readonly started_at: string
  /** What it says of its components, as of its newest step; nothing of what is over and was people's. */
  readonly components: ReadonlyMap<string, ComponentStatus>
  /** What it imposes on them: not what the watching process says of them, since that comes from their health anyway. */
  readonly imposes: ReadonlyMap<string, ComponentStatus>
  /** The worst that its components had. */
  readonly worst: Impact
  /** As events say it. */
  readonly impact: Impact
  readonly override: Impact | null
  /** When readers are told that each was; its text is in the store alone. */
  readonly updates: ReadonlyMap<string, string>
  readonly last: Cause
}

export interface MaintenanceState {
  readonly maintenance_id: string
  readonly name: string
  readonly status: MaintenanceStatus
  readonly components: readonly string[]
  readonly scheduled_for: string
  readonly scheduled_until: string
  readonly auto_start: boolean
  readonly auto_complete: boolean
  readonly mask_health: boolean
  /** How much was told of it. */
  readonly updates: number
  readonly last: Cause
}

/** The newest event of an incident or a maintenance: what follows from it is written down in its name. */
export interface Cause {
  readonly command_id: string
  readonly command_digest: string
  readonly actor: string
  readonly actor_role: 'operator' | 'automation' | 'clock'
  readonly at: string
}

/** What commands are decided on: everything that was decided before. */
export interface StatusView {
  readonly page: PageState | undefined
  readonly components: ReadonlyMap<string, ComponentState>
  readonly incidents: ReadonlyMap<string, IncidentState>
  readonly maintenances: ReadonlyMap<string, MaintenanceState>
}

export function isUnresolved({ status }: Pick<IncidentState, 'status'>): boolean {
  return status !== 'resolved' && status !== 'postmortem'
}

export function isActive({ status }: Pick<MaintenanceState, 'status'>): boolean {
  return status === 'in_progress' || status === 'verifying'
}

export function imposedKey({ source, source_id }: Pick<Imposition, 'source' | 'source_id'>): string {
  return `${source}/${source_id}`
}
