import type { CommandType } from '#commands/status/commands.ts'

export type Noun = 'page' | 'component' | 'incident' | 'maintenance'

/** A flag of a verb, and the field of the command that it fills. */
export interface Field {
  readonly flag: string
  readonly field: string
  readonly description: string
  /** A text unless given. `cleared`: the flag takes no value, and sets the field to null. */
  readonly kind?: 'states' | 'list' | 'switch' | 'yesno' | 'number' | 'cleared' | 'past'
  /** What the text is an id of, which a beginning stands for where only one has it. */
  readonly idOf?: Noun
}

export interface StatusVerb {
  readonly noun: Noun
  readonly verb: string
  readonly type: CommandType
  readonly description: string
  /** Field that the argument fills; a verb that makes something has none. */
  readonly id?: string
  readonly fields: readonly Field[]
  /** What is typed behind the verb. */
  readonly example: string
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
const level: Field = {
  flag: '--status <word>',
  field: 'status',
  description: 'operational, under_maintenance, degraded_performance, partial_outage or major_outage',
}
const states: Field = {
  flag: '--component <id=status...>',
  field: 'components',
  description: 'components and their status during the incident',
  kind: 'states',
  idOf: 'component',
}
const quiet: Field = {
  flag: '--deliver-notifications <yes|no>',
  field: 'deliver_notifications',
  description: 'what consumers of the documents are told of notifications (yes unless given)',
  kind: 'yesno',
}
const said = [body, at, quiet]
const planned: readonly Field[] = [
  { flag: '--from <time>', field: 'scheduled_for', description: 'planned start, ISO 8601 with its offset' },
  { flag: '--until <time>', field: 'scheduled_until', description: 'planned end' },
]
const automatic: readonly Field[] = [
  {
    flag: '--auto-start <yes|no>',
    field: 'auto_start',
    description: 'begins by itself (yes unless given)',
    kind: 'yesno',
  },
  {
    flag: '--auto-complete <yes|no>',
    field: 'auto_complete',
    description: 'ends by itself (yes unless given)',
    kind: 'yesno',
  },
  {
    flag: '--mask-health <yes|no>',
    field: 'mask_health',
    description: 'what rules measure does not show meanwhile (yes unless given)',
    kind: 'yesno',
  },
]
const affected: Field = {
  flag: '--component <id...>',
  field: 'components',
  description: 'components',
  kind: 'list',
  idOf: 'component',
}
const described: readonly Field[] = [
  { flag: '--description <text>', field: 'description', description: 'what it is' },
  { flag: '--start-date <day>', field: 'start_date', description: 'first day of its uptime, such as 2026-01-31' },
  {
    flag: '--showcase <yes|no>',
    field: 'showcase',
    description: 'shown with its uptime (yes unless given)',
    kind: 'yesno',
  },
  {
    flag: '--only-show-if-degraded <yes|no>',
    field: 'only_show_if_degraded',
    description: 'not on the page while operational (no unless given)',
    kind: 'yesno',
  },
]
const group: Field = {
  flag: '--group-id <id>',
  field: 'group_id',
  description: 'group that it stands in',
  idOf: 'component',
}
const position: Field = {
  flag: '--position <n>',
  field: 'position',
  description: 'place within its group, from 1',
  kind: 'number',
}
const evidence: readonly Field[] = [
  { flag: '--metric <name>', field: 'metric', description: 'what is measured, with its unit: queue_seconds' },
  { flag: '--value <n>', field: 'value', description: 'as it was measured; left out: no sample came', kind: 'number' },
  { flag: '--since <time>', field: 'since', description: 'from when on samples say so, in UTC (now unless given)' },
]

type Row = readonly [verb: string, type: CommandType, description: string, fields: readonly Field[], example: string]

const makes: ReadonlySet<CommandType> = new Set<CommandType>([
  'OpenIncident',
  'RecordPastIncident',
  'ScheduleMaintenance',
  'CreateComponent',
  'ConfigurePage',
])

function of(noun: Noun, id: string, rows: readonly Row[]): StatusVerb[] {
  return rows.map(([verb, type, description, fields, example]) => {
    return { noun, verb, type, description, fields, example, ...(!makes.has(type) && { id }) }
  })
}

/** Every command, as a person types it. */
export const statusVerbs: readonly StatusVerb[] = [
  ...of('incident', 'incident_id', [
    [
      'open',
      'OpenIncident',
      'Open an incident',
      [name, status, states, ...said],
      `--name 'Reads are slow' --component 4bl=degraded_performance`,
    ],
    [
      'update',
      'PostIncidentUpdate',
      'Say more about an incident',
      [status, states, ...said],
      `7gv --status identified --body 'A disk is slow.'`,
    ],
    [
      'edit',
      'EditIncidentUpdate',
      'Change what was said, or when',
      [{ flag: '--update <id>', field: 'update_id', description: 'which update, as `incident show` has it' }, body, at],
      `7gv --update x8q --body 'A disk was slow.'`,
    ],
    ['resolve', 'ResolveIncident', 'End an incident; its components are released', said, '7gv'],
    [
      'postmortem',
      'PublishPostmortem',
      'Publish the postmortem of a resolved incident',
      said,
      `7gv --body 'A log was not rotated.'`,
    ],
    [
      'impact',
      'OverrideImpact',
      'Say the impact of an incident instead of its components',
      [
        { flag: '--impact <word>', field: 'impact', description: 'none, maintenance, minor, major or critical' },
        { flag: '--clear', field: 'impact', description: 'its components say it again', kind: 'cleared' },
      ],
      '7gv --impact minor',
    ],
    [
      'record',
      'RecordPastIncident',
      'Write down an incident that is over',
      [
        name,
        {
          flag: '--update <time,status,text...>',
          field: 'updates',
          description: 'its updates, oldest first; the last one is resolved',
          kind: 'past',
        },
        { ...states, description: 'components and their status from the first update on' },
      ],
      `--name 'Reads were down' --update '2026-03-01T10:00:00Z,investigating,Reads fail.' '2026-03-01T10:30:00Z,resolved,A disk was full.'`,
    ],
  ]),
  ...of('maintenance', 'maintenance_id', [
    [
      'schedule',
      'ScheduleMaintenance',
      'Announce a maintenance',
      [name, affected, ...planned, ...automatic, ...said],
      '--name Upgrade --component 4bl --from 2026-12-01T22:00:00Z --until 2026-12-02T00:00:00Z',
    ],
    [
      'reschedule',
      'RescheduleMaintenance',
      'Plan a maintenance for another time',
      [...planned, ...said],
      'k2m --from 2026-12-02T22:00:00Z --until 2026-12-03T00:00:00Z',
    ],
    ['update', 'UpdateMaintenance', 'Say more about a maintenance', said, `k2m --body 'It takes an hour longer.'`],
    ['start', 'StartMaintenance', 'Begin a maintenance now', said, 'k2m'],
    ['verify', 'VerifyMaintenance', 'Say that the work is done and is being checked', said, 'k2m'],
    ['complete', 'CompleteMaintenance', 'End a maintenance; its components are released', said, 'k2m'],
    ['cancel', 'CancelMaintenance', 'Call a maintenance off', said, 'k2m'],
  ]),
  ...of('component', 'id', [
    [
      'create',
      'CreateComponent',
      'Add a component or a group',
      [
        name,
        ...described,
        group,
        position,
        { flag: '--group', field: 'group', description: 'a group of components', kind: 'switch' },
      ],
      `--name 'REST reads' --start-date 2026-01-31`,
    ],
    [
      'update',
      'UpdateComponent',
      'Change what a component is called, and how it is shown',
      [name, ...described],
      `4bl --name 'Reads'`,
    ],
    [
      'move',
      'MoveComponent',
      'Put a component elsewhere',
      [
        group,
        { flag: '--no-group', field: 'group_id', description: 'it stands in no group', kind: 'cleared' },
        position,
      ],
      '4bl --position 1',
    ],
    ['set', 'SetComponentStatus', 'Set its status by hand', [level], '4bl --status major_outage'],
    ['clear', 'ClearComponentStatus', 'Take the status set by hand away', [], '4bl'],
    ['remove', 'RemoveComponent', 'Take a component off the page; history keeps it', [], '4bl'],
    [
      'health',
      'RecordComponentHealth',
      'Write down what a watching program found',
      [level, ...evidence],
      '4bl --status degraded_performance --metric queue_seconds --value 45',
    ],
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
        {
          flag: '--maintenance-indicator <word>',
          field: 'maintenance_indicator',
          description: 'maintenance, or none for consumers that know four words only',
        },
        {
          flag: '--incident-floor <yes|no>',
          field: 'incident_floor',
          description: 'open incidents raise the indicator',
          kind: 'yesno',
        },
        { flag: '--group-uptime <word>', field: 'group_uptime', description: 'all_up or mean' },
      ],
      `--name 'Our ledger' --url https://status.example.org`,
    ],
  ]),
]
