import { hostname } from 'node:os'
import { keptProjections } from '#projections/index.ts'
import { answerable } from '#queries/common/route.ts'
import { servedReaders } from '#queries/index.ts'
import { codeVersion } from '#src/cli/code-version.ts'
import { enginesOf, type Stores } from '#src/cli/engines.ts'
import type { RoleContext } from '#src/cli/roles/role.ts'
import { OtherInstances } from '#src/cli/roles/serve-others.ts'
import { ServeProcesses } from '#src/cli/roles/serve-processes.ts'
import { seenLogs } from '#src/cli/seen-log.ts'
import { isLedgerError } from '#src/domain/errors.ts'
import { readPlan } from '#src/operations/plan-store.ts'
import { announcePresence, type Presence } from '#src/operations/presence.ts'
import { rest } from '#src/ports/clock.ts'
import { retryWhileAway } from '#src/runtime/process/retry.ts'
import { Instant } from '#src/runtime/serve/instant.ts'
import type { InstantWatch } from '#src/runtime/serve/instant-watch.ts'
import { ScrubWatch } from '#src/runtime/serve/scrub-watch.ts'
import type { ServedModel } from '#src/runtime/serve/served-model.ts'
import { ServedModels } from '#src/runtime/serve/served-models.ts'
import { ServingWatch } from '#src/runtime/serve/status-readiness.ts'
import { LogHeads } from '#src/runtime/watch/log-heads.ts'

const storeRetryMinMs = 100
const storeRetryMaxMs = 2_000
/** How long a thread waits for what the one that looks for all has seen, and how often it asks. */
const instantKnownMs = 1_000
const instantPollMs = 5

/** The part of a serving process that follows what the operators decided, and shows what it does. */
export class ServingDeployment {
  readonly models: ServedModels
  readonly heads: LogHeads
  readonly watch: ServingWatch
  readonly others: OtherInstances
  readonly processes = new ServeProcesses()
  readonly scrubs = new ScrubWatch()
  stores: Stores | undefined
  readonly #context: RoleContext
  readonly #signal: AbortSignal
  readonly #begun = Promise.withResolvers<void>()
  /** One thread of a process does it for all. */
  readonly #followsInstant: boolean
  readonly #instant: Instant
  readonly #instantWatch: InstantWatch
  #presence: Presence | undefined
  #port: number | undefined

  constructor(context: RoleContext, signal: AbortSignal) {
    this.#context = context
    this.#signal = signal
    const { config, folder, logger } = context
    const schemas = answerable(
      servedReaders,
      keptProjections.map(({ schema }) => schema),
    )
    const onChange = (): void => void this.#presence?.beat()
    const assertFilled = (model: ServedModel): Promise<void> => this.watch.assertFilled(model)
    const ofDecisions = new Set(
      keptProjections.filter(({ source }) => source === 'decisions').map(({ schema }) => schema.name),
    )
    const identityOf = async (generation: number) => (await this.heads.ask(generation)).identity
    const { share } = context
    this.#followsInstant = share === undefined || share.thread === 1
    const instant = new Instant(share?.counts.instant)
    this.#instant = instant
    const damageOf = (model: ServedModel) => this.scrubs.damageOf(model)
    const asked = { schemas, ofDecisions, logger, instant, onChange, assertFilled, identityOf, damageOf }
    this.models = new ServedModels(asked)
    this.#instantWatch = this.models.watchInstant(instant, (model) => this.processes.isSetAside(model))
    const now = (): number => performance.now()
    const openLog = seenLogs(enginesOf(config, folder, logger), () => this.stores?.controlStore)
    this.heads = new LogHeads({ openLog, now })
    const names = [...new Set(schemas.map(({ name }) => name))].filter((name) => !ofDecisions.has(name))
    const { lagBudgetSeconds } = config.api
    const troubleOf = (model: ServedModel) => this.processes.troubleOf(model) ?? this.#fullDisk
    const scrubOf = (model: ServedModel) => this.scrubs.of(model)
    const { models, heads } = this
    this.watch = new ServingWatch({ models, names, heads, instant, lagBudgetSeconds, now, troubleOf, scrubOf })
    const toldElsewhere = (): boolean => context.isWhole === true
    this.others = new OtherInstances({ models: this.models, openLog, toldElsewhere, logger })
  }

