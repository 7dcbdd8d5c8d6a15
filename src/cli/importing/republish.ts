import { hostname } from 'node:os'
import { codeVersion } from '#src/cli/code-version.ts'
import { counted } from '#src/cli/counted.ts'
import type { ImportFigures } from '#src/cli/import-figures.ts'
import {
  damageOf,
  figuresOf,
  type ImportDeployment,
  lastKnownFigures,
  withLog,
  withSeenLog,
} from '#src/cli/importing/import-deployment.ts'
import { explained, importGeneration, settingsOf } from '#src/cli/importing/import-generation.ts'
import { type ImportInputs, openImportInputs } from '#src/cli/importing/import-inputs.ts'
import { importOrStandBy } from '#src/cli/importing/import-standby.ts'
import { ImportTotals } from '#src/cli/importing/import-totals.ts'
import { openingAddressBook } from '#src/cli/importing/opening-address-book.ts'
import type { ReadSources } from '#src/cli/importing/stream-presence.ts'
import { openStreamSource } from '#src/cli/importing/stream-source.ts'
import { showStatus } from '#src/cli/show-status.ts'
import { LedgerError } from '#src/domain/errors.ts'
import type { ImporterSettings, ImportProgress } from '#src/importer/settings.ts'
import { beginGeneration } from '#src/operations/decide.ts'
import { decisionsGeneration, type Plan } from '#src/operations/plan.ts'
import { changePlan, readPlan } from '#src/operations/plan-store.ts'
import { announcePresence } from '#src/operations/presence.ts'
import { StatusBoard } from '#src/runtime/watch/status.ts'

export interface RepublishOptions {
  readonly deployment: ImportDeployment
  /** That the serving log holds; null where that is empty. */
  readonly network: string | null
  /** In the operator's words. */
  readonly reason: string
  /** A command line with the settings of this deployment. */
  readonly commandFor: (verb: string) => string
}

/** Writes a new log generation beside the serving one, until the source ends (once) or the new one is promoted. */
export class Republish {
  readonly #options: RepublishOptions
  readonly #board = new StatusBoard(() => performance.now())
  readonly #totals: ImportTotals
  #sources: ReadSources | undefined
  #generation = 0
  /** Consensus time of the serving log's last block when this began, until it is reached. */
  #goal: bigint | undefined
  #outcome: 'promoted' | 'given up' | undefined

