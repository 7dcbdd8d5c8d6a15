import type { StatusCommand } from '#commands/status/commands.ts'
import { isRefused } from '#commands/status/refusals.ts'
import { isActive, type MaintenanceState, type StatusView } from '#commands/status/state.ts'
import type { StatusService } from '#commands/status/status-service.ts'
import { errorCatalogue, isLedgerError } from '#src/domain/errors.ts'
import { type Clock, rest } from '#src/ports/clock.ts'
import type { Logger } from '#src/ports/logger.ts'

export interface DueCommand {
  readonly command: StatusCommand
  /** The same for everybody who sees it due, and after a restart. */
  readonly command_id: string
}

/** Planned starts and ends whose time has come. One whose start and end have come starts first. */
function dueCommands({ maintenances }: StatusView, now: string): DueCommand[] {
  return [...maintenances.values()].flatMap((maintenance) => {
    const due = nextOf(maintenance)
    return due === undefined || due.at > now ? [] : [due]
  })
}

/** When the next one comes; undefined while nothing is planned. */
function nextDue({ maintenances }: StatusView): string | undefined {
  return [...maintenances.values()].flatMap((each) => nextOf(each)?.at ?? []).sort()[0]
}

function nextOf(maintenance: MaintenanceState): (DueCommand & { readonly at: string }) | undefined {
  const { maintenance_id, status, auto_start, auto_complete, scheduled_for, scheduled_until } = maintenance
  if (status === 'scheduled' && auto_start) {
    const command = { type: 'StartMaintenance', maintenance_id } as const
    return { command, command_id: `clock/start/${maintenance_id}/${scheduled_for}`, at: scheduled_for }
  }
  if (isActive(maintenance) && auto_complete) {
    const command = { type: 'CompleteMaintenance', maintenance_id } as const
    return { command, command_id: `clock/complete/${maintenance_id}/${scheduled_until}`, at: scheduled_until }
  }
  return undefined
}

export interface MaintenanceClockOptions {
  readonly service: StatusService
  readonly clock: Clock
  readonly logger: Logger
  readonly signal: AbortSignal
  /** Longest time between two looks: a maintenance may be planned by another process. */
  readonly pollMs?: number
}

/**
 * Starts and completes maintenances at their planned times, until the signal, and finishes what an interrupted process
 * left open. Any number of processes may do so: each start is one command, whoever sends it.
 */
export async function runMaintenanceClock(options: MaintenanceClockOptions): Promise<void> {
  const { logger, signal, pollMs = 1_000, clock } = options
  let isAway = false
  while (!signal.aborted) {
    let waitMs = pollMs
    try {
      const view = await carryOutDue(options)
      isAway = false
      const next = nextDue(view)
      if (next !== undefined) waitMs = Math.min(pollMs, Math.max(1, Date.parse(next) - clock.now()))
    } catch (error) {
      if (!mayPass(error)) throw error
      if (!isAway) logger.warn({ err: error }, 'planned maintenances wait until the decision store answers')
      isAway = true
    }
    await rest(waitMs, signal)
  }
}

/** Resolves when nothing is due any more. */
export async function carryOutDue({
  service,
  clock,
  logger,
}: Pick<MaintenanceClockOptions, 'service' | 'clock' | 'logger'>): Promise<StatusView> {
  for (;;) {
    const view = await service.settled()
    const due = dueCommands(view, new Date(clock.now()).toISOString())
    if (due.length === 0) return view
    for (const { command, command_id } of due) {
      try {
        const { events } = await service.execute(command, { actor: 'clock', role: 'clock', command_id })
        logger.info({ command: command.type, command_id, events: events.length }, 'maintenance moved on by its plan')
      } catch (error) {
        // Somebody did it by hand, or planned it anew, a moment ago: the next look tells.
        if (!isRefused(error)) throw error
      }
    }
  }
}

/** Whether the decision store is only away, or waits for a person who brings back what it lacks. */
export function mayPass(error: unknown): boolean {
  if (!isLedgerError(error)) return false
  const { code } = error
  return errorCatalogue[code].disposition === 'retry' || code === 'decisions_lost' || code === 'decisions_damaged'
}
