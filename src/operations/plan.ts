import { LedgerError } from '#src/domain/errors.ts'
import { membersOf } from '#src/operations/parsed-document.ts'
import type { ProjectionSchema } from '#src/ports/read-store.ts'

/**
 * What the operators of one deployment decided: which build of each read model answers requests, which ones are kept up to
 * date, from which generation of the log. One document, so that several read models move together. Running processes
 * follow it; it is never changed but by the functions of decide.ts.
 */
export interface Plan {
  /** The log generation that the importer writes and new builds read. */
  readonly generation: number
  /** Further generations that a republish writes or wrote, with their state. */
  readonly generations: Readonly<Record<string, GenerationPlan>>
  /** Greatest number of a generation that was pruned: none is used again, since its log or its state may still be there. */
  readonly prunedGeneration?: number
  /** By name. */
  readonly readModels: Readonly<Record<string, ReadModelPlan>>
}

export interface GenerationPlan {
  /** `writing`: a republish fills it. `serving`: the importer's. `retired`: replaced, kept for a rollback until pruned. */
  readonly state: 'writing' | 'serving' | 'retired'
  /** Why it was written, in the operator's words. */
  readonly reason: string
  readonly createdAt: string
}

export interface ReadModelPlan {
  /** Id of the instance that answers requests. */
  readonly serving: string
  /** Id of the instance that served before, which a rollback returns to; null when it is pruned or there was none. */
  readonly previous: string | null
  /** Id of the instance that a rollback took out of service; null or absent when a promotion was last, or it is pruned. */
  readonly rolledBack?: string | null
  /**
   * Present while it is built for the first time: no instance of it has been near the end of the log yet, so that it
   * cannot answer. Whoever serves sees the moment and says it here.
   */
  readonly filling?: true
  /** By id. */
  readonly instances: Readonly<Record<string, InstancePlan>>
  /**
   * Greatest build number that was ever given out, by version: a pruned build's number is not used again, since its rows
   * may still be there.
   */
  readonly builds?: Readonly<Record<string, number>>
}

/** One build of one version of a read model, from one log generation. */
export interface InstancePlan {
  readonly version: number
  readonly build: number
  readonly generation: number
  /** `building`: a rebuild fills it. `built`: it reached the log's end once and is kept up to date. */
  readonly state: 'building' | 'built'
  /** Nobody brings it forward until it is resumed. */
  readonly paused: boolean
  /** Bound on what a rebuild folds per second; null for as fast as it can. */
  readonly eventsPerSecondMax: number | null
  /** ISO 8601. */
  readonly createdAt: string
  /**
   * Mark of its rows that were near the end of the log: others that are found under its name are not answered from until they
   * are. Absent until a process that serves has seen it, and where the store does not mark rows.
   */
  readonly rows?: string
}

/**
 * Stands for the decision store among the log generations: read models of decisions are built from it, whichever generation
 * the importer writes. There is one, and nothing replaces it.
 */
export const decisionsGeneration = 0

export const emptyPlan: Plan = { generation: 1, generations: {}, readModels: {} }

/** `3`, or `3.2` for the second build of version 3: unique within a read model. */
export function instanceId({ version, build }: Pick<InstancePlan, 'version' | 'build'>): string {
  return build === 1 ? String(version) : `${version}.${build}`
}

export interface NamedInstance extends InstancePlan {
  readonly name: string
  readonly id: string
  readonly serving: boolean
}

/** Every instance of every read model, the serving one of each first. */
export function instancesOf(plan: Plan): NamedInstance[] {
  return Object.entries(plan.readModels).flatMap(([name, model]) =>
    Object.entries(model.instances)
      .map(([id, instance]) => ({ ...instance, name, id, serving: id === model.serving }))
      .sort((a, b) => Number(b.serving) - Number(a.serving) || a.version - b.version || a.build - b.build),
  )
}

/** The instance that answers requests; undefined for a read model that the plan does not know yet. */
export function servingInstance(plan: Plan, name: string): NamedInstance | undefined {
  return instancesOf(plan).find((instance) => instance.name === name && instance.serving)
}

/**
 * The instance of a read model that publishes for subscribers what is of one log generation: the one that serves, or where that
 * is of another generation the newest that is kept up to date. undefined where there is none.
 */
export function publishingInstance(plan: Plan, name: string, generation: number): NamedInstance | undefined {
  const ofGeneration = instancesOf(plan).filter((each) => each.name === name && each.generation === generation)
  return ofGeneration.find(({ serving }) => serving) ?? ofGeneration.findLast(({ state }) => state === 'built')
}

/** Whether a read model is built for the first time; one that the plan does not know yet is. */
export function isFilling({ readModels }: Plan, name: string): boolean {
  const model = readModels[name]
  return model === undefined || model.filling === true
}

/** Whether an operator has stopped an instance. */
export function isPaused(plan: Plan | undefined, name: string, id: string): boolean {
  return plan?.readModels[name]?.instances[id]?.paused === true
}

/** The schema under which the store keeps this build. */
export function schemaOfInstance(schema: ProjectionSchema, { build }: Pick<InstancePlan, 'build'>): ProjectionSchema {
  return build === 1 ? schema : { ...schema, build }
}

export function planToText(plan: Plan): string {
  return JSON.stringify(plan)
}

/** Throws `version_unknown` for what this code cannot read. */
export function planFromText(text: string): Plan {
  const plan = membersOf<Plan>(text)
  if (typeof plan.generation !== 'number' || !isRecord(plan.readModels) || !isRecord(plan.generations)) {
    throw new LedgerError(
      'version_unknown',
      'The plan of this deployment was written by another version; deploy that one',
    )
  }
  return plan as Plan
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}
