import { LedgerError } from '#src/domain/errors.ts'
import {
  decisionsGeneration,
  type InstancePlan,
  instanceId,
  type NamedInstance,
  type Plan,
  type ReadModelPlan,
} from '#src/operations/plan.ts'

/** A read model version that this code has a fold for. */
export interface KnownVersion {
  readonly name: string
  readonly version: number
  /** Where its events come from; the ledger's log unless given. */
  readonly source?: 'ledger' | 'decisions'
}

/** ISO 8601 instant at which a decision is taken. */
type Instant = string

/**
 * Adds read models that the plan does not know: their newest version serves from the start, since nothing served before. It
 * answers from when it is filled.
 */
export function adopt(plan: Plan, known: readonly KnownVersion[], at: Instant): Plan {
  const missing = known.filter(({ name }) => plan.readModels[name] === undefined)
  if (missing.length === 0) return plan
  const readModels: Record<string, ReadModelPlan> = { ...plan.readModels }
  for (const name of new Set(missing.map((each) => each.name))) {
    const first = newInstance(newestOf(known, name), 1, generationOf(known, name, plan), at)
    const instance: InstancePlan = { ...first, state: 'built' }
    readModels[name] = {
      serving: instanceId(instance),
      previous: null,
      filling: true,
      instances: { [instanceId(instance)]: instance },
    }
  }
  return { ...plan, readModels }
}

export interface RebuildWish {
  readonly name: string
  /** The newest that this code knows unless given. */
  readonly version?: number
  /** The plan's own unless given. */
  readonly generation?: number
  /** 0 for no bound; as it was planned before unless given. */
  readonly eventsPerSecondMax?: number
}

export interface PlannedRebuild {
  readonly plan: Plan
  readonly instance: NamedInstance
  /** An interrupted rebuild goes on where it stopped. */
  readonly resumed: boolean
}

/** The instance that a rebuild has to fill: an interrupted one goes on, otherwise a new version or a new build begins. */
export function planRebuild(
  plan: Plan,
  known: readonly KnownVersion[],
  { name, generation = generationOf(known, name, plan), eventsPerSecondMax, ...wish }: RebuildWish,
  at: Instant,
): PlannedRebuild {
  const model = modelOf(plan, name)
  const version = knownVersion(known, name, wish.version)
  const ofVersion = Object.values(model.instances).filter((instance) => instance.version === version)
  const open = ofVersion.find((instance) => instance.state === 'building' && instance.generation === generation)
  const build = Math.max(model.builds?.[version] ?? 0, ...ofVersion.map((instance) => instance.build)) + 1
  const instance = {
    ...(open ?? newInstance(version, build, generation, at)),
    paused: false,
    // 0 lifts a bound that an interrupted rebuild was begun with.
    eventsPerSecondMax: (eventsPerSecondMax ?? open?.eventsPerSecondMax) || null,
  }
  const id = instanceId(instance)
  return {
    plan: withModel(plan, name, { ...model, instances: { ...model.instances, [id]: instance } }),
    instance: { ...instance, name, id, serving: false },
    resumed: open !== undefined,
  }
}

/** A rebuild has reached the end of the log: whoever runs projections keeps the instance up to date from here. */
export function markBuilt(plan: Plan, name: string, id: string): Plan {
  return withInstance(plan, name, id, { state: 'built', eventsPerSecondMax: null })
}

/** Read models that were near the end of the log for the first time: they answer from now on. */
export function markFilled(plan: Plan, names: readonly string[]): Plan {
  return names.reduce((next, name) => {
    if (next.readModels[name]?.filling === undefined) return next
    const { filling: _done, ...model } = modelOf(next, name)
    return withModel(next, name, model)
  }, plan)
}

/** Rows of an instance that were near the end of the log: it is answered from them, and not from others under its name. */
export interface FilledRows {
  readonly name: string
  readonly id: string
  readonly mark: string
}

export function markRows(plan: Plan, filled: readonly FilledRows[]): Plan {
  return filled.reduce((next, { name, id, mark }) => {
    const known = next.readModels[name]?.instances[id]
    return known === undefined || known.rows === mark ? next : withInstance(next, name, id, { rows: mark })
  }, plan)
}

