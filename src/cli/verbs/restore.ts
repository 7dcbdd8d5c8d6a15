import { resolve } from 'node:path'
import type { Command } from 'commander'
import { contentOf, getManifest, type Manifest } from '#src/cli/backup/manifest.ts'
import { checkBackup, restoreBackup } from '#src/cli/backup/restore-backup.ts'
import { nextCommand } from '#src/cli/importing/next-command.ts'
import { runVerb } from '#src/cli/run-verb.ts'
import { addDeploymentOptions } from '#src/cli/verbs/projections/options.ts'

interface Options {
  readonly withoutReadModels?: boolean
  readonly dryRun?: boolean
}

const examples = `  ledger-history restore /backups/ledger --data data-2
  ledger-history restore /backups/ledger --dry-run               only read all of it, and say whether it is whole
  ledger-history restore /backups/ledger --data data-2 --without-read-models`

export function addRestore(program: Command): void {
  const command = program.command('restore').argument('<folder>', 'folder of a backup')
  command.description('Make a data folder of a backup in a new or empty folder (`--data`)')
  command.option('--without-read-models', 'leave out what can be built again from the log')
  command.option('--dry-run', 'read and check all of it, and write nothing')
  addDeploymentOptions(command, examples)
  command.action((folder: string) =>
    runVerb(command, async ({ config, terminal, signal, loaded, outcome }) => {
      const { withoutReadModels = false, dryRun = false } = command.opts<Options>()
      const source = resolve(folder)
      const data = resolve(config.data)
      const manifest = getManifest(source)
      const hasReadModels = manifest.hasReadModels && !withoutReadModels
      const onProgress = (what: string): void => terminal.setStatus(what)
      await (dryRun ? checkBackup : restoreBackup)({ source, manifest, data, hasReadModels, signal, onProgress })
      terminal.setStatus('')
      const what = described(manifest, hasReadModels)
      terminal.print(
        dryRun ? `The backup in ${source} is whole: ${what}` : `Restored ${what} from ${source} to ${data}`,
      )
      terminal.print(`next: ${nextCommand(dryRun ? `restore ${source}` : 'projections status', loaded, command)}`)
      const { takenAt, network, codeVersion } = manifest
      Object.assign(outcome, {
        folder: source,
        data: dryRun ? null : data,
        takenAt,
        network,
        codeVersion,
        hasReadModels,
      })
    }),
  )
}

function described(manifest: Manifest, hasReadModels: boolean): string {
  const { takenAt, network, codeVersion } = manifest
  const of = network === null ? '' : ` of network "${network}"`
  return `${contentOf(manifest, hasReadModels)}${of} as of ${takenAt}, made by release ${codeVersion}`
}
