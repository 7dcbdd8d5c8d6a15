import type { Command } from 'commander'
import type { AnyKey } from '#src/config/keys.ts'
import { getAt, type LoadedConfig } from '#src/config/load.ts'
import { showValue } from '#src/config/print.ts'
import { configKeys } from '#src/config/schema.ts'

/** Settings that say which deployment a verb is about. */
export const deploymentGroups = ['data', 'network', 'engine', 'kafka', 'mongodb', 'eventstoredb', 'registry'] as const

/**
 * A command to run next in the same deployment: the verb, with the settings of these groups that were given as flags here.
 * Secrets are left out, or redacted within an address, and what environment and configuration file say needs no repeating.
 * `overrides`: further values by flag name, which count instead of what is set.
 */
export function nextCommand(
  verb: string,
  { config, origins }: LoadedConfig,
  command: Command,
  groups: readonly string[] = deploymentGroups,
  overrides: ReadonlyMap<string, string> = new Map(),
): string {
  const file = command.opts<{ config?: string }>().config
  const flags = configKeys
    .filter(({ name, path }) => groups.includes(path[0] ?? '') && origins.get(name) === 'flag')
    .filter(({ flagName }) => !overrides.has(flagName))
    .flatMap(({ flagName, path, key }) => {
      const text = shownText(key, getAt(config, path))
      return text === undefined ? [] : [`--${flagName} ${quoted(text)}`]
    })
  flags.push(...[...overrides].map(([flagName, text]) => `--${flagName} ${quoted(text)}`))
  return ['ledger-history', verb, ...(file === undefined ? [] : [`--config ${quoted(file)}`]), ...flags].join(' ')
}

function shownText(key: AnyKey, value: unknown): string | undefined {
  if (!key.secret) return showValue(value)
  return key.redact === undefined ? undefined : showValue(key.redact(value))
}

/** As a shell takes it for one word. */
export function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
