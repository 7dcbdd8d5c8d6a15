import { setTimeout as sleep } from 'node:timers/promises'
import { isLedgerError, LedgerError } from '#src/domain/errors.ts'
import { markFilled } from '#src/operations/decide.ts'
import {
  decisionsGeneration,
  instanceId,
  isFilling,
  isPaused,
  type Plan,
  schemaOfInstance,
  servingInstance,
} from '#src/operations/plan.ts'
import { changePlan, readPlan } from '#src/operations/plan-store.ts'
import { rest } from '#src/ports/clock.ts'
import type { ControlStore } from '#src/ports/control-store.ts'
import type { Logger } from '#src/ports/logger.ts'
import type { ProjectionSchema, ReadStore } from '#src/ports/read-store.ts'
import { inTime } from '#src/runtime/process/in-time.ts'
import type { Instant } from '#src/runtime/serve/instant.ts'
import { InstantWatch } from '#src/runtime/serve/instant-watch.ts'
import { newestTimes, untilAsFresh } from '#src/runtime/serve/model-freshness.ts'
import { type ModelChoice, type ModelSet, ServingModels } from '#src/runtime/serve/model-set.ts'
import { ServedModel } from '#src/runtime/serve/served-model.ts'

/** What requests are answered from. */
export interface ModelSource {
  /**
   * Does work on the instances of the first choice of read models that serves now. All of them are taken in one step, and
   * stay readable until the work ends, whatever serves meanwhile. Rejects with a 503 code when there is none, when one is
   * built for the first time, or its store is away.
   */
  use<T>(choices: readonly ModelChoice[], work: (models: ModelSet) => Promise<T>): Promise<T>
}

export interface ServedModelsOptions {
  /** The versions that this code can answer from. */
  readonly schemas: readonly ProjectionSchema[]
  /** Names of those among them that are made from decisions; the others are made from the ledger's log. */
  readonly ofDecisions?: ReadonlySet<string>
  readonly logger: Logger
  /** How often the plan is read. */
  readonly pollMs?: number
  /** Longest wait for new instances to be as fresh as those that they replace. */
  readonly catchUpMaxMs?: number
  /** What answers about the ledger are as of; each set of read models by itself unless given. */
  readonly instant?: Instant
  /** Called when `read` has changed. */
  readonly onChange?: () => void
  /**
   * Throws `filling` for an instance that is built for the first time and has not yet been near the end of the log. Unless
   * given, it answers all the same.
   */
  readonly assertFilled?: (model: ServedModel) => Promise<void>
}

export interface ServingStores {
  readonly controlStore: ControlStore
  readonly readStore: ReadStore
}

interface Target {
  readonly name: string
  readonly id: string
  readonly generation: number
  /** undefined: this code has no routes for the version that is to serve. */
  readonly schema: ProjectionSchema | undefined
  /** Of an older version than this code answers from. */
  readonly outdated: boolean
  readonly filling: boolean
}

type Models = ReadonlyMap<string, ServedModel>

/** A store that takes longer to say where it stands counts as away. */
const answerMaxMs = 500

/**
 * Follows the plan: opens the instances that are to serve, lets requests move over to all of them in the one step, and
 * closes those that served before when their last request has ended. What cannot be asked leaves everything as it is.
 */
export class ServedModels implements ModelSource {
  readonly #options: ServedModelsOptions
  #current = new ServingModels()
  /** Every instance that requests have begun with and whose reader is still open. */
  readonly #open = new Set<ServedModel>()
  #plan: Plan | undefined
  #problem: string | undefined
  /** Why others were not told of what is filled. */
  #untold: string | undefined
  #away: LedgerError | undefined
  /** Served instances that are paused, as last said. */
  #paused: ReadonlySet<string> = new Set()
  /** Whether the store is away, while that is found out. */
  #asking: Promise<boolean> | undefined
  #closed = false

  constructor(options: ServedModelsOptions) {
    this.#options = options
  }

