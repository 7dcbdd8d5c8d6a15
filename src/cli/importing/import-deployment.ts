import { existsSync } from 'node:fs'
import type { DataFolder } from '#src/cli/data-folder.ts'
import { type Engines, enginesOf, type Stores } from '#src/cli/engines.ts'
import { type ImportFigures, readImportFigures, readStateFigures } from '#src/cli/import-figures.ts'
import type { VerbContext } from '#src/cli/run-verb.ts'
import { seenLogs } from '#src/cli/seen-log.ts'
import { type ErrorCode, isLedgerError, LedgerError } from '#src/domain/errors.ts'
import type { TopicName } from '#src/events/event-types.ts'
import type { GenerationPlan, Plan } from '#src/operations/plan.ts'
import type { MessageLog } from '#src/ports/message-log.ts'

/** What an operator's import verb works on. */
export interface ImportDeployment {
  readonly verb: VerbContext
  readonly folder: DataFolder
  readonly engines: Engines
  readonly stores: Stores
}

/** Opens the stores of a deployment for one verb. */
export async function withImportDeployment<T>(
  verb: VerbContext,
  folder: DataFolder,
  use: (deployment: ImportDeployment) => Promise<T>,
): Promise<T> {
  const engines = enginesOf(verb.config, folder, verb.logger)
  const stores = await engines.openStores()
  try {
    return await use({ verb, folder, engines, stores })
  } finally {
    await stores.close()
  }
}

/** Opens the log of a generation, or what a read model publishes of it, for as long as it is used. */
export async function withLog<T>(
  { engines }: Pick<ImportDeployment, 'engines'>,
  generation: number,
  use: (log: MessageLog) => Promise<T>,
  topic: TopicName = 'transactions',
): Promise<T> {
  const log = await engines.openLog(generation, 'read', topic)
  try {
    return await use(log)
  } finally {
    await log.close()
  }
}

/** What the log of a generation holds. */
export function figuresOf(
  { engines, stores }: Pick<ImportDeployment, 'engines' | 'stores'>,
  generation: number,
): Promise<ImportFigures> {
  return withLog({ engines }, generation, (log) => readImportFigures({ log, store: stores.readStore, generation }))
}

const unreadable: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['log_damaged', 'log_gap', 'log_lost', 'schema_unknown'])

/** What is wrong with a log for good; undefined for what may pass. */
export function damageOf(error: unknown): LedgerError | undefined {
  return isLedgerError(error) && unreadable.has(error.code) ? error : undefined
}

/** The same also of a log that is lost or damaged: as far as the importer knew it. */
export async function lastKnownFigures(
  deployment: Pick<ImportDeployment, 'engines' | 'stores'>,
  generation: number,
): Promise<ImportFigures> {
  try {
    return await withSeenLog(deployment, generation, (log) =>
      readImportFigures({ log, store: deployment.stores.readStore, generation }),
    )
  } catch (error) {
    if (damageOf(error) === undefined) throw error
    return readStateFigures({ store: deployment.stores.readStore, generation })
  }
}

/** Opens a log that is held against what this deployment has seen of it: `log_lost` where it lacks some of that. */
export async function withSeenLog<T>(
  { engines, stores }: Pick<ImportDeployment, 'engines' | 'stores'>,
  generation: number,
  use: (log: MessageLog) => Promise<T>,
): Promise<T> {
  const log = await seenLogs(engines, () => stores.controlStore)(generation)
  try {
    return await use(log)
  } finally {
    await log.close()
  }
}

/** Why a log is not the one that was seen, or cannot be told; undefined when it is. */
export async function lossOf(
  deployment: Pick<ImportDeployment, 'engines' | 'stores'>,
  generation: number,
): Promise<LedgerError | undefined> {
  try {
    await withSeenLog(deployment, generation, (log) => log.head())
    return undefined
  } catch (error) {
    const damage = damageOf(error)
    if (damage === undefined) throw error
    return damage
  }
}

/** Every generation that the plan knows, the serving one among them, ascending. */
export function generationsOf(plan: Plan): number[] {
  return [...new Set([plan.generation, ...Object.keys(plan.generations).map(Number)])].sort((a, b) => a - b)
}

export function generationState(plan: Plan, generation: number): GenerationPlan['state'] {
  return generation === plan.generation ? 'serving' : (plan.generations[generation]?.state ?? 'retired')
}

/** Opening a log that is not there would make one. Throws `config_invalid`. */
export function assertGeneration(known: readonly number[], generation: number): void {
  if (known.includes(generation)) return
  const message = `There is no generation ${generation} of the log; there are ${known.join(', ')}. "ledger-history topics list" says more`
  throw new LedgerError('config_invalid', message)
}

/** Reads a generation's number from the command line; throws `config_invalid`. */
export function generationFrom(text: string): number {
  const generation = Number(text)
  if (/^\d+$/.test(text) && Number.isSafeInteger(generation) && generation >= 1) return generation
  throw new LedgerError('config_invalid', `A log generation is a whole number from 1, not "${text}"`)
}

/** Nobody simulates a network for a verb: its files are there only where `start` has written them. */
export function hasSource({ config }: VerbContext, folder: Pick<DataFolder, 'network'>): boolean {
  return config.source.location !== 'simulated' || existsSync(folder.network)
}
