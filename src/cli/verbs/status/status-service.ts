import { isRefused } from '#commands/status/refusals.ts'
import { StatusService } from '#commands/status/status-service.ts'
import { newStatusTrial } from '#projections/status/trial.ts'
import { folderOf } from '#src/cli/data-folder.ts'
import { type Engines, enginesOf, type Stores } from '#src/cli/engines.ts'
import type { VerbContext } from '#src/cli/run-verb.ts'
import { plannedDecision } from '#src/cli/shown-decision.ts'
import { errorCatalogue, isLedgerError, LedgerError } from '#src/domain/errors.ts'
import { DeploymentDecisions } from '#src/operations/seen-decisions.ts'
import { systemClock } from '#src/ports/clock.ts'
import type { DecisionStore } from '#src/ports/decision-store.ts'
import { inTime } from '#src/runtime/process/in-time.ts'

/** What a verb on the status page works on. */
export interface StatusGround {
  readonly decisions: DecisionStore
  /** undefined where they are away: the page is written to all the same. */
  readonly stores: Stores | undefined
}

const storesTimeoutMs = 5_000

export async function withStatusGround<T>(
  { config, logger }: VerbContext,
  use: (ground: StatusGround) => Promise<T>,
): Promise<T> {
  const engines = enginesOf(config, folderOf(config, undefined, 'existing'), logger)
  const decisions = await engines.openDecisions()
  const stores = await openUnlessAway(engines, (error) => {
    logger.warn({ err: error }, 'decisions are not held against what was seen of them')
  })
  try {
    return await use({ decisions, stores })
  } finally {
    await stores?.close()
    await decisions.close()
  }
}

async function openUnlessAway(engines: Engines, onAway: (error: unknown) => void): Promise<Stores | undefined> {
  try {
    return await inTime(engines.openStores(), storesTimeoutMs, 'The store of the read models')
  } catch (error) {
    if (!isLedgerError(error) || errorCatalogue[error.code].disposition !== 'retry') throw error
    onAway(error)
    return undefined
  }
}

/** A service in this process, for one verb. A refused command is told with the name of what is wrong. */
export async function withService<T>(
  context: VerbContext,
  use: (service: StatusService, store: DecisionStore) => Promise<T>,
): Promise<T> {
  return withStatusGround(context, async ({ decisions: store, stores }) => {
    const seen = new DeploymentDecisions({
      control: () => stores?.controlStore,
      shown: async () => stores && inTime(plannedDecision(stores), storesTimeoutMs, 'The store of the read models'),
      logger: context.logger,
    })
    try {
      return await use(new StatusService({ store, clock: systemClock, readers: newStatusTrial, seen }), store)
    } catch (error) {
      if (!isRefused(error)) throw error
      throw new LedgerError('command_refused', `${error.message} (${error.code})`, { refusal: error.code }, error)
    }
  })
}