/** Stops or resumes an instance, the serving one unless named. */
export function setPaused(plan: Plan, name: string, id: string | undefined, paused: boolean): Plan {
  return withInstance(plan, name, id ?? modelOf(plan, name).serving, { paused })
}

/** Resumes an instance that is paused, the serving one unless named. */
export function resume(plan: Plan, name: string, wanted: string | undefined): Plan {
  const model = modelOf(plan, name)
  const id = wanted ?? model.serving
  const { paused, state } = instanceOf(model, name, id)
  if (paused) return setPaused(plan, name, id, false)
  const next = state === 'built' ? 'whether a process keeps it up to date' : 'whether a rebuild fills it'
  throw refused(`${name} v${id} is not paused; "ledger-history projections status" says ${next}`)
}

export interface Promotion {
  readonly name: string
  /** The newest built instance of the serving log generation unless given. */
  readonly id?: string
}

/** Lets other instances answer, all of them in the one step. Whether they are close enough to the log is asked before. */
export function promote(plan: Plan, promotions: readonly Promotion[]): Plan {
  return promotions.reduce((next, { name, id }) => {
    const model = modelOf(next, name)
    const isOfDecisions = model.instances[model.serving]?.generation === decisionsGeneration
    const chosen = id ?? newestBuilt(name, model, isOfDecisions ? decisionsGeneration : next.generation)
    const instance = instanceOf(model, name, chosen)
    if (chosen === model.serving) throw refused(`${name} v${chosen} serves already`)
    if (instance.state !== 'built') {
      throw refused(
        `${name} v${chosen} is not built yet; run "ledger-history projections rebuild ${name}" to its end first`,
      )
    }
    if (instance.paused) {
      throw refused(
        `${name} v${chosen} is paused; run "ledger-history projections resume ${name} --version ${chosen}" first`,
      )
    }
    return withModel(next, name, { ...model, serving: chosen, previous: model.serving, rolledBack: null })
  }, plan)
}

/** Back to what served before. Decided again, it is refused: it must not bring back what it took out of service. */
export function rollBack(plan: Plan, names: readonly string[]): Plan {
  return names.reduce((next, name) => {
    const { serving, previous, rolledBack } = modelOf(next, name)
    if (previous === null) throw refused(noWayBack(name, serving, rolledBack))
    const back = promote(next, [{ name, id: previous }])
    return withModel(back, name, { ...modelOf(back, name), previous: null, rolledBack: serving })
  }, plan)
}

/** The same plan, if what serves by it is what was checked: another operator's decision may have come between. */
export function confirmed(plan: Plan, checked: readonly Pick<NamedInstance, 'name' | 'id'>[]): Plan {
  const other = checked.find(({ name, id }) => plan.readModels[name]?.serving !== id)
  if (other === undefined) return plan
  throw refused(
    `${other.name} was changed by another operator meanwhile; look at "ledger-history projections status" and decide again`,
  )
}

function noWayBack(name: string, serving: string, rolledBack: string | null | undefined): string {
  if (rolledBack)
    return `${name} v${serving} serves since v${rolledBack} was rolled back; to return to that, run "ledger-history projections promote ${name} --version ${rolledBack}"`
  return `${name} v${serving} has no earlier instance to return to; none served before, or it is pruned`
}

/** The instances that a prune would remove: every one that neither serves nor is being built, or the one named. */
export function prunable(plan: Plan, name: string, id?: string): NamedInstance[] {
  const model = modelOf(plan, name)
  if (id === model.serving) throw refused(`${name} v${id} serves; promote another instance before it is pruned`)
  if (id !== undefined) return [{ ...instanceOf(model, name, id), name, id, serving: false }]
  return Object.entries(model.instances)
    .filter(([each, { state }]) => each !== model.serving && state === 'built')
    .map(([each, instance]) => ({ ...instance, name, id: each, serving: false }))
}

