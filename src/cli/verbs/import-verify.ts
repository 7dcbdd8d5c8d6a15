import type { Command } from 'commander'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import { counted } from '#src/cli/counted.ts'
import { exactJson } from '#src/cli/exact-json.ts'
import { formatGap, gapToJson, type RepairCommands } from '#src/cli/importing/gap-texts.ts'
import { type ImportDeployment, lossOf, withLog } from '#src/cli/importing/import-deployment.ts'
import { openImportInputs } from '#src/cli/importing/import-inputs.ts'
import { importerSettings } from '#src/cli/importing/importer-settings.ts'
import { addLogVerb, type LogLook, networkOf } from '#src/cli/importing/log-verb.ts'
import { openingAddressBook } from '#src/cli/importing/opening-address-book.ts'
import { repairCommands } from '#src/cli/importing/repair-commands.ts'
import { type VerifiedOutput, verifyOutputs } from '#src/cli/importing/verify-outputs.ts'
import { isLedgerError, LedgerError } from '#src/domain/errors.ts'
import { compareWithSource } from '#src/importer/compare/compare-with-source.ts'
import { isFileProblem } from '#src/importer/file-problems.ts'
import { findGaps, type GapSummary } from '#src/importer/gaps/find-gaps.ts'
import type { Gap } from '#src/importer/gaps/gap.ts'
import { systemClock } from '#src/ports/clock.ts'
import type { MessageLog } from '#src/ports/message-log.ts'
import { formatProgress } from '#src/runtime/watch/status.ts'

const examples = `
Reads the whole log and changes nothing: checksums, the sequence, the chain of blocks, the transactions of each; and what read
models publish of it for subscribers. With --source the signed files are verified once more, and what they say is held
against the log. Exit code 1 when something is wrong.

Examples:
  ledger-history import verify                          whether the log is what was written to it
  ledger-history import verify --source ./streams       and what was signed
  ledger-history import verify --generation 2           another log generation than the serving one`

/** A finding, for people and for programs. */
interface Finding {
  readonly text: string
  readonly json: object
}

interface Verification {
  readonly summary: GapSummary
  readonly findings: readonly Finding[]
  readonly uncheckedThrough: number
  /** Last event that the source says as well; null where none was named, or the log itself does not hold. */
  readonly compared: number | null
  /** What read models have published of it. */
  readonly outputs: readonly VerifiedOutput[]
}

export function addImportVerify(group: Command): void {
  addLogVerb(group, {
    name: 'verify',
    description: 'Check that the log is what was written to it and, with --source, what the signed files say',
    examples,
    work: verify,
  })
}

async function verify({ deployment, command, generation, json }: LogLook): Promise<void> {
  const { verb } = deployment
  const { terminal } = verb
  const loss = await lossOf(deployment, generation)
  const ofLog = await withLog(deployment, generation, async (log) => {
    const network = await networkOf(deployment, log)
    return verifyLog({ deployment, loss, log, network, command })
  })
  const { engines } = deployment
  const onProgress = (topic: string, position: number, head: number): void =>
    terminal.setStatus(`${topic} read  ${formatProgress({ position, head })}`)
  const outputs = await verifyOutputs({ engines, generation, signal: verb.signal, onProgress })
  const result: Verification = { ...ofLog, outputs, findings: [...ofLog.findings, ...outputs.flatMap(findingsOf)] }
  terminal.setStatus('')
  const { findings } = result
  terminal.tell(json ? toJson(generation, result) : [...findings.map(({ text }) => text), verdict(result)].join('\n'))
  if (findings.length > 0) process.exitCode = 1
}

interface VerifyInput {
  readonly deployment: ImportDeployment
  readonly loss: LedgerError | undefined
  readonly log: MessageLog
  readonly network: string
  readonly command: Command
}

async function verifyLog(input: VerifyInput): Promise<Omit<Verification, 'outputs'>> {
  const { deployment, log, network, command } = input
  const { verb } = deployment
  const uncheckedThrough = (await log.uncheckedThrough?.()) ?? 0
  const commands = await repairCommands({ log, network, verb, command })
  const { summary, findings } = await holdAgainstItself(input, commands)
  if (isLedgerError(input.loss, 'log_lost')) {
    const gap: Gap = { kind: 'lost', reason: input.loss.message }
    findings.unshift({ text: formatGap(gap, commands), json: gapToJson(gap, commands) })
  }
  const isNamed = verb.loaded.origins.get('source.location') !== 'default'
  const { lastBlock } = summary
  if (!isNamed || findings.length > 0 || lastBlock === undefined)
    return { summary, findings, uncheckedThrough, compared: null }
  const against = await holdAgainstSource(input, lastBlock, commands)
  return { summary, uncheckedThrough, ...against }
}

