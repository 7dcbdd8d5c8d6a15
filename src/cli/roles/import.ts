import { hostname } from 'node:os'
import { codeVersion } from '#src/cli/code-version.ts'
import { type Engines, enginesOf, type Stores } from '#src/cli/engines.ts'
import { closeRetired, publicLogName } from '#src/cli/importing/close-retired.ts'
import { LogCopy } from '#src/cli/importing/copy-log.ts'
import { explained, importGeneration, settingsOf } from '#src/cli/importing/import-generation.ts'
import { type ImportInputs, openImportInputs } from '#src/cli/importing/import-inputs.ts'
import { importOrStandBy } from '#src/cli/importing/import-standby.ts'
import { ImportTotals } from '#src/cli/importing/import-totals.ts'
import type { RoleContext } from '#src/cli/roles/role.ts'
import type { LedgerError } from '#src/domain/errors.ts'
import type { ImporterSettings } from '#src/importer/settings.ts'
import { readPlan } from '#src/operations/plan-store.ts'
import { announcePresence, type Presence } from '#src/operations/presence.ts'
import { systemClock } from '#src/ports/clock.ts'
import { createImportMetrics, createOutputMetrics } from '#src/runtime/watch/metrics.ts'
import { createStreamMetrics } from '#src/runtime/watch/stream-metrics.ts'

/**
 * Verifies, decodes and publishes what the source holds into the log generation that serves, until the source ends or it is
 * told to stop. Where there is no end, a log or store that is away is waited for, and so is another importer: what an
 * importer knows is a fold over the log, so each attempt goes on where the log ends.
 */
export async function importBlocks(context: RoleContext): Promise<void> {
  const { config, folder } = context
  const settings = settingsOf(context)
  const inputs = await openImportInputs({ config, folder, settings, logger: context.logger })
  const engines = enginesOf(config, folder, context.logger)
  const run = new ImportRole(context, { engines, inputs, settings })
  try {
    await run.run()
  } finally {
    await inputs.close()
  }
}

interface ImportParts {
  readonly engines: Engines
  readonly inputs: ImportInputs
  readonly settings: ImporterSettings
}

class ImportRole {
  readonly #context: RoleContext
  readonly #parts: ImportParts
  readonly #stop: AbortSignal
  readonly #ended = new AbortController()
  readonly #totals: ImportTotals
  readonly #onCopied: ReturnType<typeof createOutputMetrics>
  #stores: Stores | undefined
  #presence: Presence | undefined
  #generation = 1

  constructor(context: RoleContext, parts: ImportParts) {
    this.#context = context
    this.#parts = parts
    this.#stop = AbortSignal.any([context.signal, context.finish])
    const metrics = createImportMetrics(context.registry, systemClock.now)
    this.#totals = new ImportTotals({
      observe: (figures) => metrics.observe(figures),
      show: (status) => context.report({ kind: 'import', status }),
      sources: () => ({ ...parts.inputs, setting: parts.settings.stream }),
    })
    this.#onCopied = createOutputMetrics(context.registry)
    const read = () => this.#totals.presence(this.#generation)
    createStreamMetrics(context.registry, { read, now: systemClock.now })
  }

  async run(): Promise<void> {
    const { config, logger } = this.#context
    try {
      if (config.once) return await this.#importPlanned()
      await importOrStandBy(() => this.#importPlanned(), {
        engines: this.#parts.engines,
        totals: this.#totals,
        controlStore: async () => (await this.#open()).controlStore,
        generation: () => this.#generation,
        logger,
        signal: this.#stop,
        onStandby: (error) => this.#standBy(error),
      })
    } finally {
      this.#ended.abort()
      await this.#presence?.ended
      await this.#stores?.close()
    }
  }

  /** The generation that serves, and the next one when another is promoted. */
  async #importPlanned(): Promise<void> {
    const { controlStore } = await this.#open()
    for (let superseded = true; superseded && !this.#stop.aborted; ) {
      const plan = await readPlan(controlStore)
      this.#generation = plan.generation
      superseded = await this.#importInto(plan)
    }
  }

  async #importInto(plan: Awaited<ReturnType<typeof readPlan>>): Promise<boolean> {
    const { folder, logger, report, signal } = this.#context
    const stores = await this.#open()
    const { generation } = plan
    const over = new AbortController()
    let closing: Promise<void> | undefined
    let copy: LogCopy | undefined
    let isWhole = false
    try {
      const onProgress = this.#totals.begin()
      const superseded = await importGeneration({
        ...this.#parts,
        stores,
        generation,
        servesAs: publicLogName(this.#parts.engines, folder, generation),
        until: (next) => next.generation !== generation,
        logger,
        signal: this.#stop,
        onOpen: () => {
          // Only the one that imports: those that stand by would look at it all the time.
          closing = closeRetired({ ...this.#parts, plan, stores, folder, logger, signal: over.signal })
          copy = this.#copyOf(generation)
          this.#totals.open()
          report({ kind: 'ready', role: 'import' })
          void this.#presence?.beat()
        },
        onProgress,
      })
      isWhole = true
      return superseded
    } catch (error) {
      throw explained(error, this.#parts.settings)
    } finally {
      over.abort()
      await copy?.end({ whole: isWhole && !signal.aborted })
      await closing
    }
  }

  #copyOf(generation: number): LogCopy {
    const { config, logger, signal } = this.#context
    return new LogCopy({ ...{ config, generation, logger, signal }, ...this.#parts, onProgress: this.#onCopied })
  }

  #standBy(error: LedgerError): void {
    this.#totals.wait(error, true)
    this.#context.report({ kind: 'ready', role: 'import' })
  }

  async #open(): Promise<Stores> {
    if (this.#stores) return this.#stores
    const stores = await this.#parts.engines.openStores()
    this.#stores = stores
    this.#presence = announcePresence({
      control: stores.controlStore,
      role: 'import',
      codeVersion,
      host: hostname(),
      pid: process.pid,
      figures: () => ({ imports: this.#totals.presence(this.#generation) }),
      signal: this.#ended.signal,
      logger: this.#context.logger,
    })
    return stores
  }
}
