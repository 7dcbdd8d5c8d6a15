import { type Command, Option } from 'commander'
import { readConfigFile, readEnvironment } from '#src/config/environment.ts'
import { type LoadedConfig, loadConfig } from '#src/config/load.ts'
import { showValue } from '#src/config/print.ts'
import { configKeys, type NamedKey } from '#src/config/schema.ts'

/** First path elements of configuration keys, such as `source`, or whole names, such as `port` and `source.stream`. */
export type KeyGroups = readonly string[] | 'all'

const headings: Readonly<Record<string, string>> = {
  source: 'Source:',
  blocks: 'Block streams:',
  cutover: 'Cutover to block streams:',
  import: 'Import:',
  simulation: 'Simulated network:',
  projection: 'Projections:',
  contractLogs: 'Logs of contracts:',
  output: 'Outputs:',
  api: 'API:',
  engine: 'Engines:',
  kafka: 'Kafka:',
  mongodb: 'MongoDB:',
  eventstoredb: 'EventStoreDB:',
  status: 'Status page:',
  registry: 'Schema registry:',
  log: 'Logging:',
}

/** Options that stand for configuration keys: a verb may have one of the same name that means something else. */
const ofConfig = new WeakSet<Option>()

/** Gives a verb `--config` and one flag per configuration key of these groups. */
export function addConfigOptions(command: Command, groups: KeyGroups): Command {
  // First, so that its heading, under which the verb's own options stand, comes before those of the groups.
  command.option('--config <file>', 'configuration file (default: ledger-history.json when it is there)')
  for (const named of configKeys) {
    if (groups !== 'all' && !groups.includes(named.path[0] ?? '') && !groups.includes(named.name)) continue
    const option = optionOf(named)
    ofConfig.add(option)
    command.addOption(option)
  }
  return command
}

function optionOf({ key, flagName, path }: NamedKey): Option {
  const shown = showValue(key.default)
  const value = key.switch ? ' [true|false]' : ' <value>'
  const notes = [key.switch ? '' : key.accepts, shown === '' ? '' : `default ${shown}`, key.unit ?? '']
  const note = notes.filter((part) => part !== '').join('; ')
  const option = new Option(`--${flagName}${value}`, note === '' ? key.description : `${key.description} (${note})`)
  const heading = path.length > 1 ? headings[path[0] ?? ''] : undefined
  return heading === undefined ? option : option.helpGroup(heading)
}

/** The configuration in force for a verb: its flags, the environment, the file, the defaults. */
export function configFor(command: Command): LoadedConfig {
  const given = command.optsWithGlobals<Record<string, unknown>>()
  const flags: Record<string, unknown> = {}
  for (const option of command.options)
    if (ofConfig.has(option) || option.long === '--config')
      flags[option.long?.slice(2) ?? ''] = given[option.attributeName()]
  const environment = readEnvironment()
  const file = readConfigFile(flags['config'] as string | undefined, environment)
  return loadConfig({ flags, environment: environment.variables, file })
}
