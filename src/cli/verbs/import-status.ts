import type { Command } from 'commander'
import { type DataFolder, openExistingDataFolder } from '#src/cli/data-folder.ts'
import { readImportFigures } from '#src/cli/import-figures.ts'
import { addConfigOptions } from '#src/cli/options.ts'
import { runVerb } from '#src/cli/run-verb.ts'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'

const examples = `
Examples:
  ledger-history import status
  ledger-history import status --json | jq .latestBlock`

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
  const { position, time, lastBlock, blocks, transactions } = await readImportFigures(folder)
  return {
    network: folder.marker.network,
    events: position,
    latestConsensusTimestamp: time === undefined ? null : formatLedgerTime(time),
    latestBlock: lastBlock === undefined ? null : Number(lastBlock.number),
    latestBlockProvisional: lastBlock?.numberProvisional ?? false,
    latestFile: lastBlock?.name ?? null,
    blocks: Number(blocks),
    transactions: Number(transactions),
  }
}

function formatStatus(status: Status): string {
  const width = Math.max(...Object.keys(status).map((name) => name.length))
  return Object.entries(status)
    .map(([name, value]) => `${name.padEnd(width)}  ${value ?? '-'}`)
    .join('\n')
}
