import type { Command } from 'commander'
import { counted } from '#src/cli/counted.ts'
import { runVerb } from '#src/cli/run-verb.ts'
import { type Deployment, withDeployment } from '#src/cli/verbs/projections/deployment.ts'
import { type FoundInstance, findInstance } from '#src/cli/verbs/projections/instance.ts'
import { addDeploymentOptions, instanceIdOf, wholeNumber } from '#src/cli/verbs/projections/options.ts'
import { whilePaused } from '#src/cli/verbs/projections/paused.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { listParked, retryParked, skipParked } from '#src/runtime/replay/parked.ts'

interface Options {
  readonly version?: string
  readonly sequence?: readonly string[]
  readonly after?: string
  readonly limit?: string
  readonly all?: boolean
  readonly json?: boolean
}

type Work = (deployment: Deployment, found: FoundInstance, options: Options) => Promise<void>

/** Events that a live fold has refused and set aside: `parked list|retry|skip`. */
export function addProjectionsParked(group: Command): void {
  const parked = group.command('parked').description('Events that a fold refused and set aside: list, retry, skip')
  parked.addHelpText('after', '\nExamples:\n  ledger-history projections parked list transactions')
  const list = addVerb(parked, 'list', 'List the events that are set aside, with the reasons', listEvents, [
    'parked list transactions',
    'parked list transactions --after 1200000 --json',
  ])
  list.option('--after <sequence>', 'list those after this sequence', '0')
  list.option('--limit <n>', 'most events to list', '100')
  list.option('--json', 'print JSON')
  const retry = addVerb(parked, 'retry', 'Fold parked events again, with the code as it is now', retryEvents, [
    'parked retry transactions',
    'parked retry transactions --sequence 1200345 1200400',
  ])
  retry.option('--sequence <n...>', 'sequences of the events (all that are parked unless given)')
  const skip = addVerb(
    parked,
    'skip',
    'Give parked events up: what they would have written stays missing',
    skipEvents,
    ['parked skip transactions --sequence 1200345', 'parked skip transactions --all'],
  )
  skip.option('--sequence <n...>', 'sequences of the events').option('--all', 'all that are parked')
}

function addVerb(group: Command, name: string, description: string, work: Work, examples: readonly string[]): Command {
  const command = group.command(name).argument('<name>', 'read model').description(description)
  command.option('--version <id>', 'instance such as 2, or 2.3 for its third build (the serving one unless given)')
  addDeploymentOptions(command, examples.map((each) => `  ledger-history projections ${each}`).join('\n'), 'projection')
  command.action((model: string) =>
    runVerb(command, (verb) =>
      withDeployment(verb, command, async (deployment) => {
        const options = command.opts<Options>()
        await work(deployment, await findInstance(deployment, model, instanceIdOf(options.version)), options)
      }),
    ),
  )
  return command
}

async function listEvents(
  { store, verb, next }: Deployment,
  { instance, projection }: FoundInstance,
  options: Options,
) {
  const after = wholeNumber(options.after, '--after', 0) ?? 0
  const limit = wholeNumber(options.limit, '--limit') ?? 1
  const { events, total } = await listParked(store, projection.schema, after, limit)
  const { name, id } = instance
  if (options.json === true) {
    verb.terminal.print(JSON.stringify({ name, id, total, events }))
    return
  }
  for (const { sequence, error } of events) verb.terminal.print(`${sequence}  ${error}`)
  // Where rows depend on each other, an event is folded in its turn or not at all.
  const remedy = projection.passesOver ? `skip ${name} --all` : `retry ${name}`
  const then = total === 0 ? '' : `; next: ${next(`projections parked ${remedy}${versionFlag(instance)}`)}`
  verb.terminal.print(`${counted(total, 'event')} parked in ${name} v${id}${then}`)
}

async function retryEvents(deployment: Deployment, { instance, projection }: FoundInstance, options: Options) {
  const { store, verb } = deployment
  const sequences = sequencesOf(options)
  const log = await deployment.log(instance.generation)
  const { folded, refused } = await whilePaused(deployment, instance, () =>
    retryParked({
      log,
      store,
      projection,
      limits: verb.config.projection,
      logger: verb.logger,
      ...(sequences === undefined ? {} : { sequences }),
    }),
  )
  for (const { sequence, error } of refused) verb.terminal.print(`${sequence}  ${error}`)
  const { name, id } = instance
  verb.terminal.print(`Folded ${counted(folded.length, 'parked event')} into ${name} v${id}`)
  if (refused.length === 0) return
  throw new LedgerError(
    'fold_failed',
    `${counted(refused.length, 'event')} of ${name} v${id} cannot be folded by this code either; deploy code that can, or give them up with "ledger-history projections parked skip ${name}${versionFlag(instance)} --sequence ${refused[0]!.sequence}"`,
    { name, id, refused: refused.length },
  )
}

async function skipEvents(deployment: Deployment, { instance, projection }: FoundInstance, options: Options) {
  const { store, verb } = deployment
  const { name, id } = instance
  const sequences = sequencesOf(options)
  if ((sequences === undefined) !== (options.all === true)) {
    throw new LedgerError('config_invalid', 'parked skip needs either --sequence with the events to give up, or --all')
  }
  const { schema } = projection
  const skipped = await whilePaused(deployment, instance, () => skipParked({ store, schema, sequences }))
  verb.terminal.print(`Gave up ${counted(skipped.length, 'parked event')} of ${name} v${id}`)
}

function sequencesOf({ sequence }: Options): number[] | undefined {
  return sequence?.map((text) => wholeNumber(text, '--sequence')!)
}

function versionFlag({ serving, id }: FoundInstance['instance']): string {
  return serving ? '' : ` --version ${id}`
}
