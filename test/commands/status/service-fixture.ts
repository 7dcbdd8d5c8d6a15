import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { CommandOf, CommandType, StatusCommand } from '#commands/status/commands.ts'
import type { SeenDecisions } from '#commands/status/seen-decisions.ts'
import { type CommandAnswer, type CommandRequest, StatusService } from '#commands/status/status-service.ts'
import { newStatusTrial } from '#projections/status/trial.ts'
import { openSqliteDecisionStore } from '#src/adapters/sqlite/decision-store.ts'
import type { DecisionStore, RecordedDecision } from '#src/ports/decision-store.ts'

const nothingSeen: SeenDecisions = { heads: async () => [], remember: async () => undefined }

/** A service over a store in memory, with a clock that stands still until it is set. */
export class ServiceFixture {
  readonly store: DecisionStore
  readonly seen: SeenDecisions
  readonly service: StatusService
  time = Date.parse('2026-02-03T14:05:10.250Z')

  constructor(
    store: DecisionStore = openSqliteDecisionStore({ folder: ':memory:', pollMs: 1 }),
    seen: SeenDecisions = nothingSeen,
  ) {
    this.store = store
    this.seen = seen
    this.service = this.newService()
  }

  /** As of another process. */
  newService(attemptsMax?: number): StatusService {
    const clock = { now: () => this.time }
    const { store, seen } = this
    return new StatusService({ store, clock, readers: newStatusTrial, seen, ...(attemptsMax && { attemptsMax }) })
  }

  at(time: string): this {
    this.time = Date.parse(time)
    return this
  }

  async do<T extends CommandType>(
    type: T,
    content: Omit<CommandOf<T>, 'type'>,
    request: Partial<CommandRequest> = {},
  ): Promise<CommandAnswer> {
    const command = { type, ...content } as unknown as StatusCommand
    return this.service.execute(command, { actor: 'alice', role: 'operator', ...request })
  }

  async all(after = 0): Promise<RecordedDecision[]> {
    const all: RecordedDecision[] = []
    for await (const { events } of this.store.readAll({ after, countMax: 1_000, follow: false })) all.push(...events)
    return all
  }
}

const reference = fileURLToPath(new URL('../../../../shared/reference/data/statuspage/', import.meta.url))
/** The reference's documents lie beside the repository, where they are there at all. */
export const hasReference = existsSync(reference)
export const withoutReference = hasReference ? '' : ' (skipped: ../shared is not there)'

export function referenceDocument<T>(name: string): T {
  return JSON.parse(readFileSync(`${reference}${name}`, 'utf8')) as T
}
