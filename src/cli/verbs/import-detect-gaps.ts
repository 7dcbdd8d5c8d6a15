import type { Command } from 'commander'
import { counted } from '#src/cli/counted.ts'
import { exactJson } from '#src/cli/exact-json.ts'
import { formatGap, gapToJson } from '#src/cli/importing/gap-texts.ts'
import { hasSource, type ImportDeployment, lossOf, withLog } from '#src/cli/importing/import-deployment.ts'
import { type ImportInputs, openImportInputs } from '#src/cli/importing/import-inputs.ts'
import { importerSettings } from '#src/cli/importing/importer-settings.ts'
import { addLogVerb, type LogLook, networkOf } from '#src/cli/importing/log-verb.ts'
import { repairCommands } from '#src/cli/importing/repair-commands.ts'
import { isLedgerError } from '#src/domain/errors.ts'
import { findGaps, type GapSummary } from '#src/importer/gaps/find-gaps.ts'
import type { Gap } from '#src/importer/gaps/gap.ts'
import { SourceListing } from '#src/importer/gaps/source-files.ts'
import type { MessageLog } from '#src/ports/message-log.ts'
import { formatProgress } from '#src/runtime/watch/status.ts'

const examples = `
Reads the whole log and lists the source; nothing is changed. Exit code 1 when something is missing.

Examples:
  ledger-history import detect-gaps --source ./streams       what the log lacks of these files, and in itself
  ledger-history import detect-gaps --generation 2           another log generation than the serving one
  ledger-history import detect-gaps --json | jq .gaps`

/** More than these are counted, not listed. */
const listedMax = 1_000

export function addImportDetectGaps(group: Command): void {
  addLogVerb(group, {
    name: 'detect-gaps',
    description: 'Find what the log lacks, in itself and of its source, with the command that repairs it',
    examples,
    work: detect,
  })
}

async function detect({ deployment, command, generation, json }: LogLook): Promise<void> {
  const { verb } = deployment
  const { terminal } = verb
  const shown: object[] = []
  let count = 0
  const loss = await lossOf(deployment, generation)
  const { compared, ...summary } = await withLog(deployment, generation, async (log) => {
    const network = await networkOf(deployment, log)
    const commands = await repairCommands({ log, network, verb, command })
    const tell = (gap: Gap): void => {
      count += 1
      if (!json) terminal.tell(formatGap(gap, commands))
      else if (shown.length < listedMax) shown.push(gapToJson(gap, commands))
    }
    if (isLedgerError(loss, 'log_lost')) tell({ kind: 'lost', reason: loss.message })
    return searchBesideSource({ deployment, log, network }, tell)
  })
  if (json) {
    const { events, blocks } = summary
    terminal.print(exactJson({ generation, events, blocks: Number(blocks), compared, count, gaps: shown }))
  } else terminal.print(formatVerdict({ ...summary, compared }, count))
  if (count > 0) process.exitCode = 1
}

interface Search {
  readonly deployment: ImportDeployment
  readonly log: MessageLog
  readonly network: string
}

/** What was found, and what it was compared with; null where there is no source. */
interface Found extends GapSummary {
  readonly compared: string | null
}

async function searchBesideSource(search: Search, onGap: (gap: Gap) => void): Promise<Found> {
  const { deployment, network } = search
  const { verb, folder } = deployment
  const { config, logger } = verb
  const settings = importerSettings(config, network, undefined)
  const inputs = hasSource(verb, folder) ? await openImportInputs({ config, folder, settings, logger }) : undefined
  try {
    const summary = await searchGaps(search, inputs, onGap)
    const { source, blocks } = inputs ?? {}
    const files = config.source.location === 'none' ? undefined : source?.description
    const sources = [files, blocks?.supply.description].filter((one) => one !== undefined)
    return { ...summary, compared: sources.length === 0 ? null : [...new Set(sources)].join(' and ') }
  } finally {
    await inputs?.close()
  }
}

async function searchGaps(
  { deployment, log, network }: Search,
  inputs: ImportInputs | undefined,
  onGap: (gap: Gap) => void,
): Promise<GapSummary> {
  const { config, terminal, signal } = deployment.verb
  const settings = importerSettings(config, network, undefined)
  const gaps = findGaps({
    log,
    listing: inputs && new SourceListing(inputs.source, settings, signal),
    blocks: inputs?.blocks?.supply,
    settings,
    now: Date.now,
    signal,
    onProgress: (position, head) => terminal.setStatus(`log read  ${formatProgress({ position, head })}`),
  })
  for (;;) {
    const next = await gaps.next()
    if (next.done) {
      terminal.setStatus('')
      return next.value
    }
    onGap(next.value)
  }
}

function formatVerdict({ events, blocks, compared }: Found, count: number): string {
  const what = `${counted(Number(blocks), 'block')} in ${counted(events, 'event')}`
  const verdict = count === 0 ? `No gap: ${what}` : `${counted(count, 'gap')} in ${what}`
  return compared === null
    ? `${verdict}; no source was compared, name one with --source`
    : `${verdict}, compared with ${compared}`
}
