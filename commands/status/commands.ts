import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { componentsMax } from '#commands/status/limits.ts'
import { statusId, words } from '#schemas/decisions/status.ts'
import { automations } from '#src/domain/status/words.ts'

/** Characters; what the public pages of others take. */
const bodyCharactersMax = 25_000
const nameCharactersMax = 255
const descriptionCharactersMax = 1_000
const metricCharactersMax = 100
const positionMax = 1_000_000
/** Greater numbers are no figures that a page could tell. */
const figureMax = 1e15

/** Formats are those of `parse-command.ts`: what cannot be shown is not taken. */
const line = (maxLength: number, description: string) => Type.String({ format: 'line', maxLength, description })
const text = (maxLength: number, description: string) => Type.String({ format: 'text', maxLength, description })
const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

const name = line(nameCharactersMax, 'Not blank')
const body = text(bodyCharactersMax, 'What readers see, as it is; left out, the stock sentence of the state')
const instant = Type.String({ format: 'instant', description: 'ISO 8601 in UTC with milliseconds' })
const place = Type.Integer({ minimum: 1, maximum: positionMax })
const timeOf = (description: string) => Type.String({ maxLength: 50, description })
const shownAt = timeOf('Time shown to readers, where it is not now: before now, not before the opening')
const time = timeOf('ISO 8601 with its offset')
const word = (description: string) => Type.String({ maxLength: 50, description })
const states = Type.Record(Type.String(), word('Status of the component'), {
  maxProperties: componentsMax,
  description: 'Component id and its status during the incident; those left out stay as they are',
})
const optional = <P extends Record<string, TSchema>>(properties: P) => Type.Partial(Type.Object(properties)).properties
const described = optional({
  description: orNull(text(descriptionCharactersMax, 'What it is')),
  showcase: Type.Boolean({ description: 'Shown with its uptime' }),
  start_date: orNull(Type.String({ format: 'day', description: 'First day of its uptime, such as 2026-01-31' })),
  only_show_if_degraded: Type.Boolean({ description: 'Not on the page while operational' }),
})
/** What a rule measured; null where it has none. */
const evidence = Type.Object(
  {
    metric: line(metricCharactersMax, 'What is measured, with its unit'),
    value: orNull(Type.Number({ minimum: -figureMax, maximum: figureMax })),
    reason: words(['level', 'recovery', 'silence']),
    since: instant,
    checked_at: orNull(instant),
    position: orNull(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
    caused_by: orNull(statusId),
  },
  { additionalProperties: false },
)

const said = optional({ body, display_at: shownAt, deliver_notifications: Type.Boolean() })
const ofIncident = { incident_id: statusId }
const ofMaintenance = { maintenance_id: statusId }
const maintenanceWindow = { scheduled_for: time, scheduled_until: time }

/** What the writing side can be asked for. State words and times are judged by what decides, which names the mistake. */
const properties = {
  ConfigurePage: optional({
    page_id: statusId,
    name,
    url: Type.String({ format: 'address', maxLength: 2_000, description: 'Base address; empty: it has none' }),
    time_zone: line(100, 'IANA name'),
    maintenance_indicator: words(['maintenance', 'none']),
    incident_floor: Type.Boolean(),
    automation: words(automations),
    group_uptime: words(['all_up', 'mean']),
  }),
  CreateComponent: {
    name,
    ...described,
    ...optional({
      id: statusId,
      group: Type.Boolean(),
      group_id: orNull(statusId),
      position: place,
    }),
  },
  UpdateComponent: { id: statusId, ...optional({ name }), ...described },
  MoveComponent: {
    id: statusId,
    ...optional({ group_id: orNull(statusId), position: place }),
  },
  SetComponentStatus: { id: statusId, status: word('By hand, until it is cleared') },
  ClearComponentStatus: { id: statusId },
  RemoveComponent: { id: statusId },
  RecordComponentHealth: { id: statusId, status: word('Level that the rules found'), evidence },
  OpenIncident: {
    name,
    ...said,
    ...optional({ incident_id: statusId, status: word('investigating unless given'), components: states }),
  },
  PostIncidentUpdate: {
    ...ofIncident,
    ...said,
    ...optional({ status: word('As it was unless given'), components: states }),
  },
  EditIncidentUpdate: { ...ofIncident, update_id: statusId, ...optional({ body, display_at: shownAt }) },
  OverrideImpact: { ...ofIncident, impact: orNull(word('Impact')) },
  ResolveIncident: { ...ofIncident, ...said },
  PublishPostmortem: { ...ofIncident, ...said },
  RecordPastIncident: {
    name,
    ...optional({ incident_id: statusId }),
    updates: Type.Array(
      Type.Object(
        { status: word('resolved for the last one'), body, display_at: time, ...optional({ components: states }) },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: 100, description: 'Oldest first; the last one resolves' },
    ),
  },
  ScheduleMaintenance: {
    name,
    ...maintenanceWindow,
    ...said,
    ...optional({
      maintenance_id: statusId,
      components: Type.Array(statusId, { maxItems: componentsMax, uniqueItems: true }),
      auto_start: Type.Boolean({ description: 'true unless given: begins at its planned time by itself' }),
      auto_complete: Type.Boolean({ description: 'true unless given: ends at its planned time by itself' }),
      mask_health: Type.Boolean({ description: 'true unless given: what rules measure does not show meanwhile' }),
    }),
  },
  RescheduleMaintenance: { ...ofMaintenance, ...maintenanceWindow, ...said },
  UpdateMaintenance: { ...ofMaintenance, ...said },
  StartMaintenance: { ...ofMaintenance, ...said },
  VerifyMaintenance: { ...ofMaintenance, ...said },
  CompleteMaintenance: { ...ofMaintenance, ...said },
  CancelMaintenance: { ...ofMaintenance, ...said },
} as const

export type CommandType = keyof typeof properties
export const commandTypes = Object.keys(properties) as readonly CommandType[]

const envelope = {
  command_id: Type.Optional(
    Type.String({
      format: 'line',
      minLength: 1,
      maxLength: 100,
      description: 'Of the client: sent again, it answers what it answered',
    }),
  ),
  expected_revision: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Refused unless the incident, maintenance, component or page is at it',
    }),
  ),
}

export type CommandOf<T extends CommandType> = { readonly type: T } & {
  readonly [K in keyof Static<ReturnType<typeof Type.Object<(typeof properties)[T]>>>]: Static<
    ReturnType<typeof Type.Object<(typeof properties)[T]>>
  >[K]
}
export type StatusCommand = { [T in CommandType]: CommandOf<T> }[CommandType]

/** JSON schema of a command as a request carries it. */
export function commandSchema(type: CommandType): TSchema {
  return Type.Object({ type: Type.Literal(type), ...envelope, ...properties[type] }, { additionalProperties: false })
}
