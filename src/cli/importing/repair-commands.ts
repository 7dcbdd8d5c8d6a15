import type { Command } from 'commander'
import type { RepairCommands } from '#src/cli/importing/gap-texts.ts'
import { deploymentGroups, nextCommand } from '#src/cli/importing/next-command.ts'
import { findNetworkName } from '#src/cli/network-name.ts'
import type { VerbContext } from '#src/cli/run-verb.ts'
import { findFirstBlock } from '#src/importer/first-block.ts'
import { parseStreamFileName } from '#src/importer/record/file-name.ts'
import type { MessageLog } from '#src/ports/message-log.ts'

const groups = [...deploymentGroups, 'source', 'blocks', 'cutover', 'import']

export interface RepairOptions {
  readonly log: MessageLog
  /** That the log holds. */
  readonly network: string
  readonly verb: Pick<VerbContext, 'config' | 'loaded'>
  readonly command: Command
}

/**
 * What repairs a log, with the settings of a verb. The dates that are set may be what made a gap, so a command says
 * otherwise where they would keep it from being filled.
 */
export async function repairCommands({ log, network, verb, command }: RepairOptions): Promise<RepairCommands> {
  const { config, loaded } = verb
  const { startDate, endDate } = config.source
  const first = startDate === null ? undefined : await findFirstBlock(log)
  const begins = first && parseStreamFileName(first.name)?.instant
  const isBehindStart = startDate !== null && begins !== undefined && startDate >= begins
  const fromStart: [string, string][] = isBehindStart ? [['start-date', '']] : []
  const withoutEnd: [string, string][] = endDate === null ? [] : [['end-date', '']]
  const commandFor = (text: string, overrides: [string, string][]): string =>
    nextCommand(text, loaded, command, groups, new Map(overrides))
  // An import may begin a log, so it goes by the name of the source unless told.
  const named: [string, string][] = findNetworkName(config) === network ? [] : [['network', network]]
  return {
    run: commandFor('import run --once', named),
    republish: commandFor('import republish', []),
    republishFromStart: commandFor('import republish', fromStart),
    republishWithoutEnd: commandFor('import republish', [...fromStart, ...withoutEnd]),
  }
}