  constructor(options: RepublishOptions) {
    this.#options = options
    this.#totals = new ImportTotals({
      observe: () => undefined,
      show: (status) => this.#board.setImport(status),
      sources: () => this.#sources,
    })
  }

  async run(): Promise<void> {
    const { deployment, reason } = this.#options
    const { verb, folder, stores } = deployment
    const { config, logger, terminal } = verb
    const serving = await servingFigures(deployment)
    this.#goal = serving.lastBlock?.time
    const settings = await republishSettings(deployment, this.#options.network)
    const inputs = await openImportInputs({ config, folder, settings, logger })
    this.#sources = { ...inputs, setting: settings.stream }
    const ended = new AbortController()
    const stopShowing = showStatus(this.#board, terminal, logger)
    try {
      const begun = await this.#begin(reason)
      terminal.print(begun)
      const presence = announcePresence({
        control: stores.controlStore,
        role: 'republish',
        codeVersion,
        host: hostname(),
        pid: process.pid,
        figures: () => ({ imports: this.#totals.presence(this.#generation) }),
        signal: ended.signal,
        logger,
      })
      try {
        await this.#import(inputs, settings)
      } finally {
        ended.abort()
        await presence.ended
      }
    } finally {
      stopShowing()
      await inputs.close()
    }
    terminal.print(await this.#verdict(serving))
  }

  async #begin(reason: string): Promise<string> {
    const { engines, stores } = this.#options.deployment
    await assertUnused(this.#options.deployment)
    let [generation, resumed] = [0, false]
    await changePlan(stores.controlStore, (plan) => {
      const begun = beginGeneration(plan, reason, new Date().toISOString())
      ;({ generation, resumed } = begun)
      return begun.plan
    })
    this.#generation = generation
    return `${resumed ? 'Going on with' : 'Writing'} log generation ${generation}, ${engines.logName(generation)}`
  }

  async #import(inputs: ImportInputs, settings: ImporterSettings): Promise<void> {
    const { deployment } = this.#options
    const { engines, stores, verb } = deployment
    const { config, logger, signal } = verb
    const attempt = () => this.#attempt(inputs, settings)
    if (config.once) return attempt()
    await importOrStandBy(attempt, {
      engines,
      totals: this.#totals,
      controlStore: async () => stores.controlStore,
      generation: () => this.#generation,
      logger,
      signal,
      onStandby: (error) => this.#totals.wait(error, true),
    })
  }

  async #attempt(inputs: ImportInputs, settings: ImporterSettings): Promise<void> {
    const { engines, stores, verb } = this.#options.deployment
    const generation = this.#generation
    // One that stood by may find its generation promoted or pruned: opening it would make it anew.
    if (this.#isOver(await readPlan(stores.controlStore))) return
    const observe = this.#totals.begin()
    try {
      await importGeneration({
        engines,
        stores,
        inputs,
        settings,
        generation,
        until: (plan) => this.#isOver(plan),
        logger: verb.logger,
        signal: verb.signal,
        onOpen: () => this.#totals.open(),
        onProgress: (progress) => {
          observe(progress)
          this.#sayWhenReached(progress)
        },
      })
    } catch (error) {
      throw explained(error, settings)
    }
  }

  #isOver(plan: Plan): boolean {
    const state = plan.generations[this.#generation]?.state
    // Promoted, and perhaps replaced again since.
    if (state === 'serving' || state === 'retired') this.#outcome = 'promoted'
    else if (state === undefined) this.#outcome = 'given up'
    return state !== 'writing'
  }

  #sayWhenReached({ latestTime, latestBlock }: ImportProgress): void {
    if (this.#goal === undefined || latestTime === undefined || latestTime < this.#goal) return
    this.#goal = undefined
    const { deployment, commandFor } = this.#options
    const { terminal, logger } = deployment.verb
    void readPlan(deployment.stores.controlStore).then(
      (plan) => {
        const reached = `Log generation ${this.#generation} has reached the serving one's last block, with block ${latestBlock}. Next:`
        terminal.print(
          [reached, ...nextSteps(plan, this.#generation).map((step) => `  ${commandFor(step)}`)].join('\n'),
        )
      },
      (error: unknown) => logger.warn({ err: error }, 'the plan cannot be read'),
    )
  }

  async #verdict({ lastBlock }: ImportFigures): Promise<string> {
    const { deployment, commandFor } = this.#options
    const generation = this.#generation
    const { verb } = deployment
    if (this.#outcome === 'promoted') return `Log generation ${generation} is promoted; the importer goes on in it`
    if (this.#outcome === 'given up') return `Log generation ${generation} was pruned; nothing more is written to it`
    const written = await figuresOf(deployment, generation)
    const has = `Log generation ${generation} has ${counted(Number(written.blocks), 'block')} with ${counted(Number(written.transactions), 'transaction')}`
    const short = lastBlock && (written.lastBlock === undefined || written.lastBlock.time < lastBlock.time)
    if (verb.signal.aborted) return `${has}; run the same command again to go on`
    if (short)
      return `${has}, but ends before block ${lastBlock.number} of the serving one (${lastBlock.name}); bring the files behind its end, and run the same command again`
    const plan = await readPlan(deployment.stores.controlStore)
    return [`${has}. Next:`, ...nextSteps(plan, generation).map((step) => `  ${commandFor(step)}`)].join('\n')
  }
}

/** A log that the plan knows nothing of is left over from another deployment, and would be gone on with. */
async function assertUnused(deployment: ImportDeployment): Promise<void> {
  const { engines, stores } = deployment
  const { generation, resumed } = beginGeneration(await readPlan(stores.controlStore), '', '')
  if (resumed) return
  const { sequence } = await withLog(deployment, generation, (log) => log.head())
  if (sequence === 0) return
  throw new LedgerError(
    'operation_refused',
    `The log ${engines.logName(generation)} of the next generation, ${generation}, holds events already that this deployment knows nothing of; find out whose they are, and remove or rename it`,
    { generation },
  )
}

/** What is to be done with a generation that is whole. */
function nextSteps({ readModels }: Plan, generation: number): string[] {
  const names = Object.entries(readModels)
    .filter(([, { serving, instances }]) => instances[serving]?.generation !== decisionsGeneration)
    .map(([name]) => name)
  const rebuild = names.length === 0 ? [] : [`projections rebuild ${names.join(' ')} --generation ${generation}`]
  return [...rebuild, `import promote ${generation}`]
}

async function servingFigures(deployment: ImportDeployment): Promise<ImportFigures> {
  const { generation } = await readPlan(deployment.stores.controlStore)
  const figures = await lastKnownFigures(deployment, generation)
  if (figures.lastBlock !== undefined) return figures
  throw new LedgerError(
    'operation_refused',
    'The serving log holds no block yet, so there is nothing to write anew; run "ledger-history import run"',
  )
}

/** Where no address book is configured, the one that the serving log began with opens the new one, too. */
async function republishSettings(deployment: ImportDeployment, network: string | null): Promise<ImporterSettings> {
  const { verb, folder } = deployment
  const settings = settingsOf({ config: verb.config, folder, network })
  if (settings.addressBook !== undefined) return settings
  const { generation } = await readPlan(deployment.stores.controlStore)
  return { ...settings, addressBook: await bookOf(deployment, generation) }
}

/** undefined where it is not to be had from the log any more: then one has to be given. */
async function bookOf(deployment: ImportDeployment, generation: number): Promise<Uint8Array | undefined> {
  try {
    return await withSeenLog(deployment, generation, openingAddressBook)
  } catch (error) {
    const damage = damageOf(error)
    if (damage === undefined) throw error
    deployment.verb.logger.warn(
      { generation, reason: damage.message },
      'the serving log does not tell its address book',
    )
    return undefined
  }
}

/** What a republish would do. */
export async function describeRepublish(deployment: ImportDeployment, reason: string): Promise<string> {
  const { verb, folder, engines, stores } = deployment
  const plan = await readPlan(stores.controlStore)
  const serving = await servingFigures(deployment)
  const { generation, resumed } = beginGeneration(plan, reason, new Date().toISOString())
  const source = await openStreamSource(verb.config, folder)
  try {
    const begin = resumed ? 'go on with' : 'write'
    return [
      `Would ${begin} log generation ${generation}, ${engines.logName(generation)}, from ${source.description}`,
      `The serving generation ${plan.generation} has ${counted(Number(serving.blocks), 'block')} and stays as it is`,
    ].join('\n')
  } finally {
    await source.close()
  }
}
