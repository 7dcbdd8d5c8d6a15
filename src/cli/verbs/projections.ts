import type { Command } from 'commander'
import { allProjections } from '#projections/index.ts'
import { openSqliteLog } from '#src/adapters/sqlite/message-log.ts'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import { counted } from '#src/cli/counted.ts'
import { openExistingDataFolder } from '#src/cli/data-folder.ts'
import { addConfigOptions } from '#src/cli/options.ts'
import { runVerb } from '#src/cli/run-verb.ts'
import { formatProgress, type ProjectionStatus } from '#src/runtime/status.ts'
import { ProjectionWatch } from '#src/runtime/status-watch.ts'

export function addProjectionsList(group: Command): void {
  const command = group.command('list').description('List the read models that this version keeps')
  addConfigOptions(command, ['log'])
  command.option('--json', 'print JSON').addHelpText('after', '\nExamples:\n  ledger-history projections list --json')
  command.action(() =>
    runVerb(command, async ({ terminal }) => {
      const rows = allProjections.map(({ schema, reads }) => ({
        name: schema.name,
        version: schema.version,
        collections: Object.keys(schema.collections),
        reads: Object.keys(reads),
      }))
      if (wantsJson(command)) terminal.print(JSON.stringify(rows))
      else
        for (const row of rows)
          terminal.print(
            `${row.name} v${row.version}  reads ${row.reads.join(', ')}  keeps ${row.collections.join(', ')}`,
          )
    }),
  )
}

export function addProjectionsStatus(group: Command): void {
  const command = group.command('status').description('Say how far each read model is behind the log')
  addConfigOptions(command, ['data', 'network', 'log'])
  command.option('--json', 'print JSON')
  command.addHelpText(
    'after',
    '\nExamples:\n  ledger-history projections status\n  ledger-history projections status --json --data /var/ledger',
  )
  command.action(() =>
    runVerb(command, async ({ config, terminal }) => {
      const folder = openExistingDataFolder(config.data, config.network)
      const statuses = await measureProjections(folder)
      terminal.print(wantsJson(command) ? JSON.stringify(statuses.map(atRest)) : formatProjections(statuses))
    }),
  )
}

async function measureProjections(folder: {
  readonly log: string
  readonly store: string
}): Promise<ProjectionStatus[]> {
  const log = openSqliteLog({ folder: folder.log })
  const store = openSqliteReadStore({ folder: folder.store })
  const watch = new ProjectionWatch({ log, store, projections: allProjections, now: () => performance.now() })
  try {
    return await watch.measure()
  } finally {
    await watch.close()
    await store.close()
    await log.close()
  }
}

/** One line per read model: `transactions v1  100.0%  1,234 / 1,234  lag 0.0 s  up to date`. */
export function formatProjections(statuses: readonly ProjectionStatus[]): string {
  const labels = statuses.map(({ name, version }) => `${name} v${version}`)
  const width = Math.max(0, ...labels.map((label) => label.length))
  return statuses.map((status, index) => `${labels[index]!.padEnd(width)}  ${formatStatus(status)}`).join('\n')
}

function formatStatus(status: ProjectionStatus): string {
  const { lagSeconds, parked } = status
  const parkedText = parked === 0 ? '' : `  ${counted(parked, 'event')} parked`
  const state = atRest(status).state.replaceAll('_', ' ')
  return `${formatProgress(status)}  lag ${lagSeconds.toFixed(1)} s  ${state}${parkedText}`
}

type RestState = 'not_built' | 'behind' | 'up_to_date'

/** Nothing may be running, so a verb says where a read model stands and not what it is doing. */
function atRest({ stalledSeconds: _, ...status }: ProjectionStatus): Omit<
  ProjectionStatus,
  'state' | 'stalledSeconds'
> & {
  readonly state: RestState
} {
  const { position, head, state } = status
  return { ...status, state: state === 'starting' ? 'not_built' : position < head ? 'behind' : 'up_to_date' }
}

function wantsJson(command: Command): boolean {
  return command.opts<{ json?: boolean }>().json === true
}
