import { isLedgerError, LedgerError } from '#src/domain/errors.ts'
import { type FilledRows, markFilled, markRows } from '#src/operations/decide.ts'
import { isPaused, type Plan } from '#src/operations/plan.ts'
import { changePlan, readPlan } from '#src/operations/plan-store.ts'
import { rest } from '#src/ports/clock.ts'
import type { ControlStore } from '#src/ports/control-store.ts'
import type { Logger } from '#src/ports/logger.ts'
import type { ProjectionSchema, ReadStore } from '#src/ports/read-store.ts'
import type { Instant } from '#src/runtime/serve/instant.ts'
import { InstantWatch } from '#src/runtime/serve/instant-watch.ts'
import { newestTimes, untilAsFresh } from '#src/runtime/serve/model-freshness.ts'
import { type ModelChoice, type ModelSet, ServingModels } from '#src/runtime/serve/model-set.ts'
import { isOfOtherLog, otherLog } from '#src/runtime/serve/rows-of-log.ts'
import { ServedModel } from '#src/runtime/serve/served-model.ts'
import { type Answerable, isLost, type Target, targetsOf, unknownVersions } from '#src/runtime/serve/serving-targets.ts'
import { StoreAbsence } from '#src/runtime/serve/store-absence.ts'

/** What requests are answered from. */
export interface ModelSource {
  /**
   * Does work on the instances of the first choice of read models that serves now. All of them are taken in one step, and
   * stay readable until the work ends, whatever serves meanwhile. Rejects with a 503 code when there is none, when one is
   * built for the first time, or its store is away.
   */
  use<T>(choices: readonly ModelChoice[], work: (models: ModelSet) => Promise<T>): Promise<T>
}

export interface ServedModelsOptions extends Answerable {
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
  /** Which log a generation is; undefined while it does not tell. Unless given, rows of any log are answered from. */
  readonly identityOf?: (generation: number) => Promise<string | undefined>
  /** What a scrub has found wrong with the rows of an instance. */
  readonly damageOf?: (model: ServedModel) => LedgerError | undefined
  /** How often it is asked which rows are there. */
  readonly lookEveryMs?: number
}

export interface ServingStores {
  readonly controlStore: ControlStore
  readonly readStore: ReadStore
}