  /** Resolves when the plan was asked for the first time. */
  get begun(): Promise<void> {
    return this.#begun.promise
  }

  get port(): number | undefined {
    return this.#port
  }

  /** Where nothing can be written, nobody can say what he waits for either. */
  get #fullDisk(): string | undefined {
    const problem = this.#presence?.problem
    return isLedgerError(problem, 'disk_full') ? problem.message : undefined
  }

  /** Whether this is the serving process that does what one of them has to do: the first by its id. */
  get leads(): boolean {
    const own = this.#presence?.id
    const { living } = this.processes
    if (own === undefined || living === undefined) return false
    return living.every(({ role, id }) => role !== 'serve' || own <= id)
  }

  /** Shows others where it answers, since several may run on one machine. */
  listensOn(port: number): void {
    this.#port = port
    void this.#presence?.beat()
  }

  /** Until the signal; rejects when the stores cannot be used at all. */
  async follow(): Promise<void> {
    const failed = new AbortController()
    const watching = this.watch.follow(AbortSignal.any([this.#signal, failed.signal]))
    try {
      const stores = await this.#openStores()
      if (stores === undefined) return
      this.stores = stores
      await this.scrubs.look(stores.controlStore)
      await this.models.poll(stores)
      await this.#untilInstantIsKnown()
      this.#begun.resolve()
      this.#presence = this.#announce(stores)
      const others = this.others.follow(stores.readStore, this.#signal)
      const processes = this.processes.follow(stores.controlStore, this.#signal)
      const instant = this.#followsInstant ? this.#instantWatch.follow(this.#signal) : undefined
      const scrubs = this.scrubs.follow(stores.controlStore, this.#signal)
      const models = this.models.follow(stores, this.#signal)
      await Promise.all([models, this.#presence.ended, others, processes, instant, scrubs])
    } catch (error) {
      failed.abort()
      throw error
    } finally {
      await watching
    }
  }

  /** Before the first request: answers would go back to it. While all read models fill it is not known. */
  async #untilInstantIsKnown(): Promise<void> {
    if (this.#followsInstant) return this.#instantWatch.look()
    const deadline = performance.now() + instantKnownMs
    while (this.#instant.newest === undefined && performance.now() < deadline && !this.#signal.aborted)
      await rest(instantPollMs, this.#signal)
  }

  async close(): Promise<void> {
    await this.models.close()
    await this.heads.close()
    await this.stores?.close()
  }

  /** Stores that have answered. Waits while they are away; undefined when it is told to stop meanwhile. */
  async #openStores(): Promise<Stores | undefined> {
    const { config, folder, logger } = this.#context
    let stores: Stores | undefined
    let answered = false
    this.models.wait('The store of the read models has not answered yet')
    const ask = async (): Promise<void> => {
      stores ??= await enginesOf(config, folder, logger).openStores()
      await readPlan(stores.controlStore)
      answered = true
    }
    try {
      await retryWhileAway(ask, {
        signal: this.#signal,
        logger,
        progress: () => 0,
        onAway: ({ message }) => this.models.wait(message),
        alsoWaitFor: ['disk_full'],
        retryMinMs: storeRetryMinMs,
        retryMaxMs: storeRetryMaxMs,
      })
    } finally {
      if (!answered) await stores?.close()
    }
    return answered ? stores : undefined
  }

  #announce({ controlStore: control }: Stores): Presence {
    const { logger } = this.#context
    const figures = () => ({
      serves: this.models.read,
      knows: this.models.knows,
      ...(this.#port === undefined ? {} : { port: this.#port }),
    })
    const { pid } = process
    return announcePresence({
      control,
      role: 'serve',
      codeVersion,
      host: hostname(),
      pid,
      figures,
      signal: this.#signal,
      logger,
    })
  }
}
