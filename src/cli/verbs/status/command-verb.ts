import { userInfo } from 'node:os'
import type { Command } from 'commander'
import type { CommandAnswer } from '#commands/status/status-service.ts'
import { deploymentGroups } from '#src/cli/importing/next-command.ts'
import { addConfigOptions } from '#src/cli/options.ts'
import { runVerb, type VerbContext } from '#src/cli/run-verb.ts'
import { completeId, idsOf } from '#src/cli/verbs/status/complete-id.ts'
import { readFields } from '#src/cli/verbs/status/read-fields.ts'
import type { StatusVerb } from '#src/cli/verbs/status/verbs.ts'
import { isLedgerError, LedgerError } from '#src/domain/errors.ts'

interface Options {
  readonly commandId?: string
  readonly expectedRevision?: string
  readonly json?: boolean
}

/** `ledger-history status incident open …` */
export function addCommandVerb(parent: Command, verb: StatusVerb): void {
  const { id, fields, example, noun } = verb
  const command = parent.command(verb.verb).description(verb.description)
  if (id !== undefined) command.argument('<id>', `of the ${noun}, or a beginning that no other one has`)
  addConfigOptions(command, [...deploymentGroups, 'log'])
  for (const field of fields) command.option(field.flag, field.description)
  command.option('--command-id <text>', 'sent again, the command answers what it answered')
  command.option('--expected-revision <n>', 'refuse unless it is at this revision')
  command.option('--json', 'print the answer as JSON')
  command.addHelpText('after', `\nExamples:\n  ledger-history status ${noun} ${verb.verb} ${example} --data data`)
  command.action((argument: unknown) =>
    runVerb(command, async (context) => {
      const answer = await execute(context, command, verb, typeof argument === 'string' ? argument : undefined)
      context.terminal.print(command.opts<Options>().json ? JSON.stringify(answer) : formatAnswer(answer))
    }),
  )
}

/** Building what judges a command takes longer than most verbs work, so it is loaded by those that send one. */
async function execute(
  context: VerbContext,
  command: Command,
  verb: StatusVerb,
  argument: string | undefined,
): Promise<CommandAnswer> {
  const { withService } = await import('#src/cli/verbs/status/status-service.ts')
  const { parseCommand } = await import('#commands/status/parse-command.ts')
  const { commandId, expectedRevision } = command.opts<Options>()
  const { type, id, noun } = verb
  try {
    return await withService(context, async (service) => {
      const view = await service.settled()
      const input = {
        type,
        ...readFields(command, verb, view),
        ...(id !== undefined && { [id]: completeId(argument ?? '', idsOf(view, noun), noun) }),
        ...(commandId !== undefined && { command_id: commandId }),
        ...(expectedRevision !== undefined && { expected_revision: Number(expectedRevision) }),
      }
      const { command: parsed, ...request } = parseCommand(withWholeUpdate(input, view))
      const role = type === 'RecordComponentHealth' ? 'automation' : 'operator'
      return service.execute(parsed, { actor: userInfo().username, role, ...request })
    })
  } catch (error) {
    throw isLedgerError(error, 'command_refused') ? inFlags(error, verb) : error
  }
}

/** The update that is edited is one of its incident. */
function withWholeUpdate(
  input: Readonly<Record<string, unknown>>,
  { incidents }: Pick<Parameters<typeof readFields>[2], 'incidents'>,
): object {
  const { incident_id, update_id } = input
  if (typeof update_id !== 'string') return input
  const updates = incidents.get(String(incident_id))?.updates.keys() ?? []
  return { ...input, update_id: completeId(update_id, updates, 'update') }
}

/** A person is told of the flags that were typed, and not of the fields that they fill. */
function inFlags(error: LedgerError, { fields }: StatusVerb): LedgerError {
  let { message } = error
  for (const { flag, field } of fields)
    message = message.replaceAll(new RegExp(`(^|; )/(?:evidence/)?${field}(?=[ /])`, 'g'), `$1${flag.split(' ', 1)[0]}`)
  message = message.replace(/must have required property '(\w+)'/g, (whole, name: string) => {
    const [flag] = fields.find(({ field }) => field === name)?.flag.split(' ', 1) ?? []
    return flag === undefined ? whole : `needs ${flag}`
  })
  return new LedgerError('command_refused', message, error.details, error.cause)
}

function formatAnswer({ id, revision, events }: CommandAnswer): string {
  return `${id} at revision ${revision}: ${events.map(({ type }) => type).join(', ')}`
}
