import { keptProjections } from '#projections/index.ts'
import type { Engines, Stores } from '#src/cli/engines.ts'
import { withLog } from '#src/cli/importing/import-deployment.ts'
import { LedgerError } from '#src/domain/errors.ts'
import {
  decisionsGeneration,
  emptyPlan,
  type InstancePlan,
  instanceId,
  type Plan,
  planToText,
  type ReadModelPlan,
  schemaOfInstance,
} from '#src/operations/plan.ts'
import type { ReadStore } from '#src/ports/read-store.ts'
import type { AnyProjection } from '#src/runtime/fold/projection.ts'

/** Builds of a version that are looked for. */
const buildsMax = 64

/**
 * Makes the plan that was lost from what lies there: the generation serves, and of each read model the newest build whose rows say
 * that they are of its log, or one that is begun. None answers until it is near the end of the log, since a rebuild may have been
 * interrupted. Returns the generations that were found. Throws `operation_refused` where there is a plan, or no such log.
 */
export async function adoptGeneration(
  { engines, stores }: { readonly engines: Engines; readonly stores: Stores },
  generation: number,
): Promise<readonly number[]> {
  const { readStore, controlStore } = stores
  const found = await engines.foundGenerations()
  if (!found.includes(generation)) {
    const message = `There is no log of generation ${generation}; there are logs of ${found.join(', ')}`
    throw new LedgerError('operation_refused', message)
  }
  const identity = await withLog({ engines }, generation, (log) => log.identity())
  const at = new Date().toISOString()
  const readModels: Record<string, ReadModelPlan> = {}
  for (const name of new Set(keptProjections.map(({ schema }) => schema.name)))
    readModels[name] = await readModelOf(readStore, name, { generation, identity, at })
  const reason = 'found when the plan was lost'
  const generations = Object.fromEntries(
    found.map((each) => [each, { state: each === generation ? 'serving' : 'retired', reason, createdAt: at }] as const),
  )
  const plan: Plan = { ...emptyPlan, generation, generations, readModels }
  if (await controlStore.put('plan', planToText(plan), 0)) return found
  throw new LedgerError('operation_refused', 'This deployment has a plan; promote without --without-plan')
}

interface Wanted {
  readonly generation: number
  readonly identity: string | undefined
  readonly at: string
}

async function readModelOf(store: ReadStore, name: string, wanted: Wanted): Promise<ReadModelPlan> {
  const versions = keptProjections.filter(({ schema }) => schema.name === name)
  const newestFirst = versions.toSorted((a, b) => b.schema.version - a.schema.version)
  const builds: Record<string, number> = {}
  let chosen: { version: number; build: number } | undefined
  for (const projection of newestFirst) {
    const { last, ofLog } = await buildsOf(store, projection, wanted.identity)
    const { version } = projection.schema
    if (last > 0) builds[version] = last
    if (ofLog > 0) chosen ??= { version, build: ofLog }
  }
  const { version } = newestFirst[0]!.schema
  const { at, generation } = wanted
  const instance: InstancePlan = {
    ...(chosen ?? { version, build: (builds[version] ?? 0) + 1 }),
    generation: newestFirst[0]!.source === 'decisions' ? decisionsGeneration : generation,
    state: 'built',
    paused: false,
    eventsPerSecondMax: null,
    createdAt: at,
  }
  const id = instanceId(instance)
  return { serving: id, previous: null, filling: true, instances: { [id]: instance }, builds }
}

/** The last build of a version that is there, and the last of the log; 0 for none. */
async function buildsOf(
  store: ReadStore,
  { schema, source }: AnyProjection,
  identity: string | undefined,
): Promise<{ last: number; ofLog: number }> {
  let [last, ofLog] = [0, 0]
  for (let build = 1; build <= buildsMax; build++) {
    const reader = await store.openReader(schemaOfInstance(schema, { build }))
    try {
      const origin = await reader.origin?.()
      if (origin === undefined) continue
      last = build
      if (source === 'decisions' || (identity !== undefined && origin.log === identity)) ofLog = build
    } finally {
      await reader.close()
    }
  }
  return { last, ofLog }
}
