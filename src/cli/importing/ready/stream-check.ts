import { type Check, fails, ok, unknown } from '#src/cli/importing/ready/check.ts'
import { hasMoved, lastBlockOf, type ReadyContext, workingImporters } from '#src/cli/importing/ready/ready-context.ts'
import { streamTexts } from '#src/cli/importing/stream-presence.ts'
import { versionText } from '#src/domain/semantic-version.ts'

const name = 'stream setting'
const step = 'follow the network with --stream cutover'

/** Whether an import with these settings goes over to blocks by itself. */
export function checkStream(context: ReadyContext): Check {
  const { stream } = context
  const given = `${stream}${originText(context)}`
  const last = lastBlockOf(context)
  if (hasMoved(context) && stream !== 'records')
    return ok(name, `${given}; the log ends with block ${last?.number} of the block stream, so it has moved already`)
  if (stream === 'cutover') return ok(name, `${given}; ${expectation(context)}`)
  if (stream === 'records') return fails(name, given, step)
  if (last === undefined) return ok(name, `${given}; the log is empty, so blocks are read from the beginning`)
  const value = `${given}; the log ends with record file ${last.name}, and those that still come would be left out`
  return fails(name, value, step)
}

function originText({ config, network, facts }: ReadyContext): string {
  if (config.source.stream !== 'auto') return ''
  const isRunning = workingImporters({ facts }).some(({ imports }) => imports?.stream !== undefined)
  return isRunning ? ', as the importer was started' : `, which auto means for ${network}`
}

function expectation(context: ReadyContext): string {
  const { hapiVersion, thresholdMs } = context.config.cutover
  const version = lastBlockOf(context)?.hapiVersion
  const seen = version === undefined ? '' : `, the last record file is of ${versionText(version)}`
  return `blocks are tried after ${thresholdMs / 1_000} s without a record file from version ${versionText(hapiVersion)} on${seen}`
}

/** Whether those that import now follow the network, too: they may have been started with other settings. */
export function checkImporters(context: Pick<ReadyContext, 'facts'>): Check[] {
  return workingImporters(context).map(({ host, pid, codeVersion, imports }) => {
    const what = `importer ${host}:${pid}`
    const stream = imports?.stream
    if (imports?.problem !== undefined) return fails(what, `it does not go on: ${imports.problem}`, null)
    if (stream === undefined)
      return unknown(
        what,
        `it is of version ${codeVersion} and does not say what it reads`,
        'restart it with this version',
      )
    if (stream.setting === 'records')
      return fails(what, 'it reads record files only', 'restart it with --stream cutover')
    return ok(
      what,
      `it reads ${streamTexts[stream.stream]} from ${stream.from} since ${stream.since}, with --stream ${stream.setting}`,
    )
  })
}
