import { keptProjections } from '#projections/index.ts'
import { usualFoldCosts } from '#projections/usual-fold-costs.ts'
import type { DataFolder } from '#src/cli/data-folder.ts'
import { enginesOf } from '#src/cli/engines.ts'
import type { RolePool } from '#src/cli/role-pool.ts'
import type { Config } from '#src/config/schema.ts'
import { isLedgerError } from '#src/domain/errors.ts'
import { readFoldCosts } from '#src/operations/fold-costs.ts'
import type { Logger } from '#src/ports/logger.ts'
import { assignLanes, lanesByDefault } from '#src/runtime/fold/lanes.ts'

export interface LaneOptions {
  readonly config: Config
  readonly folder: DataFolder
  readonly logger: Logger
  /** Names of the read models; all unless given. */
  readonly only?: readonly string[]
}

/** Starts a projector for each lane, on a thread of its own. Returns the names of the threads. */
export async function startLanes(pool: RolePool, options: LaneOptions): Promise<string[]> {
  const { config } = options
  const lanes = await lanesOf(options)
  const laneConfig = configOfLane(config, lanes.length)
  const threads = lanes.map((_, index) => (lanes.length === 1 ? 'project' : `project-${index + 1}`))
  await Promise.all(
    lanes.map((only, index) =>
      pool.start('project', {
        thread: threads[index]!,
        config: laneConfig,
        only,
        isOneOfSeveral: lanes.length > 1,
      }),
    ),
  )
  return threads
}

/** What one of so many lanes is given: memory, and time for scrubs, of the process are the same however many threads share it. */
export function configOfLane(config: Config, lanes: number): Config {
  const cacheBytesMax = Math.floor(config.projection.cacheBytesMax / lanes)
  const writersMiB = Math.max(1, Math.floor(config.memory.writersMiB / lanes))
  return {
    ...config,
    projection: { ...config.projection, cacheBytesMax },
    memory: { ...config.memory, writersMiB },
    scrub: { ...config.scrub, cpuShare: config.scrub.cpuShare / lanes },
  }
}

/** How many threads a projector uses. */
export function laneCount({ config, only }: Pick<LaneOptions, 'config' | 'only'>): number {
  const { lanes } = config.projection
  return Math.min(namesOf(only).length, lanes === 0 ? lanesByDefault() : lanes)
}

async function lanesOf(options: LaneOptions): Promise<readonly (readonly string[])[]> {
  const names = namesOf(options.only)
  const count = laneCount(options)
  return count === 1 ? [names] : assignLanes(names, await costsOf(options), count)
}

function namesOf(only: readonly string[] = []): readonly string[] {
  return only.length > 0 ? only : [...new Set(keptProjections.map(({ schema }) => schema.name))]
}

/** As last measured here, otherwise as usual; a store that is away is waited for by the projectors themselves. */
async function costsOf({ config, folder, logger }: LaneOptions): Promise<ReadonlyMap<string, number>> {
  try {
    const stores = await enginesOf(config, folder, logger).openStores()
    const measured = await readFoldCosts(stores.controlStore).finally(() => stores.close())
    return new Map([...usualFoldCosts, ...measured])
  } catch (error) {
    if (!isLedgerError(error, 'store_unavailable')) throw error
    return usualFoldCosts
  }
}