async function holdAgainstItself(
  { deployment, log, network }: VerifyInput,
  commands: RepairCommands,
): Promise<{ summary: GapSummary; findings: Finding[] }> {
  const { config, terminal, signal } = deployment.verb
  const findings: Finding[] = []
  const gaps = findGaps({
    log,
    listing: undefined,
    settings: importerSettings(config, network, undefined),
    now: Date.now,
    signal,
    onProgress: (position, head) => terminal.setStatus(`log read  ${formatProgress({ position, head })}`),
  })
  for (;;) {
    const next = await gaps.next()
    if (next.done) return { summary: next.value, findings }
    if (isWrong(next.value))
      findings.push({ text: formatGap(next.value, commands), json: gapToJson(next.value, commands) })
  }
}

/** What a newer release understands better is no fault of the log. */
function isWrong({ kind }: Gap): boolean {
  return kind !== 'decoding'
}

async function holdAgainstSource(
  { deployment, log, network }: VerifyInput,
  { position: through, time: endTime }: NonNullable<GapSummary['lastBlock']>,
  { republishFromStart }: RepairCommands,
): Promise<Pick<Verification, 'findings' | 'compared'>> {
  const { config, terminal, signal, logger } = deployment.verb
  const settings = importerSettings(config, network, await openingAddressBook(log))
  const inputs = await openImportInputs({ config, folder: deployment.folder, settings, logger })
  const scratch = openSqliteReadStore({ folder: ':memory:' })
  const onProgress = (position: number): void =>
    terminal.setStatus(`files verified  ${formatProgress({ position, head: through })}`)
  try {
    const options = {
      log,
      through,
      endTime,
      ...inputs,
      settings,
      scratch,
      clock: systemClock,
      logger,
      signal,
      onProgress,
    }
    const compared = await compareWithSource(options)
    if (signal.aborted)
      throw new LedgerError('interrupted', 'The verification was stopped before its end, so it says nothing')
    if (compared >= through) return { findings: [], compared }
    const message = `${inputs.source.description} ends behind event ${compared}, so nothing is known of those up to ${through}`
    return { findings: [finding('source', message, 'name a source that has them with --source')], compared }
  } catch (error) {
    if (!(error instanceof LedgerError) || !(error.code === 'log_differs' || isFileProblem(error))) throw error
    const repair = isFileProblem(error)
      ? 'name a source whose files hold with --source'
      : `${republishFromStart} --reason 'the log differs from its source'`
    return { findings: [finding(error.code, error.message, repair)], compared: null }
  } finally {
    await scratch.close()
    await inputs.close()
  }
}

function findingsOf({ topic, name, fault }: VerifiedOutput): readonly Finding[] {
  if (fault === undefined) return []
  return [finding('output', `What ${topic} publishes in ${name} does not hold: ${fault.reason}`, fault.repair)]
}

function finding(kind: string, message: string, repair: string): Finding {
  return { text: `${message}\n  repair: ${repair}`, json: { kind, message, repair } }
}

function toJson(generation: number, { summary, findings, uncheckedThrough, compared, outputs }: Verification): string {
  const published = outputs.map(({ topic, name, events }) => ({ topic, name, events }))
  const { events, blocks } = summary
  const found = findings.map(({ json }) => json)
  const log = { generation, events, blocks: Number(blocks), uncheckedThrough, compared }
  return exactJson({ ...log, outputs: published, findings: found })
}

function verdict({ summary, findings, uncheckedThrough, compared, outputs }: Verification): string {
  const what = `${counted(Number(summary.blocks), 'block')} in ${counted(summary.events, 'event')}`
  if (findings.length > 0) return `${counted(findings.length, 'fault')} in ${what}`
  const unchecked =
    uncheckedThrough === 0
      ? ''
      : `; events up to ${uncheckedThrough} were written by a version without checksums, so only their structure was looked at`
  const source = compared === null ? '; no source was compared, name one with --source' : ', as the signed files say'
  const published = outputs.map(({ topic, events }) => `; ${topic} publishes ${counted(events, 'event')}`).join('')
  return `The log holds: ${what}${source}${unchecked}${published}`
}