type Models = ReadonlyMap<string, ServedModel>

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
  /** Those whose rows the plan was told of. */
  readonly #told = new WeakSet<ServedModel>()
  #lookedAtMs = Number.NEGATIVE_INFINITY
  readonly #absence: StoreAbsence
  /** Served instances that are paused, as last said. */
  #paused: ReadonlySet<string> = new Set()
  #closed = false

  constructor(options: ServedModelsOptions) {
    this.#options = options
    const { logger, pollMs } = options
    // Of one read model after the other: all of them at once are much for a store that is only just back.
    let turn = 0
    const ask = async () => this.serving.at(turn++ % Math.max(1, this.serving.length))?.reader.checkpoint()
    this.#absence = new StoreAbsence({ ask, logger, pollMs })
  }

  /** What answers about the ledger are as of, to be looked at and followed; a read model whose fold cannot go on is not waited for. */
  watchInstant(instant: Instant, isSetAside: (model: ServedModel) => boolean): InstantWatch {
    return new InstantWatch({
      instant,
      serving: () => ({ generation: this.#plan?.generation ?? 1, models: this.serving }),
      isStopped: (model) => isPaused(this.#plan, model.name, model.id) || isSetAside(model),
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
    return this.#absence.error?.message ?? this.#problem
  }

  /** Why nothing is served, while the stores are not open yet. */
  wait(reason: string): void {
    this.#problem = reason
  }

  async use<T>(choices: readonly ModelChoice[], work: (models: ModelSet) => Promise<T>): Promise<T> {
    if (this.#absence.error !== undefined) throw this.#absence.error
    const set = this.#current.choose(choices)
    if (set === undefined) throw this.#notServed(choices)
    set.enter()
    try {
      for (const model of set.models) {
        model.assertIntact()
        if (model.filling) await this.#options.assertFilled?.(model)
      }
      return await work(set)
    } catch (error) {
      if (isLedgerError(error, 'store_damaged')) this.#noteDamage(set, error)
      if (isLedgerError(error, 'store_unavailable')) await this.#absence.find(error)
      throw error
    } finally {
      set.leave()
    }
  }

  /** Throws what requests of it are told from now on. */
  #noteDamage({ models }: ModelSet, error: LedgerError): void {
    const damaged = models.find(({ name, id }) => error.details['instance'] === `${name}@${id}`)
    if (damaged === undefined) return
    this.#markDamaged(damaged, error)
    damaged.assertIntact()
  }

  #markDamaged(model: ServedModel, error: LedgerError): void {
    if (model.damage !== undefined) return
    model.markDamaged(error)
    const { name: projection, id: instance } = model
    this.#options.logger.error({ err: error, projection, instance }, 'a read model cannot be answered from')
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
      for (const model of this.serving) {
        const found = this.#options.damageOf?.(model)
        if (found !== undefined) this.#markDamaged(model, found)
      }
      this.#plan = await this.#tellFilled(plan, controlStore)
      this.#sayPaused(this.#plan)
      this.#say(unknown.length === 0 ? damaged : unknownVersions(unknown))
    } catch (error) {
      this.#say(error)
    }
  }

  /** What one process has seen filled serves in all of them, also after they were started anew. */
  async #tellFilled(plan: Plan, controlStore: ControlStore): Promise<Plan> {
    for (const model of this.serving) if (isToldFilled(plan, model)) model.markFilled()
    const filled = this.serving.filter(({ filling, damage }) => !filling && damage === undefined)
    const names = filled.flatMap(({ name }) => (plan.readModels[name]?.filling ? [name] : []))
    const rows = filled.flatMap((model) => (this.#told.has(model) ? [] : rowsOf(plan, model)))
    if (names.length === 0 && rows.length === 0) return plan
    try {
      const told = await changePlan(controlStore, (newest) => markRows(markFilled(newest, names), rows))
      for (const model of filled) if (rowsOf(told, model).length === 0) this.#told.add(model)
      this.#untold = undefined
      return told
    } catch (error) {
      // Nothing that is answered here depends on it, and the next poll tries again.
      const reason = error instanceof Error ? error.message : String(error)
      if (reason !== this.#untold)
        this.#options.logger.warn({ filled: names, reason }, 'cannot tell what is filled, trying on')
      this.#untold = reason
      return plan
    }
  }

  /** Closes every reader. No request may begin after this. */
  async close(): Promise<void> {
    this.#closed = true
    this.#absence.close()
    this.#current = new ServingModels()
    await Promise.all([...this.#open].map((model) => this.#retire(model)))
  }

  async #moveTo(targets: readonly Target[], readStore: ReadStore): Promise<LedgerError | undefined> {
    const next = new Map(this.#current.byName)
    const opened: ServedModel[] = []
    const isDue = this.#isLookDue()
    let damaged: LedgerError | undefined
    try {
      for (const target of targets) {
        const current = this.#current.byName.get(target.name)
        const isSame = current?.id === target.id
        if (target.schema === undefined || (isSame && !(isDue && (await this.#hasOtherRows(current))))) continue
        const model = await this.#openModel(target, target.schema, readStore)
        if (model.damage === undefined ? isKnownDamaged(model, current) : current !== undefined) {
          // What served before goes on as it was: it answers, or says itself what is wrong.
          if (!isSame) damaged ??= model.damage
          else if (model.damage !== undefined) this.#markDamaged(current, model.damage)
          await this.#retire(model)
        } else {
          opened.push(model)
          next.set(model.name, model)
        }
      }
      if (opened.length === 0) return damaged
      const replaced = () => opened.map((model) => ({ model, before: this.#current.byName.get(model.name) }))
      const promoted = () => replaced().filter(({ model, before }) => !model.damage && before?.id !== model.id)
      await untilAsFresh(promoted, this.#options.catchUpMaxMs ?? 500)
    } catch (error) {
      for (const model of opened) await this.#retire(model)
      throw error
    }
    this.#switchTo(next, opened)
    return damaged
  }

  #isLookDue(): boolean {
    const nowMs = performance.now()
    if (nowMs - this.#lookedAtMs < (this.#options.lookEveryMs ?? 1_000)) return false
    this.#lookedAtMs = nowMs
    return true
  }

  /** Whether an instance that serves has to be opened anew, since its rows are not there any more, or are found again. */
  async #hasOtherRows(model: ServedModel): Promise<boolean> {
    if (model.damage !== undefined) return true
    try {
      const origin = await model.reader.origin?.()
      if (origin?.mark === model.origin?.mark && origin?.log === model.origin?.log) return false
      return true
    } catch (error) {
      if (!isLedgerError(error, 'store_damaged')) throw error
      this.#markDamaged(model, error)
      return false
    }
  }

  async #openModel(target: Target, schema: ProjectionSchema, readStore: ReadStore): Promise<ServedModel> {
    const { name, id, generation, filling } = target
    const reader = await readStore.openReader(schema, { byTurns: true })
    const shape = { name, id, version: schema.version, build: schema.build ?? 1, generation, reader, filling }
    try {
      const origin = await reader.origin?.()
      const model = new ServedModel({ ...shape, origin, lost: reader.origin !== undefined && isLost(target, origin) })
      const identity = await this.#options.identityOf?.(generation)
      if (isOfOtherLog(model, identity)) this.#markDamaged(model, otherLog(model))
      await model.checkpoint()
      return model
    } catch (error) {
      const model = new ServedModel(shape)
      if (isLedgerError(error, 'store_damaged')) {
        const current = this.#current.byName.get(name)
        if (current === undefined) this.#markDamaged(model, error)
        else model.markDamaged(error)
        return model
      }
      await model.retire()
      throw error
    }
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

/** The plan says of these rows that they were near the end of the log. */
function isToldFilled(plan: Plan, { name, id, lost, origin }: ServedModel): boolean {
  const known = plan.readModels[name]
  if (known === undefined || known.filling) return false
  return !lost || known.instances[id]?.rows === origin?.mark
}

/** What the plan does not say yet. */
function rowsOf(plan: Plan, { name, id, origin }: ServedModel): FilledRows[] {
  const known = plan.readModels[name]?.instances[id]
  return known === undefined || !origin?.mark || known.rows === origin.mark ? [] : [{ name, id, mark: origin.mark }]
}

/** A damage deep within shows to whoever meets it: that the same rows can be opened again proves nothing. */
function isKnownDamaged({ id, origin }: ServedModel, current: ServedModel | undefined): boolean {
  return current?.damage !== undefined && current.id === id && current.origin?.mark === origin?.mark
}