/** Forgets an instance; its rows are removed after this, once nobody reads them. */
export function forget(plan: Plan, name: string, id: string): Plan {
  const model = modelOf(plan, name)
  if (id === model.serving) throw refused(`${name} v${id} serves; promote another instance before it is pruned`)
  const { version, build } = instanceOf(model, name, id)
  const { [id]: _gone, ...instances } = model.instances
  const builds = { ...model.builds, [version]: Math.max(model.builds?.[version] ?? 0, build) }
  const previous = model.previous === id ? null : model.previous
  const rolledBack = model.rolledBack === id ? null : (model.rolledBack ?? null)
  return withModel(plan, name, { ...model, instances, builds, previous, rolledBack })
}

/** Every build of a read model that there is or was, as the plan knows it: rows may be left of any. */
export function buildsOf(plan: Plan, name: string): readonly Pick<InstancePlan, 'version' | 'build'>[] {
  const { instances, builds = {} } = modelOf(plan, name)
  const given = Object.entries(builds).flatMap(([version, last]) =>
    Array.from({ length: last }, (_, index) => ({ version: Number(version), build: index + 1 })),
  )
  const planned = Object.values(instances).map(({ version, build }) => ({ version, build }))
  return [...new Map([...planned, ...given].map((each) => [instanceId(each), each])).values()]
}

/** Forgets a read model that no code has any more; its rows are removed before this. */
export function retire(plan: Plan, name: string): Plan {
  modelOf(plan, name)
  const { [name]: _gone, ...readModels } = plan.readModels
  return { ...plan, readModels }
}

/** Begins the next log generation, or goes on with the one that a republish was interrupted in. */
export function beginGeneration(
  plan: Plan,
  reason: string,
  at: Instant,
): { plan: Plan; generation: number; resumed: boolean } {
  const open = Object.entries(plan.generations).find(([, { state }]) => state === 'writing')
  if (open) return { plan, generation: Number(open[0]), resumed: true }
  const { prunedGeneration = 0, generations } = plan
  const generation = Math.max(plan.generation, prunedGeneration, ...Object.keys(generations).map(Number)) + 1
  const state = { state: 'writing' as const, reason, createdAt: at }
  return { plan: { ...plan, generations: { ...generations, [generation]: state } }, generation, resumed: false }
}

/**
 * The importer goes on in this generation, and every read model answers from its instance of it, all in the one step. The
 * same serves a way back to a retired generation.
 */
export function promoteGeneration(plan: Plan, generation: number, at: Instant): Plan {
  if (generation === plan.generation) throw refused(`Log generation ${generation} serves already`)
  const target = plan.generations[generation]
  if (target === undefined)
    throw refused(`There is no log generation ${generation}; "ledger-history import status" lists them`)
  const promotions = Object.entries(plan.readModels).flatMap(([name, model]) => {
    const built = Object.entries(model.instances)
      .filter(([, instance]) => instance.generation === generation && instance.state === 'built')
      .sort(([, a], [, b]) => b.version - a.version || b.build - a.build)
    if (model.instances[model.serving]?.generation === decisionsGeneration) return []
    // It may serve from there already.
    if (built.some(([id]) => id === model.serving)) return []
    const [newest] = built
    if (newest) return [{ name, id: newest[0] }]
    throw refused(
      `${name} is not built from log generation ${generation}; run "ledger-history projections rebuild ${name} --generation ${generation}" first`,
    )
  })
  const retired = plan.generations[plan.generation] ?? { reason: 'the first', createdAt: at }
  return {
    ...promote(plan, promotions),
    generation,
    generations: {
      ...plan.generations,
      [plan.generation]: { ...retired, state: 'retired' },
      [generation]: { ...target, state: 'serving' },
    },
  }
}

/**
 * Forgets a generation that neither serves nor is read by any instance; its log is removed after this. One that was
 * forgotten before leaves the plan as it is, so that an interrupted prune can be finished.
 */
