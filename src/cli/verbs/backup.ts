import { resolve } from 'node:path'
import type { Command } from 'commander'
import { contentOf } from '#src/cli/backup/manifest.ts'
import { partsOf } from '#src/cli/backup/parts.ts'
import { takeBackup } from '#src/cli/backup/take-backup.ts'
import { type DataFolder, folderOf } from '#src/cli/data-folder.ts'
import { enginesOf } from '#src/cli/engines.ts'
import { nextCommand } from '#src/cli/importing/next-command.ts'
import { runVerb, type VerbContext } from '#src/cli/run-verb.ts'
import { addDeploymentOptions } from '#src/cli/verbs/projections/options.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { formatCount } from '#src/runtime/watch/status.ts'

const examples = `  ledger-history backup /backups/ledger
  ledger-history backup /backups/ledger                          again: of the log only what is new is copied
  ledger-history backup /backups/ledger --without-read-models    they are built again from the log after a restore
  ledger-history restore /backups/ledger --data data-2`

export function addBackup(program: Command): void {
  const command = program.command('backup').argument('<folder>', 'folder for the backup; new, or with an earlier one')
  command.description('Copy and check what is embedded in a data folder, while it is in use or not')
  command.option('--without-read-models', 'leave out what can be built again from the log')
  addDeploymentOptions(command, examples)
  command.action((target: string) =>
    runVerb(command, async (verb) => {
      const { withoutReadModels = false } = command.opts<{ withoutReadModels?: boolean }>()
      const next = (name: string): string =>
        nextCommand(name, verb.loaded, command, [], new Map([['data', `${verb.config.data}-restored`]]))
      await backUp(verb, resolve(target), !withoutReadModels, next)
    }),
  )
}

async function backUp(
  verb: VerbContext,
  target: string,
  hasReadModels: boolean,
  next: (verb: string) => string,
): Promise<void> {
  const { config, logger, terminal, signal, outcome } = verb
  const folder = folderOf(config, undefined, 'existing')
  assertApart(folder, target)
  const parts = await partsOf(config, folder, enginesOf(config, folder, logger))
  if (parts.ledgers.length + parts.kept.length + parts.readModels.length === 0) throw nothingHere(folder)
  const { manifest, added } = await takeBackup({
    target,
    folder,
    parts,
    hasReadModels,
    signal,
    onProgress: (what) => terminal.setStatus(what),
  })
  terminal.setStatus('')
  const { logs, files, takenAt } = manifest
  const events = logs.filter(({ isLedger }) => isLedger).reduce((sum, { last }) => sum + last, 0)
  const readModels = files.filter(({ path }) => path.includes('@')).length
  const content = contentOf(manifest, hasReadModels, ` (${formatCount(added)} of them new)`)
  terminal.print(`Backed up ${folder.path} to ${target}: ${content}; all of it was read and holds`)
  terminal.print(`next: ${next(`restore ${target}`)}`)
  Object.assign(outcome, { folder: target, takenAt, events, added, readModels, files: files.length })
}

/** It would be copied with the next backup, and lost with the disk. */
function assertApart({ path }: DataFolder, target: string): void {
  if (target !== path && !target.startsWith(`${path}/`)) return
  const message = `The folder ${target} of the backup lies in the data folder; name one outside of it, best on another disk`
  throw new LedgerError('config_invalid', message, { target })
}

function nothingHere({ path }: DataFolder): LedgerError {
  const message = `Nothing of this deployment is kept in ${path}; its engines have backups of their own, see docs/how-to/back-up-and-restore.md`
  return new LedgerError('operation_refused', message, { path })
}
