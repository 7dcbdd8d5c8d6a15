import { userInfo } from 'node:os'
import type { Command } from 'commander'
import type { CommandType } from '#commands/status/commands.ts'
import { writeDefaultPage } from '#commands/status/default-page.ts'
import { type Draft, draftsOf } from '#commands/status/health/drafts.ts'
import type { CommandAnswer } from '#commands/status/status-desk.ts'
import { counted } from '#src/cli/counted.ts'
import { deploymentGroups, quoted } from '#src/cli/importing/next-command.ts'
import { addConfigOptions } from '#src/cli/options.ts'
import { runVerb, type VerbContext } from '#src/cli/run-verb.ts'
import { addAcceptLoss } from '#src/cli/verbs/status/accept-loss.ts'
import { withDesk } from '#src/cli/verbs/status/desk.ts'
import { systemClock } from '#src/ports/clock.ts'

/** A flag of a verb, and the field of the command that it fills. */
interface Field {
  readonly flag: string
  readonly field: string
  readonly description: string
  readonly kind?: 'states' | 'list' | 'switch' | 'number'
}

interface StatusVerb {
  readonly noun: string
  readonly verb: string
  readonly type: CommandType
  readonly description: string
  /** Field that the argument fills; a verb that makes something has none. */
  readonly id?: string
  readonly fields: readonly Field[]
}

const name: Field = { flag: '--name <text>', field: 'name', description: 'what readers see as its name' }
const body: Field = {
  flag: '--body <text>',
  field: 'body',
  description: 'text for readers (a stock sentence unless given)',
}
const at: Field = { flag: '--display-at <time>', field: 'display_at', description: 'time shown to readers, set back' }
const status: Field = {
  flag: '--status <word>',
  field: 'status',
  description: 'investigating, identified or monitoring',
}
const states: Field = {
  flag: '--component <id=status...>',
  field: 'components',
  description: 'components and their status during the incident',
  kind: 'states',
}
const planned: readonly Field[] = [
  { flag: '--from <time>', field: 'scheduled_for', description: 'planned start, ISO 8601 with its offset' },
  { flag: '--until <time>', field: 'scheduled_until', description: 'planned end' },
]
const affected: Field = { flag: '--component <id...>', field: 'components', description: 'components', kind: 'list' }
const described: readonly Field[] = [
  { flag: '--description <text>', field: 'description', description: 'what it is' },
  { flag: '--start-date <day>', field: 'start_date', description: 'first day of its uptime, such as 2026-01-31' },
]
const place: readonly Field[] = [
  { flag: '--group-id <id>', field: 'group_id', description: 'group that it stands in' },
  { flag: '--position <n>', field: 'position', description: 'place within its group, from 1', kind: 'number' },
]

const verbs: readonly StatusVerb[] = [
  ...of('incident', 'incident_id', [
    ['open', 'OpenIncident', 'Open an incident', [name, status, body, states, at]],
    ['update', 'PostIncidentUpdate', 'Say more about an incident', [status, body, states, at]],
    ['resolve', 'ResolveIncident', 'End an incident; its components are released', [body, at]],
    ['postmortem', 'PublishPostmortem', 'Publish the postmortem of a resolved incident', [body, at]],
  ]),
  ...of('maintenance', 'maintenance_id', [
    ['schedule', 'ScheduleMaintenance', 'Announce a maintenance', [name, body, affected, ...planned]],
    ['reschedule', 'RescheduleMaintenance', 'Plan a maintenance for another time', [body, ...planned]],
    ['update', 'UpdateMaintenance', 'Say more about a maintenance', [body, at]],
    ['start', 'StartMaintenance', 'Begin a maintenance now', [body]],
    ['verify', 'VerifyMaintenance', 'Say that the work is done and is being checked', [body]],
    ['complete', 'CompleteMaintenance', 'End a maintenance; its components are released', [body]],
    ['cancel', 'CancelMaintenance', 'Call a maintenance off', [body]],
  ]),
  ...of('component', 'id', [
    [
      'create',
      'CreateComponent',
      'Add a component or a group',
      [
        name,
        ...described,
        ...place,
        { flag: '--group', field: 'group', description: 'a group of components', kind: 'switch' },
      ],
    ],
    ['update', 'UpdateComponent', 'Change what a component is called', [name, ...described]],
    ['move', 'MoveComponent', 'Put a component elsewhere', place],
    ['set', 'SetComponentStatus', 'Set its status by hand', [{ ...status, description: 'such as major_outage' }]],
    ['clear', 'ClearComponentStatus', 'Take the status set by hand away', []],
    ['remove', 'RemoveComponent', 'Take a component off the page; history keeps it', []],
  ]),
  ...of('page', '', [
    [
      'configure',
      'ConfigurePage',
      'Name the page, its address and time zone',
      [
        name,
        { flag: '--url <address>', field: 'url', description: 'base address' },
        { flag: '--time-zone <name>', field: 'time_zone', description: 'IANA name' },
        { flag: '--automation <word>', field: 'automation', description: 'components, propose or open' },
      ],
    ],
  ]),
]

type Row = readonly [verb: string, type: CommandType, description: string, fields: readonly Field[]]

function of(noun: string, id: string, rows: readonly Row[]): StatusVerb[] {
  const makes = new Set<CommandType>(['OpenIncident', 'ScheduleMaintenance', 'CreateComponent', 'ConfigurePage'])
  return rows.map(([verb, type, description, fields]) => {
    return { noun, verb, type, description, fields, ...(!makes.has(type) && { id }) }
  })
}

