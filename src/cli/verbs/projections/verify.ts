import type { Command } from 'commander'
import { counted } from '#src/cli/counted.ts'
import { runVerb } from '#src/cli/run-verb.ts'
import { type Deployment, withDeployment } from '#src/cli/verbs/projections/deployment.ts'
import { type FoundInstance, findInstance } from '#src/cli/verbs/projections/instance.ts'
import { addDeploymentOptions, instanceIdOf } from '#src/cli/verbs/projections/options.ts'
import { whilePaused } from '#src/cli/verbs/projections/paused.ts'
import { ProgressDisplay } from '#src/cli/verbs/projections/progress.ts'
import { withScratchStore } from '#src/cli/verbs/projections/scratch.ts'
import { LedgerError } from '#src/domain/errors.ts'
import type { Value } from '#src/ports/read-store.ts'
import { type RowDifference, type VerifyProgress, type VerifyResult, verifyRows } from '#src/runtime/replay/verify.ts'
import { formatCount, formatProgress } from '#src/runtime/watch/status.ts'

interface Options {
  readonly version?: string
  readonly json?: boolean
}

const examples = `  ledger-history projections verify blocks
  ledger-history projections verify blocks --version 2    before it is promoted, so that the serving one goes on
  ledger-history projections verify blocks --json | jq .difference`

export function addProjectionsVerify(group: Command): void {
  const command = group.command('verify').argument('<name>', 'read model')
  command.description('Fold the log anew and compare every row; the instance is paused meanwhile and goes on answering')
  command.option('--version <id>', 'instance such as 2, or 2.3 for its third build (the serving one unless given)')
  command.option('--json', 'print JSON')
  addDeploymentOptions(command, examples, 'projection', 'contractLogs')
  command.action((name: string) =>
    runVerb(command, (verb) =>
      withDeployment(verb, command, async (deployment) => {
        const { version, json = false } = command.opts<Options>()
        const found = await findInstance(deployment, name, instanceIdOf(version))
        const result = await whilePaused(deployment, found.instance, () => compare(deployment, found))
        verb.terminal.print(json ? jsonOf(found, result) : formatResult(found, result))
        if (result.difference !== undefined) throw rowsDiffer(found, result.difference)
      }),
    ),
  )
}

async function compare(deployment: Deployment, { instance, projection }: FoundInstance): Promise<VerifyResult> {
  const { verb, store } = deployment
  const label = `${instance.name} v${instance.id}`
  const display = new ProgressDisplay(verb)
  const log = await deployment.log(instance.generation)
  try {
    return await withScratchStore((scratch) =>
      verifyRows({
        log,
        store,
        projection,
        scratch,
        limits: verb.config.projection,
        signal: verb.signal,
        logger: verb.logger,
        onProgress: (progress) => display.show(label, `${label}  ${formatStage(progress)}`, { ...progress }),
      }),
    )
  } finally {
    display.end(label)
  }
}

function formatStage({ stage, position, head }: VerifyProgress): string {
  return stage === 'fold'
    ? `folding  ${formatProgress({ position, head: head ?? position })}`
    : `comparing  ${counted(position, 'row')}`
}

function formatResult(
  { instance }: FoundInstance,
  { position, rows, ranges, parked, difference }: VerifyResult,
): string {
  const parkedText = parked === 0 ? '' : `, ${counted(parked, 'event')} parked`
  const outcome = difference === undefined ? 'all equal' : 'they differ'
  return `Compared ${counted(rows, 'row')} of ${instance.name} v${instance.id} in ${counted(ranges, 'range')} with the log up to ${formatCount(position)}: ${outcome}${parkedText}`
}

function jsonOf({ instance }: FoundInstance, result: VerifyResult): string {
  const { name, id, generation } = instance
  const { difference = null, ...figures } = result
  return JSON.stringify({ name, id, generation, equal: difference === null, ...figures, difference }, (_, value) =>
    typeof value === 'bigint' || value instanceof Uint8Array ? wholeText(value) : value,
  )
}

function rowsDiffer({ instance }: FoundInstance, difference: RowDifference): LedgerError {
  const { name, id, version, generation } = instance
  const { kind, collection, field, stored, expected } = difference
  const key = Object.entries(difference.key)
    .map(([part, value]) => `${part} ${valueText(value)}`)
    .join(', ')
  const what = {
    missing: 'is missing',
    extra: 'is not of the log',
    different: `has ${field} ${valueText(stored ?? null)} instead of ${valueText(expected ?? null)}`,
  }[kind]
  return new LedgerError(
    'rows_differ',
    `The row of ${collection} with ${key} in ${name} v${id} ${what}; repair with "ledger-history projections rebuild ${name} --version ${version} --generation ${generation}" and promote that`,
    { name, id, collection, kind },
  )
}

const shownTextMax = 60

function wholeText(value: Value): string {
  return value instanceof Uint8Array ? `0x${Buffer.from(value).toString('hex')}` : String(value)
}

function valueText(value: Value): string {
  const text = wholeText(value)
  return text.length > shownTextMax ? `${text.slice(0, shownTextMax)}…` : text
}
