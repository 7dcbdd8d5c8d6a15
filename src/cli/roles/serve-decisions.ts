import { runMaintenanceClock } from '#commands/status/maintenance-clock.ts'
import { StatusDesk } from '#commands/status/status-desk.ts'
import { enginesOf } from '#src/cli/engines.ts'
import type { RoleContext } from '#src/cli/roles/role.ts'
import type { StatusCommandOptions } from '#src/http/status-commands.ts'
import { systemClock } from '#src/ports/clock.ts'

export interface ServedDecisions {
  readonly statusCommands: Omit<StatusCommandOptions, 'clock' | 'logger'> | undefined
  /** Starts and completes maintenances until the signal. */
  keepClock(signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

/** The command side of a serving process: whoever has a token may write, and planned maintenances start and end. */
export async function serveDecisions({ config, folder, logger }: RoleContext): Promise<ServedDecisions> {
  const store = await enginesOf(config, folder, logger).openDecisions()
  const desk = new StatusDesk({ store, clock: systemClock })
  const { tokens, commandsPerMinuteMax } = config.status
  return {
    statusCommands: tokens.length === 0 ? undefined : { desk, tokens, commandsPerMinuteMax },
    keepClock: (signal) => runMaintenanceClock({ desk, clock: systemClock, logger, signal }),
    close: () => store.close(),
  }
}
