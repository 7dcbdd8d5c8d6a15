import { relative } from 'node:path'
import type { DataFolder } from '#src/cli/data-folder.ts'
import type { Engines, Stores } from '#src/cli/engines.ts'
import { errorCatalogue, isLedgerError } from '#src/domain/errors.ts'
import { closeLog } from '#src/importer/close-log.ts'
import type { ImporterSettings } from '#src/importer/settings.ts'
import { isAnotherAtWork } from '#src/importer/standby.ts'
import type { Plan } from '#src/operations/plan.ts'
import { readPlan } from '#src/operations/plan-store.ts'
import { rest } from '#src/ports/clock.ts'
import type { Logger } from '#src/ports/logger.ts'

const retryMs = 5_000

export interface CloseRetiredOptions {
  readonly plan: Plan
  readonly engines: Engines
  readonly stores: Stores
  readonly folder: Pick<DataFolder, 'path'>
  readonly settings: ImporterSettings
  readonly logger: Logger
  readonly signal: AbortSignal
}

/**
 * Lets every retired generation end with the event that names its successor, whatever becomes of the import meanwhile: a
 * retired log that is away, damaged, or still written to must not keep the serving one from growing. Tries again until
 * the signal; what cannot be closed for good is told and left. Never rejects.
 */
export async function closeRetired(options: CloseRetiredOptions): Promise<void> {
  const { plan, signal } = options
  let open = Object.keys(plan.generations)
    .map(Number)
    .filter((generation) => plan.generations[generation]?.state === 'retired')
  for (let attempt = 1; ; attempt++) {
    const waiting: number[] = []
    for (const generation of open) {
      if ((await closeOne(generation, attempt, options)) === 'later') waiting.push(generation)
    }
    open = waiting
    if (open.length === 0 || signal.aborted) return
    await rest(retryMs, signal)
    if (signal.aborted) return
  }
}

async function closeOne(generation: number, attempt: number, options: CloseRetiredOptions): Promise<'done' | 'later'> {
  const { plan, logger } = options
  try {
    const closed = await appendSuccessor(generation, options)
    if (closed) logger.info({ generation, nextGeneration: plan.generation }, 'log generation closed')
    return 'done'
  } catch (error) {
    const mayPass = isLedgerError(error) && errorCatalogue[error.code].disposition === 'retry'
    if (mayPass || isAnotherAtWork(error)) {
      if (attempt === 1) logger.warn({ generation, err: error }, 'a retired log generation is closed later')
      return 'later'
    }
    logger.error({ generation, err: error }, 'a retired log generation cannot be closed, leaving it as it is')
    return 'done'
  }
}

async function appendSuccessor(generation: number, options: CloseRetiredOptions): Promise<boolean> {
  const { stores } = options
  // It may be pruned meanwhile: opening it would make it anew.
  if ((await readPlan(stores.controlStore)).generations[generation]?.state !== 'retired') return false
  return nameServing(generation, options)
}

/** Lets a log end with the generation that serves; resolves to whether it appended. Rejects while an importer is at work in it. */
export async function nameServing(
  generation: number,
  { plan, engines, stores, folder, settings }: Omit<CloseRetiredOptions, 'logger' | 'signal'>,
): Promise<boolean> {
  const nextGeneration = plan.generation
  const nextLog = publicLogName(engines, folder, nextGeneration)
  const reason = plan.generations[nextGeneration]?.reason ?? ''
  const log = await engines.openLog(generation, 'write')
  try {
    const session = { log, store: stores.readStore, generation, settings }
    return await closeLog(session, { nextGeneration, nextLog, reason })
  } finally {
    await log.close()
  }
}

/** A topic, or a folder below the data folder: where that is on this machine is nothing that subscribers could use. */
export function publicLogName(engines: Engines, { path }: Pick<DataFolder, 'path'>, generation: number): string {
  const name = engines.logName(generation)
  return name.startsWith(path) ? relative(path, name).replaceAll('\\', '/') : name
}