export function forgetGeneration(plan: Plan, generation: number): Plan {
  if (generation === plan.generation) throw refused(`Log generation ${generation} serves; it cannot be pruned`)
  const reader = Object.entries(plan.readModels).find(([, { instances }]) =>
    Object.values(instances).some((instance) => instance.generation === generation),
  )
  if (reader) {
    throw refused(
      `${reader[0]} still has rows of log generation ${generation}; run "ledger-history projections prune ${reader[0]}" first`,
    )
  }
  const { prunedGeneration = 0 } = plan
  const { [generation]: known, ...generations } = plan.generations
  if (known === undefined && generation > prunedGeneration)
    throw refused(`There is no log generation ${generation}; "ledger-history import status" lists them`)
  return known === undefined ? plan : { ...plan, generations, prunedGeneration: Math.max(prunedGeneration, generation) }
}

function newInstance(version: number, build: number, generation: number, at: Instant): InstancePlan {
  return { version, build, generation, state: 'building', paused: false, eventsPerSecondMax: null, createdAt: at }
}

/** The version to build, the newest unless given. Throws `version_unknown` where this code has no fold for it. */
function knownVersion(known: readonly KnownVersion[], name: string, wanted: number | undefined): number {
  const versions = known.filter((each) => each.name === name).map((each) => each.version)
  const version = wanted ?? Math.max(...versions)
  if (versions.includes(version)) return version
  const has = versions.length === 0 ? 'none' : `only ${versions.map((each) => `v${each}`).join(', ')}`
  const what = wanted === undefined ? `version of ${name}` : `${name} v${wanted}`
  throw new LedgerError(
    'version_unknown',
    `There is no ${what} in this code, ${has}; run it with the release that has it`,
    { name },
  )
}

/** What a new build reads. */
function generationOf(known: readonly KnownVersion[], name: string, plan: Plan): number {
  const isOfDecisions = known.some((each) => each.name === name && each.source === 'decisions')
  return isOfDecisions ? decisionsGeneration : plan.generation
}

function newestOf(known: readonly KnownVersion[], name: string): number {
  return Math.max(...known.filter((each) => each.name === name).map((each) => each.version))
}

/**
 * What a promotion means that names no instance. Never one older than what serves, so that a promotion that is decided
 * twice does not undo itself, and never one that was rolled back: to return to such a one is said outright.
 */
function newestBuilt(name: string, { instances, serving, rolledBack }: ReadModelPlan, generation: number): string {
  const built = Object.entries(instances)
    .filter(([, instance]) => instance.state === 'built' && instance.generation === generation)
    .sort(([, a], [, b]) => b.version - a.version || b.build - a.build)
    .map(([id]) => id)
  const newest = built.find((id) => id !== rolledBack)
  if (newest !== undefined && newest !== serving) return newest
  if (rolledBack)
    throw refused(
      `${name} v${rolledBack} was rolled back and nothing newer is built; to return to it, run "ledger-history projections promote ${name} --version ${rolledBack}"`,
    )
  if (built.length > 1)
    throw refused(`${name} v${serving} serves already and nothing newer is built; name an older instance by --version`)
  throw refused(`${name} has no other built instance; run "ledger-history projections rebuild ${name}" first`)
}

function modelOf(plan: Plan, name: string): ReadModelPlan {
  const model = plan.readModels[name]
  if (model) return model
  const known = Object.keys(plan.readModels)
  throw refused(
    known.length === 0
      ? 'No read model was built here yet; run "ledger-history project" first'
      : `There is no read model ${name}; there are ${known.join(', ')}`,
  )
}

function instanceOf(model: ReadModelPlan, name: string, id: string): InstancePlan {
  const instance = model.instances[id]
  if (instance) return instance
  throw refused(
    `There is no ${name} v${id}; there are ${Object.keys(model.instances)
      .map((each) => `v${each}`)
      .join(', ')}`,
  )
}

function withModel(plan: Plan, name: string, model: ReadModelPlan): Plan {
  return { ...plan, readModels: { ...plan.readModels, [name]: model } }
}

function withInstance(plan: Plan, name: string, id: string, change: Partial<InstancePlan>): Plan {
  const model = modelOf(plan, name)
  const instance = { ...instanceOf(model, name, id), ...change }
  return withModel(plan, name, { ...model, instances: { ...model.instances, [id]: instance } })
}

function refused(message: string): LedgerError {
  return new LedgerError('operation_refused', message)
}
