import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ConfigSources } from '#src/config/load.ts'
import { LedgerError } from '#src/domain/errors.ts'

/** Name of the configuration file that is read from the working folder when it is there. */
const configFileName = 'ledger-history.json'

export interface ProcessEnvironment {
  /** Variables that begin with LEDGER_. */
  readonly variables: Readonly<Record<string, string>>
  /** False when the user asked for no colours (NO_COLOR). */
  readonly colours: boolean
}

/** The only place that reads the process environment. */
export function readEnvironment(env: NodeJS.ProcessEnv = process.env): ProcessEnvironment {
  const variables: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) {
    if (name.startsWith('LEDGER_') && value !== undefined) variables[name] = value
  }
  return { variables, colours: (env['NO_COLOR'] ?? '') === '' }
}

/** The file named by `--config` or LEDGER_CONFIG, else `ledger-history.json` of the working folder when it exists. */
export function readConfigFile(flag: string | undefined, environment: ProcessEnvironment): ConfigSources['file'] {
  const named = flag ?? environment.variables['LEDGER_CONFIG']
  const path = resolve(named ?? configFileName)
  if (named === undefined && !existsSync(path)) return undefined
  try {
    return { name: named ?? configFileName, text: readFileSync(path, 'utf8') }
  } catch (error) {
    throw new LedgerError(
      'config_invalid',
      `Configuration file ${path} cannot be read; check the path given with --config`,
      { path },
      error,
    )
  }
}
