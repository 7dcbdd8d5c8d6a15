import { Registry } from 'prom-client'
import { writeDefaultPage } from '#commands/status/default-page.ts'
import { mayPass, runMaintenanceClock } from '#commands/status/maintenance-clock.ts'
import { StatusService } from '#commands/status/status-service.ts'
import { keptProjections } from '#projections/index.ts'
import { newStatusTrial } from '#projections/status/trial.ts'
import { enginesOf } from '#src/cli/engines.ts'
import { project } from '#src/cli/roles/project.ts'
import type { RoleContext } from '#src/cli/roles/role.ts'
import type { ServingDeployment } from '#src/cli/roles/serve-deployment.ts'
import { ServedHealth } from '#src/cli/roles/serve-health.ts'
import { servedDecision } from '#src/cli/shown-decision.ts'
import { StatusTokens } from '#src/cli/status-tokens.ts'
import type { LiveHealth } from '#src/domain/status/live-health.ts'
import type { StatusCommandOptions } from '#src/http/status-commands.ts'
import { DeploymentDecisions } from '#src/operations/seen-decisions.ts'
import { systemClock } from '#src/ports/clock.ts'
import type { RequestWatch } from '#src/runtime/watch/request-shares.ts'

export interface ServedDecisions {
  readonly statusCommands: Omit<StatusCommandOptions, 'clock' | 'logger'> | undefined
  /** What was measured last of the deployment. */
  health(): LiveHealth
  /** Starts and completes maintenances, writes down changes of health, and stands by for the page's read model, until the signal. */
  keep(signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

export interface ServedDecisionsOptions {
  readonly deployment: ServingDeployment
  readonly requests: RequestWatch
  readonly commandCounts: Uint32Array
}

/** The command side of a serving process: whoever has a token may write, planned maintenances start and end, and the page follows what is measured. */
export async function serveDecisions(
  context: RoleContext,
  { deployment, requests, commandCounts: counts }: ServedDecisionsOptions,
): Promise<ServedDecisions> {
  const { config, folder, logger, share } = context
  const store = await enginesOf(config, folder, logger).openDecisions()
  const seen = new DeploymentDecisions({
    control: () => deployment.stores?.controlStore,
    shown: () => servedDecision(deployment.models),
    logger,
  })
  const service = new StatusService({ store, clock: systemClock, readers: newStatusTrial, seen })
  const { commandsPerMinuteMax } = config.status
  const tokens = new StatusTokens({ status: config.status, logger })
  const health = new ServedHealth(context, { deployment, decisions: store, service, requests })
  return {
    statusCommands: tokens.areConfigured
      ? { service, tokens: () => tokens.current, commandsPerMinuteMax, counts }
      : undefined,
    health: () => health.live,
    async keep(signal) {
      // Any number may do the rest, as several processes do, but of the threads of one process one is enough.
      const isFirst = share === undefined || share.thread === 1
      if (isFirst && context.isWhole) await setUp(service, context)
      const watched = health.follow(signal).catch((error: unknown) => {
        logger.error({ err: error }, 'the status page does not follow live health any more')
      })
      await Promise.all([watched, ...(isFirst ? keepPage(service, context, signal) : [])])
    },
    close: () => store.close(),
  }
}

function keepPage(service: StatusService, context: RoleContext, signal: AbortSignal): Promise<void>[] {
  const { logger } = context
  const planned = runMaintenanceClock({ service, clock: systemClock, logger, signal }).catch((error: unknown) => {
    logger.error({ err: error }, 'planned maintenances are not started and ended any more')
  })
  const shown = keepReadModels(context, signal).catch((error: unknown) => {
    logger.error({ err: error }, 'the read model of the status page is left to other processes')
  })
  return [planned, shown]
}

/**
 * A serving process of its own stands by for those who keep read models: when they are gone, nobody else could show on the
 * page that they are.
 */
async function keepReadModels(context: RoleContext, signal: AbortSignal): Promise<void> {
  if (context.isWhole) return
  await project({
    ...context,
    only: keptProjections.filter(({ source }) => source === 'decisions').map(({ schema }) => schema.name),
    signal,
    // Figures of projections are told by who keeps the others.
    registry: new Registry(),
    report: () => undefined,
    isOneOfSeveral: true,
  })
}

/** A page that nobody has written to yet is about this deployment, and opens its incidents by itself. */
async function setUp(service: StatusService, { logger }: RoleContext): Promise<void> {
  try {
    const { page, components } = await service.settled()
    if (page !== undefined || components.size > 0) return
    await writeDefaultPage(service, { actor: 'start', now: systemClock.now(), withHistory: false, automation: 'open' })
  } catch (error) {
    if (!mayPass(error)) throw error
    logger.warn({ err: error }, 'the status page is set up when this is started again')
  }
}
