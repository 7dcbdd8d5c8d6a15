import type { Command } from 'commander'
import { exactJson } from '#src/cli/exact-json.ts'
import { formatInspection } from '#src/cli/importing/inspect-texts.ts'
import { givenTrust, openInspected } from '#src/cli/importing/inspected-file.ts'
import { addConfigOptions } from '#src/cli/options.ts'
import { runVerb } from '#src/cli/run-verb.ts'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'
import { type Inspection, inspectFile, isBad } from '#src/importer/inspect/inspect-file.ts'

const settings = [
  'network',
  'source.addressBook',
  'blocks.ledgerPublication',
  'blocks.blockMaxMiB',
  'import.consensusRatio',
  'log',
]

const examples = `
Reads a block (.blk, .blk.gz, .blk.zstd), a record file of any version, a sidecar or a signature file; nothing else is needed,
and nothing is changed. What is signed is tried with whom the settings name: blocks with --ledger-publication (block 0 brings
its own), record files, signature files and blocks that wrap a record file with --address-book, whose nodes count the same.
Exit code 1 when the file is none of these, or something of it was tried and does not hold.

Examples:
  ledger-history import inspect 0000000000000000007.blk.zstd --ledger-publication ledger.bin
  ledger-history import inspect 2025-07-23T20_37_42.076472454Z.rcd.gz
  ledger-history import inspect 2025-07-23T20_37_42.076472454Z.rcd_sig --address-book book.bin
  ledger-history import inspect 007.blk.zstd --json | jq .transactions`

export function addImportInspect(group: Command): void {
  const command = group
    .command('inspect')
    .description('Say what a block, record, sidecar or signature file is, and whether it holds')
  command.argument('<file>', 'file to look at')
  addConfigOptions(command, settings)
  command.option('--json', 'print JSON').addHelpText('after', examples)
  command.action((path: string) =>
    runVerb(command, async ({ config, terminal }) => {
      const inspection = await inspectFile(openInspected(path, config), await givenTrust(config))
      const json = command.opts<{ json?: boolean }>().json === true
      terminal.tell(json ? toJson(inspection) : formatInspection(inspection))
      if (isBad(inspection)) process.exitCode = 1
    }),
  )
}

const timeFields: ReadonlySet<string> = new Set(['time', 'consensusStart', 'consensusEnd'])

/** With times as the REST API writes them. */
function toJson(inspection: Inspection): string {
  return exactJson(withTimes(inspection))
}

function withTimes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withTimes)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      timeFields.has(name) && typeof one === 'bigint' ? formatLedgerTime(one) : withTimes(one),
    ]),
  )
}
