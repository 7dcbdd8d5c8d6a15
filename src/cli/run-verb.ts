import type { Command } from 'commander'
import { describeFailure } from '#src/cli/errors.ts'
import { configFor } from '#src/cli/options.ts'
import { failedOutcome, isJson, outcomeOf, printsOutcome, verbName } from '#src/cli/outcome.ts'
import { createLogger, Terminal, type TerminalStream } from '#src/cli/terminal.ts'
import { readEnvironment } from '#src/config/environment.ts'
import type { LoadedConfig } from '#src/config/load.ts'
import type { Config } from '#src/config/schema.ts'
import { exitCodeOf } from '#src/domain/errors.ts'
import type { Logger } from '#src/ports/logger.ts'
import { createShutdown } from '#src/runtime/process/lifecycle.ts'

const stoppingByKey = 'stopping; press Ctrl-C again to stop without waiting'
const stoppingBySignal = 'stopping; a second signal stops without waiting'

/** What every verb works with. */
export interface VerbContext {
  readonly config: Config
  readonly loaded: LoadedConfig
  readonly terminal: Terminal
  readonly logger: Logger
  /** Aborted by the first Ctrl-C or SIGTERM. */
  readonly signal: AbortSignal
  /** What a verb without data of its own tells programs besides its sentences (`--json`). */
  readonly outcome: Record<string, unknown>
}

export interface RunVerbOptions {
  /**
   * Told to stop, the process ends after so long, as if it had stopped: an engine that is gone answers nobody, and log and rows are
   * whole at any instant. Unless given, a verb takes its time.
   */
  readonly stopWithinMs?: number
}

/** What a role has that runs until it is stopped. */
export const stopsSoon: RunVerbOptions = { stopWithinMs: 4_000 }

/** Loads the configuration, runs a verb, and turns what it throws into one sentence and an exit code. */
export async function runVerb(
  command: Command,
  verb: (context: VerbContext) => Promise<void>,
  options: RunVerbOptions = {},
): Promise<void> {
  const told = { debug: false, hasPrinted: false }
  try {
    const loaded = configFor(command)
    const { level } = loaded.config.log
    told.debug = level === 'debug' || level === 'trace'
    await runWith(command, loaded, verb, options, told)
  } catch (error) {
    // Where data was printed before it failed, standard output has one document already.
    if (isJson(command) && !told.hasPrinted) printJson(failedOutcome(verbName(command), error))
    process.stderr.write(`${describeFailure(error, told.debug)}\n`)
    process.exitCode = exitCodeOf(error)
  }
}

function printJson(document: object): void {
  process.stdout.write(
    `${JSON.stringify(document, (_, value) => (typeof value === 'bigint' ? String(value) : value))}\n`,
  )
}

async function runWith(
  command: Command,
  loaded: LoadedConfig,
  verb: (context: VerbContext) => Promise<void>,
  { stopWithinMs }: RunVerbOptions,
  told: { hasPrinted: boolean },
): Promise<void> {
  const { config, warnings } = loaded
  const outcome: Record<string, unknown> = {}
  const lines: string[] = []
  const tellOutcome = (): void => {
    printJson(outcomeOf(verbName(command), lines.splice(0), outcome))
    told.hasPrinted = true
  }
  const isRole = stopWithinMs !== undefined
  const collect = (text: string): void => {
    lines.push(text)
    // What runs until it is stopped says at once that it runs.
    if (isRole) tellOutcome()
  }
  const out: TerminalStream = {
    isTTY: process.stdout.isTTY,
    write: (text) => {
      told.hasPrinted = true
      return process.stdout.write(text)
    },
  }
  const terminal = new Terminal({
    out: printsOutcome(command) ? { write: (text) => collect(text.trimEnd()) } : out,
    err: process.stderr,
    format: config.log.format,
    colours: readEnvironment().colours,
  })
  const logger = createLogger(config.log.level, 'main', (line) => terminal.log(line))
  for (const warning of warnings) logger.warn({ warning }, 'setting ignored')
  const shutdown = createShutdown({
    source: process,
    now: () => performance.now(),
    onStop: (signal) => {
      logger.info({ signal }, signal === 'SIGINT' ? stoppingByKey : stoppingBySignal)
      if (stopWithinMs !== undefined) setTimeout(() => end(stopWithinMs), stopWithinMs).unref()
    },
    onForce: () => process.exit(130),
  })
  const end = (timeoutMs: number): void => {
    logger.warn({ timeoutMs }, 'not stopped in time, ending without waiting')
    terminal.flush()
    process.exit()
  }
  try {
    await verb({ config, loaded, terminal, logger, signal: shutdown.signal, outcome })
    if (printsOutcome(command) && (!isRole || !told.hasPrinted)) tellOutcome()
  } finally {
    terminal.flush()
    shutdown.release()
  }
}
