import type { Command } from 'commander'
import { openSqliteLog } from '#src/adapters/sqlite/message-log.ts'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import { type DataFolder, openExistingDataFolder } from '#src/cli/data-folder.ts'
import { addConfigOptions } from '#src/cli/options.ts'
import { runVerb } from '#src/cli/run-verb.ts'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'
import { importStateSchema } from '#src/importer/state-schema.ts'
import type { Row } from '#src/ports/read-store.ts'

const examples = `
Examples:
  ledger-history import status
  ledger-history import status --json | jq .latestBlock`

const progressFields = ['blockName', 'blockNumber', 'blockNumberProvisional', 'blocks', 'transactions'] as const

export function addImportStatus(group: Command): void {
  const command = group.command('status').description('Say how far the log reaches')
  addConfigOptions(command, ['data', 'network', 'log'])
  command.option('--json', 'print JSON').addHelpText('after', examples)
  command.action(() =>
    runVerb(command, async ({ config, terminal }) => {
      const status = await readImportStatus(openExistingDataFolder(config.data, config.network))
      const json = command.opts<{ json?: boolean }>().json === true
      terminal.print(json ? JSON.stringify(status) : formatStatus(status))
    }),
  )
}

type Status = Readonly<Record<string, string | number | boolean | null>>

async function readImportStatus(folder: DataFolder): Promise<Status> {
  const log = openSqliteLog({ folder: folder.log })
  const store = openSqliteReadStore({ folder: folder.store })
  const state = await store.openReader(importStateSchema)
  try {
    const head = await log.head()
    const built = (await state.checkpoint()) !== undefined
    const [progress] = built ? await state.get('progress', [[0]], progressFields) : []
    return {
      network: folder.marker.network,
      events: head.sequence,
      latestConsensusTimestamp: head.time === undefined ? null : formatLedgerTime(head.time),
      latestBlock: numberOf(progress, 'blockNumber'),
      latestBlockProvisional: numberOf(progress, 'blockNumberProvisional') === 1,
      latestFile: typeof progress?.['blockName'] === 'string' ? progress['blockName'] : null,
      blocks: numberOf(progress, 'blocks') ?? 0,
      transactions: numberOf(progress, 'transactions') ?? 0,
    }
  } finally {
    await state.close()
    await store.close()
    await log.close()
  }
}

function numberOf(row: Row | undefined, field: string): number | null {
  const value = row?.[field]
  return typeof value === 'bigint' || typeof value === 'number' ? Number(value) : null
}

function formatStatus(status: Status): string {
  const width = Math.max(...Object.keys(status).map((name) => name.length))
  return Object.entries(status)
    .map(([name, value]) => `${name.padEnd(width)}  ${value ?? '-'}`)
    .join('\n')
}
