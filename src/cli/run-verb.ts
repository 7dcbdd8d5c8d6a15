import type { Command } from 'commander'
import { describeFailure } from '#src/cli/errors.ts'
import { configFor } from '#src/cli/options.ts'
import { createLogger, Terminal } from '#src/cli/terminal.ts'
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
}

/** Loads the configuration, runs a verb, and turns what it throws into one sentence and an exit code. */
export async function runVerb(command: Command, verb: (context: VerbContext) => Promise<void>): Promise<void> {
  let debug = false
  try {
    const loaded = configFor(command)
    const { config } = loaded
    debug = config.log.level === 'debug' || config.log.level === 'trace'
    await runWith(loaded, verb)
  } catch (error) {
    process.stderr.write(`${describeFailure(error, debug)}\n`)
    process.exitCode = exitCodeOf(error)
  }
}

async function runWith(loaded: LoadedConfig, verb: (context: VerbContext) => Promise<void>): Promise<void> {
  const { config, warnings } = loaded
  const terminal = new Terminal({
    out: process.stdout,
    err: process.stderr,
    format: config.log.format,
    colours: readEnvironment().colours,
  })
  const logger = createLogger(config.log.level, 'main', (line) => terminal.log(line))
  for (const warning of warnings) logger.warn({ warning }, 'setting ignored')
  const shutdown = createShutdown({
    source: process,
    now: () => performance.now(),
    onStop: (signal) => logger.info({ signal }, signal === 'SIGINT' ? stoppingByKey : stoppingBySignal),
    onForce: () => process.exit(130),
  })
  try {
    await verb({ config, loaded, terminal, logger, signal: shutdown.signal })
  } finally {
    shutdown.release()
  }
}
