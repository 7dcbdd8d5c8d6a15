import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { folderOf } from '#src/cli/data-folder.ts'
import { deploymentGroups, nextCommand } from '#src/cli/importing/next-command.ts'
import { networkNameOf } from '#src/cli/network-name.ts'
import { addConfigOptions } from '#src/cli/options.ts'
import { runRole } from '#src/cli/run-role.ts'
import { runVerb, stopsSoon } from '#src/cli/run-verb.ts'
import { formatImported } from '#src/cli/start-texts.ts'
import type { Config } from '#src/config/schema.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { setMainEngineFlags } from '#src/runtime/process/threads.ts'
import { StatusBoard } from '#src/runtime/watch/status.ts'

/** Copies are made by who imports. */
const copyKeys = ['output.copies', 'output.batchEventsMax'] as const

const examples = `
While another importer is at work, this one stands by and takes over when that one is gone; with --once it ends.

Examples:
  ledger-history import run --source ./streams --address-book book.bin --once
  ledger-history import run --source s3://hedera-demo-streams --start-date 2024-01-01
  ledger-history import run --source ./streams --consensus-ratio 0    accept files with one valid signature`

export function addImportRun(group: Command): void {
  const command = group.command('run').description('Verify, decode and publish record files from a source to the log')
  addConfigOptions(command, [...deploymentGroups, 'once', 'source', 'blocks', 'cutover', 'import', ...copyKeys, 'log'])
  command.addHelpText('after', examples)
  command.action(() =>
    runVerb(
      command,
      async (verb) => {
        assertSource(verb.config)
        const folder = folderOf(verb.config, networkNameOf(verb.config), 'create')
        const { importBlocks } = await import('#src/cli/roles/import.ts')
        setMainEngineFlags()
        const board = new StatusBoard(() => performance.now())
        const next = nextCommand('project --once', verb.loaded, command)
        try {
          await runRole(importBlocks, { verb, folder, finish: false, board })
        } catch (error) {
          // What came before it is on the log.
          if (board.import?.blocks) verb.terminal.print(`${formatImported(board)} before it failed; next: ${next}`)
          throw error
        }
        verb.terminal.print(`${formatImported(board)}; next: ${next}`)
      },
      stopsSoon,
    ),
  )
}

/** Nobody simulates the network here: its files are there only where `start` has written them into the data folder. */
function assertSource({ data, source }: Config): void {
  if (source.location !== 'simulated' || existsSync(join(resolve(data), 'network'))) return
  throw new LedgerError(
    'config_invalid',
    'import run needs --source; write a folder of files for it with "ledger-history network simulate"',
  )
}