/** `ledger-history status incident open …`: writes to the status page from the machine that has its decisions. */
export function addStatusVerbs(group: Command): void {
  for (const noun of new Set(verbs.map((each) => each.noun))) {
    const names = verbs.filter((each) => each.noun === noun).map(({ verb }) => verb)
    const parent = group.command(noun).description(`Of the status page: ${names.join(', ')}`)
    for (const each of verbs.filter((verb) => verb.noun === noun)) addStatusVerb(parent, each)
  }
  addDefaultPage(
    group,
    'setup',
    'Make the page and the components of a deployment, as far as they are not there',
    false,
  )
  addDefaultPage(
    group,
    'demo',
    'The same, with ninety days of made-up incidents, to see what the page looks like',
    true,
  )
  addDrafts(group)
  addAcceptLoss(group)
}

function addDefaultPage(group: Command, verb: string, description: string, withHistory: boolean): void {
  const command = group.command(verb).description(description)
  addConfigOptions(command, [...deploymentGroups, 'log'])
  command.addHelpText('after', `\nExamples:\n  ledger-history status ${verb} --data data`)
  command.action(() =>
    runVerb(command, async (context) => {
      const request = { actor: userInfo().username, now: systemClock.now(), withHistory }
      const written = await withDesk(context, (desk) => writeDefaultPage(desk, request))
      context.terminal.print(
        written === 0 ? 'Everything is there already' : `Carried out ${counted(written, 'command')}`,
      )
    }),
  )
}

function addDrafts(group: Command): void {
  const command = group.command('drafts').description('List what the rules over live health leave to a person to tell')
  addConfigOptions(command, [...deploymentGroups, 'log'])
  command.option('--json', 'print them as JSON, with the command that publishes each')
  command.addHelpText('after', '\nExamples:\n  ledger-history status drafts --data data')
  command.action(() =>
    runVerb(command, async (context) => {
      const drafts = draftsOf(await withDesk(context, (desk) => desk.settled()))
      const { json } = command.opts<{ json?: boolean }>()
      const lines = drafts.length === 0 ? ['Nothing waits for a person'] : drafts.map(formatDraft)
      context.terminal.print(json ? JSON.stringify(drafts) : lines.join('\n'))
    }),
  )
}

/** The change, and the verb that publishes it as it is. */
function formatDraft({ at, command, command_id }: Draft): string {
  const { noun, verb, id, fields } = verbs.find(({ type }) => type === command.type)!
  const content: Readonly<Record<string, unknown>> = { ...command }
  const flags = fields.flatMap(({ flag, field }) => {
    const value = content[field]
    if (value === undefined) return []
    const [name = ''] = flag.split(' ')
    if (typeof value === 'string') return [`${name} ${quoted(value)}`]
    return Object.entries(value as object).map(([key, state]) => `${name} ${key}=${state}`)
  })
  const named = id === undefined ? [] : [String(content[id])]
  const words = ['ledger-history status', noun, verb, ...named, ...flags, `--command-id ${quoted(command_id)}`]
  return `${at}  ${content['body']}\n  next: ${words.join(' ')}`
}

function addStatusVerb(parent: Command, { verb, type, description, id, fields }: StatusVerb): void {
  const command = parent.command(verb).description(description)
  if (id !== undefined) command.argument('<id>', 'as the answer of the command that made it says')
  addConfigOptions(command, [...deploymentGroups, 'log'])
  for (const field of fields) command.option(field.flag, field.description)
  command.option('--command-id <text>', 'sent again, the command answers what it answered')
  command.option('--expected-revision <n>', 'refuse unless it is at this revision')
  command.option('--json', 'print the answer as JSON')
  command.action((argument: unknown) =>
    runVerb(command, async (context) => {
      const options = command.opts<Record<string, unknown>>()
      const given = Object.fromEntries(fields.flatMap((field) => fieldOf(command, field)))
      const { commandId, expectedRevision } = options
      const answer = await execute(context, {
        type,
        ...(id !== undefined && { [id]: argument }),
        ...given,
        ...(commandId !== undefined && { command_id: commandId }),
        ...(expectedRevision !== undefined && { expected_revision: Number(expectedRevision) }),
      })
      context.terminal.print(options['json'] ? JSON.stringify(answer) : formatAnswer(answer))
    }),
  )
}

function fieldOf(command: Command, { flag, field, kind }: Field): [string, unknown][] {
  const option = command.options.find(({ flags }) => flags === flag)!
  const value: unknown = command.opts<Record<string, unknown>>()[option.attributeName()]
  if (value === undefined) return []
  if (kind === 'number') return [[field, Number(value)]]
  if (kind !== 'states') return [[field, value]]
  const parts = (value as readonly string[]).map((part) => part.split('=') as [string, string])
  return [[field, Object.fromEntries(parts)]]
}

function execute(context: VerbContext, input: object): Promise<CommandAnswer> {
  return withDesk(context, async (desk) => {
    const { parseCommand } = await import('#commands/status/parse-command.ts')
    const { command, ...request } = parseCommand(input)
    return desk.execute(command, { actor: userInfo().username, role: 'operator', ...request })
  })
}

function formatAnswer({ id, revision, events }: CommandAnswer): string {
  return `${id} at revision ${revision}: ${events.map(({ type }) => type).join(', ')}`
}
