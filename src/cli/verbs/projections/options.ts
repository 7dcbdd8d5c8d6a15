import type { Command } from 'commander'
import { addConfigOptions } from '#src/cli/options.ts'
import { LedgerError } from '#src/domain/errors.ts'

/** Settings of every verb that asks log and read models where they stand. */
const deploymentGroups = ['data', 'network', 'engine', 'kafka', 'mongodb', 'eventstoredb', 'registry', 'log']

/** Gives a verb the settings that say where log and read models are, and its examples. */
export function addDeploymentOptions(command: Command, examples: string, ...moreGroups: readonly string[]): Command {
  addConfigOptions(command, [...deploymentGroups, ...moreGroups])
  return command.addHelpText('after', `\nExamples:\n${examples}`)
}

/** A whole number given with a flag; undefined when it is not given. */
export function wholeNumber(text: string | undefined, flag: string, min = 1): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= min) return value
  throw new LedgerError('config_invalid', `${flag} must be a whole number from ${min}, not "${text}"`)
}

/** The id of an instance as a person writes it: `2`, `2.3`, or with the v that the output has in front. */
export function instanceIdOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const [, id] = /^v?(\d+(?:\.\d+)?)$/.exec(text) ?? []
  if (id !== undefined) return id
  throw new LedgerError(
    'config_invalid',
    `--version must be a version such as 2, or a build of it such as 2.3, not "${text}"`,
  )
}
