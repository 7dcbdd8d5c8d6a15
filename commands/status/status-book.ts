import { isDraftId } from '#commands/status/command-ids.ts'
import type { StatusEvent, StatusEventType } from '#commands/status/events.ts'
import { statusEventTypes } from '#commands/status/events.ts'
import { evolveComponent, evolveIncident, evolveMaintenance } from '#commands/status/evolve.ts'
import { decisionsLost } from '#commands/status/lost-decisions.ts'
import type { ComponentState, IncidentState, MaintenanceState, PageState, StatusView } from '#commands/status/state.ts'
import { seenOf } from '#src/events/decisions.ts'
import type {
  DecisionMetadata,
  DecisionPosition,
  ExpectedRevision,
  RecordedDecision,
  SeenDecision,
} from '#src/ports/decision-store.ts'

/** An event that a command led to. */
export interface CausedEvent {
  readonly type: string
  readonly stream: string
  readonly revision: number
}

export interface KnownCommand {
  readonly digest: string
  readonly events: CausedEvent[]
}

const types: ReadonlySet<string> = new Set(statusEventTypes)

/** Everything decided up to a position, folded event by event: small enough to be kept as a whole. */
export class StatusBook implements StatusView {
  page: PageState | undefined
  readonly components = new Map<string, ComponentState>()
  readonly incidents = new Map<string, IncidentState>()
  readonly maintenances = new Map<string, MaintenanceState>()
  readonly #revisions = new Map<string, number>()
  readonly #commands = new Map<string, KnownCommand>()
  /** Drafts that were told to readers, each with a component that they were told of. */
  readonly #told = new Set<string>()
  position: DecisionPosition = 0
  /** The decision at that position; undefined before the first. */
  head: SeenDecision | undefined
  /** Events that cannot be folded, as another release may have written: what they said is not known here. */
  setAside = 0

  /** What an append to the stream has to expect. */
  revisionOf(stream: string): ExpectedRevision {
    return this.#revisions.get(stream) ?? 'none'
  }

  /** The command with this id, if events of it were appended. */
  commandOf(id: string): KnownCommand | undefined {
    return this.#commands.get(id)
  }

  /** Whether somebody has told readers of a component under the id of a draft, whatever else was sent under it. */
  hasTold(draftId: string, componentId: string): boolean {
    return this.#told.has(`${draftId} ${componentId}`)
  }

  /**
   * Events of other streams than the status page's are passed over. Throws `decisions_lost` where an event of a stream is
   * missing before it.
   */
  fold(decision: RecordedDecision): void {
    const { stream, revision, type, data, metadata } = decision
    const before = this.#revisions.get(stream) ?? -1
    if (types.has(type) && revision !== before + 1)
      throw decisionsLost(`the stream ${stream} goes on with revision ${revision} behind ${before}`)
    this.position = decision.position
    this.head = seenOf(decision)
    if (!types.has(type)) return
    this.#revisions.set(stream, revision)
    const { command_id = '', command_digest: digest = '' }: Partial<DecisionMetadata> = metadata ?? {}
    const command = this.#commands.get(command_id) ?? { digest, events: [] }
    this.#commands.set(command_id, command)
    command.events.push({ type, stream, revision })
    try {
      this.#apply({ type: type as StatusEventType, data } as StatusEvent, decision)
    } catch {
      // The read model refuses it as well, and names it to operators. What is decided next must not depend on its writer.
      this.setAside += 1
    }
  }

  #apply(event: StatusEvent, { metadata }: RecordedDecision): void {
    const { data } = event
    if ('components' in data && 'incident_id' in data && isDraftId(metadata.command_id))
      for (const component of Object.keys(data.components)) this.#told.add(`${metadata.command_id} ${component}`)
    if (event.type === 'PageConfigured') this.page = event.data
    else if ('component_id' in data)
      this.components.set(data.component_id, evolveComponent(this.components.get(data.component_id), event))
    else if ('incident_id' in data)
      this.incidents.set(data.incident_id, evolveIncident(this.incidents.get(data.incident_id), event, metadata))
    else if ('maintenance_id' in data) {
      const { maintenance_id: id } = data
      this.maintenances.set(id, evolveMaintenance(this.maintenances.get(id), event, metadata))
    }
  }
}