  /** What answers about the ledger are as of, to be looked at and followed. */
  watchInstant(instant: Instant): InstantWatch {
    return new InstantWatch({
      instant,
      serving: () => ({ generation: this.#plan?.generation ?? 1, models: this.serving }),
      isPaused: ({ name, id }) => this.#plan !== undefined && isPaused(this.#plan, name, id),
      now: performance.now.bind(performance),
    })
  }

  /** The plan as last read; undefined before it was read for the first time. */
  get plan(): Plan | undefined {
    return this.#plan
  }

  /** The instances that requests begin with now. */
  get serving(): readonly ServedModel[] {
    return [...this.#current.byName.values()]
  }

  /**
   * Id of an instance that requests read, by read model, for the announcement of this process: the one that was replaced, as
   * long as a request uses it. Only then its rows may be removed; those of the one that serves may not anyway.
   */
  get read(): Readonly<Record<string, string>> {
    const isCurrent = ({ name, id }: ServedModel): boolean => this.#current.byName.get(name)?.id === id
    const replacedLast = [...this.#open].sort((a, b) => Number(isCurrent(b)) - Number(isCurrent(a)))
    return Object.fromEntries(replacedLast.map(({ name, id }) => [name, id]))
  }

  /** The versions that this code can answer from, by read model. */
  get knows(): Readonly<Record<string, readonly number[]>> {
    const byName = Object.groupBy(this.#options.schemas, ({ name }) => name)
    return Object.fromEntries(
      Object.entries(byName).map(([name, schemas = []]) => [name, schemas.map(({ version }) => version)]),
    )
  }

  /** What keeps it from serving what the plan says; undefined when nothing does. */
  get problem(): string | undefined {
    return this.#away?.message ?? this.#problem
  }

  /** Why nothing is served, while the stores are not open yet. */
  wait(reason: string): void {
    this.#problem = reason
  }

  async use<T>(choices: readonly ModelChoice[], work: (models: ModelSet) => Promise<T>): Promise<T> {
    if (this.#away !== undefined) throw this.#away
    const set = this.#current.choose(choices)
    if (set === undefined) throw this.#notServed(choices)
    set.enter()
    try {
      for (const model of set.models) if (model.filling) await this.#options.assertFilled?.(model)
      return await work(set)
    } catch (error) {
      if (isLedgerError(error, 'store_unavailable')) await this.#refuseIfAway(error)
      throw error
    } finally {
      set.leave()
    }
  }

  #notServed(choices: readonly ModelChoice[]): LedgerError {
    const names = new Set(choices.flatMap((choice) => Object.keys(choice)))
    const serving = [...names].map((name) => `${name} ${this.#current.byName.get(name)?.id ?? 'not'}`).join(', ')
    return new LedgerError('unavailable', this.#problem ?? `Not served together yet: ${serving}`)
  }

  /** Follows the plan until the signal. */
  async follow(stores: ServingStores, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.poll(stores)
      await rest(this.#options.pollMs ?? 250, signal)
    }
  }

  /** Reads the plan once and follows it. Failures are logged once per reason, and shown by `problem`. */
  async poll({ controlStore, readStore }: ServingStores): Promise<void> {
    try {
      const plan = await readPlan(controlStore)
      const targets = targetsOf(plan, this.#options)
      const unknown = targets.filter(({ schema }) => schema === undefined)
      // Read models of one plan move together: where one cannot follow, all stay. Only at the start the others begin alone.
      const canMove = unknown.length === 0 || this.#current.byName.size === 0
      const damaged = canMove ? await this.#moveTo(targets, readStore) : undefined
      this.#plan = await this.#tellFilled(plan, controlStore)
      this.#sayPaused(this.#plan)
      this.#say(unknown.length === 0 ? damaged : unknownVersions(unknown))
    } catch (error) {
      this.#say(error)
    }
  }

  /** What one process has seen filled serves in all of them, also after they were started anew. */
  async #tellFilled(plan: Plan, controlStore: ControlStore): Promise<Plan> {
    const filled: string[] = []
    for (const model of this.serving) {
      if (!isFilling(plan, model.name)) {
        if (plan.readModels[model.name] !== undefined) model.markFilled()
      } else if (!model.filling) filled.push(model.name)
    }
    if (filled.length === 0) return plan
    try {
      const told = await changePlan(controlStore, (newest) => markFilled(newest, filled))
      this.#untold = undefined
      return told
    } catch (error) {
      // Nothing that is answered here depends on it, and the next poll tries again.
      const reason = error instanceof Error ? error.message : String(error)
      if (reason !== this.#untold)
        this.#options.logger.warn({ filled, reason }, 'cannot tell what is filled, trying on')
      this.#untold = reason
      return plan
    }
  }

  /** Closes every reader. No request may begin after this. */
  async close(): Promise<void> {
    this.#closed = true
    this.#current = new ServingModels()
    await Promise.all([...this.#open].map((model) => this.#retire(model)))
  }

  async #moveTo(targets: readonly Target[], readStore: ReadStore): Promise<LedgerError | undefined> {
    const next = new Map(this.#current.byName)
    const opened: ServedModel[] = []
    let damaged: LedgerError | undefined
    try {
      for (const { name, id, generation, schema, filling } of targets) {
        if (schema === undefined || this.#current.byName.get(name)?.id === id) continue
        const reader = await readStore.openReader(schema, { byTurns: true })
        const model = new ServedModel({
          name,
          id,
          version: schema.version,
          build: schema.build ?? 1,
          generation,
          reader,
          filling,
        })
        const problem = await damageOf(model)
        if (problem === undefined) {
          opened.push(model)
          next.set(name, model)
        } else {
          damaged ??= problem
          await this.#retire(model)
        }
      }
      if (opened.length === 0) return damaged
      const replaced = () => opened.map((model) => ({ model, before: this.#current.byName.get(model.name) }))
      await untilAsFresh(replaced, this.#options.catchUpMaxMs ?? 500)
    } catch (error) {
      for (const model of opened) await this.#retire(model)
      throw error
    }
    this.#switchTo(next, opened)
    return damaged
  }

  #switchTo(next: Models, opened: readonly ServedModel[]): void {
    const retired = opened.flatMap(({ name }) => this.#current.byName.get(name) ?? [])
    this.#current = this.#closed ? new ServingModels() : new ServingModels(next, this.#options.instant)
    // Only now: until here requests read the one before, and its rows must stay.
    for (const model of opened) this.#open.add(model)
    for (const model of this.#closed ? opened : retired) void this.#retire(model)
    const from = Object.fromEntries(retired.map(({ name, id }) => [name, id]))
    const to = Object.fromEntries(opened.map(({ name, id }) => [name, id]))
    this.#options.logger.info({ from, to, freshness: newestTimes(opened) }, 'serving instances changed')
    this.#options.onChange?.()
  }

  async #retire(model: ServedModel): Promise<void> {
    try {
      await model.retire()
    } catch (error) {
      this.#options.logger.warn(
        { err: error, projection: model.name, instance: model.id },
        'reader could not be closed',
      )
    } finally {
      this.#open.delete(model)
      this.#options.onChange?.()
    }
  }

  /**
   * Requests are refused at once while the store is away, rather than each of them waiting for it. One request may have asked
   * too much of a store that answers all others, so it is asked for the little that each of them needs first.
   */
  async #refuseIfAway(error: LedgerError): Promise<void> {
    if (this.#away !== undefined || this.#closed) return
    this.#asking ??= this.#isAway().finally(() => {
      this.#asking = undefined
    })
    if (!(await this.#asking) || this.#away !== undefined || this.#closed) return
    this.#away = error
    this.#options.logger.warn({ code: error.code, reason: error.message }, 'read store is away, refusing requests')
    void this.#untilBack()
  }

  async #isAway(): Promise<boolean> {
    try {
      await inTime(this.#askAll(), answerMaxMs, 'The read store')
      return false
    } catch {
      // Why the request failed says more.
      return true
    }
  }

  #askAll(): Promise<unknown> {
    return Promise.all(this.serving.map(({ reader }) => reader.checkpoint()))
  }

  async #untilBack(): Promise<void> {
    while (!this.#closed) {
      try {
        await this.#askAll()
        this.#away = undefined
        this.#options.logger.info({}, 'read store answers, serving requests')
        return
      } catch (error) {
        this.#options.logger.debug({ err: error }, 'read store is still away')
      }
      await sleep(this.#options.pollMs ?? 250, undefined, { ref: false })
    }
  }

  #sayPaused(plan: Plan): void {
    const { logger } = this.#options
    const paused = this.serving
      .filter(({ name, id }) => isPaused(plan, name, id))
      .map(({ name, id }) => `${name} ${id}`)
    for (const instance of paused)
      if (!this.#paused.has(instance)) logger.warn({ instance }, 'paused by an operator, its answers get older')
    for (const instance of this.#paused) if (!paused.includes(instance)) logger.info({ instance }, 'no longer paused')
    this.#paused = new Set(paused)
  }

  #say(problem: unknown): void {
    const message = problem instanceof Error ? problem.message : problem === undefined ? undefined : String(problem)
    if (message !== undefined && message !== this.#problem) {
      const code = isLedgerError(problem) ? problem.code : undefined
      this.#options.logger.warn({ code, reason: message }, 'cannot follow the plan, serving what was served before')
    }
    this.#problem = message
  }
}

/** What is damaged of one read model keeps no other from being served; undefined where nothing is. */
async function damageOf(model: ServedModel): Promise<LedgerError | undefined> {
  try {
    await model.checkpoint()
    return undefined
  } catch (error) {
    if (isLedgerError(error, 'store_damaged')) return error
    await model.retire()
    throw error
  }
}

/** What is to serve; a read model that no plan knows yet begins with the newest version there is code for. */
function targetsOf(plan: Plan, { schemas, ofDecisions }: ServedModelsOptions): Target[] {
  const names = [...new Set(schemas.map(({ name }) => name))]
  return names.map((name) => {
    const versions = schemas.filter((schema) => schema.name === name)
    const newest = Math.max(...versions.map(({ version }) => version))
    const generation = ofDecisions?.has(name) ? decisionsGeneration : plan.generation
    const instance = servingInstance(plan, name) ?? { version: newest, build: 1, generation }
    const schema = versions.find(({ version }) => version === instance.version)
    return {
      name,
      id: instanceId(instance),
      generation: instance.generation,
      filling: isFilling(plan, name),
      outdated: instance.version < newest,
      schema: schema === undefined ? undefined : schemaOfInstance(schema, instance),
    }
  })
}

function unknownVersions(unknown: readonly Target[]): LedgerError {
  const named = unknown.map(({ name, id }) => `${name} ${id}`).join(', ')
  const outdated = unknown
    .filter((target) => target.outdated)
    .map(({ name }) => `"ledger-history projections rebuild ${name}"`)
  const step =
    outdated.length === unknown.length
      ? `build what it can with ${outdated.join(', ')} and promote that, or deploy the code of before`
      : 'deploy the code that can, or run "ledger-history projections rollback"'
  return new LedgerError('version_unknown', `${named} should serve, which this code cannot answer from; ${step}`, {
    unknown: named,
  })
}
