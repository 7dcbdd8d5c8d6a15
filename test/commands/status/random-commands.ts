import { commandSchema, commandTypes } from '#commands/status/commands.ts'
import { isUnresolved, type StatusView } from '#commands/status/state.ts'
import { componentStatuses, impacts, openIncidentStatuses } from '#src/domain/status/words.ts'
import type { Prng } from '#src/simulator/prng.ts'
import { hostileText } from '#test/support/hostile-texts.ts'

interface Schema {
  readonly type?: string
  readonly const?: string
  readonly enum?: readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly format?: string
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

/** What commands may name, and the time at which they are sent. */
export interface Ground {
  readonly view: StatusView
  readonly now: number
}

const hourMs = 3_600_000
const zones = ['Etc/UTC', 'America/Chicago', 'Pacific/Kiritimati', 'Pacific/Apia', 'Asia/Kolkata', 'America/St_Johns']
const schemas = new Map(commandTypes.map((type) => [type, JSON.parse(JSON.stringify(commandSchema(type))) as Schema]))

/** A command that its schema takes, of things that are mostly there. */
export function randomCommand(prng: Prng, ground: Ground): Record<string, unknown> {
  const type = prng.pick(commandTypes)
  const command = madeOf(prng, schemas.get(type)!, '', ground) as Record<string, unknown>
  // Said again they would only be answered again, and a revision is hardly ever guessed.
  delete command['command_id']
  delete command['expected_revision']
  // Ids of what is made are mostly left to the service: those that are there are taken.
  const made = { CreateComponent: 'id', OpenIncident: 'incident_id', ScheduleMaintenance: 'maintenance_id' }[
    String(type)
  ]
  if (made !== undefined && prng.chance(0.9)) delete command[made]
  if (type === 'ConfigurePage' || type === 'RecordPastIncident') {
    delete command['page_id']
    delete command['incident_id']
  }
  return { ...command, ...(type === 'RecordPastIncident' && { updates: pastUpdates(prng, ground) }) }
}

function madeOf(prng: Prng, schema: Schema, name: string, ground: Ground): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return prng.pick(schema.enum)
  if (schema.anyOf !== undefined) return madeOf(prng, prng.pick(schema.anyOf), name, ground)
  switch (schema.type) {
    case 'null':
      return null
    case 'boolean':
      return prng.chance(0.5)
    case 'integer':
      return prng.chance(0.1) ? (schema.maximum ?? 7) : (schema.minimum ?? 0) + prng.below(8)
    case 'number':
      return prng.pick([0, -0.5, 0.1 + 0.2, 1e-300, schema.maximum!, schema.minimum!, prng.unit() * 1e6])
    case 'array':
      return arrayOf(prng, schema, name, ground)
    case 'object':
      return objectOf(prng, schema, name, ground)
    default:
      return textOf(prng, schema, name, ground)
  }
}

function arrayOf(prng: Prng, { items }: Schema, name: string, ground: Ground): unknown[] {
  const all = Array.from({ length: prng.below(4) }, () => madeOf(prng, items!, name, ground))
  return all.every((each) => typeof each === 'string') ? [...new Set(all)] : all
}

function objectOf(prng: Prng, schema: Schema, name: string, ground: Ground): object {
  const { properties = {}, required = [], patternProperties } = schema
  if (patternProperties !== undefined) return statesOf(prng, ground)
  const wanted = Object.entries(properties).filter(([field]) => required.includes(field) || prng.chance(0.5))
  return Object.fromEntries(wanted.map(([field, own]) => [field, madeOf(prng, own, `${name}/${field}`, ground)]))
}

function statesOf(prng: Prng, ground: Ground): Record<string, string> {
  const ids = Array.from({ length: prng.below(4) }, () => idOf(prng, '/components', ground))
  return Object.fromEntries(ids.map((id) => [id, prng.pick(componentStatuses)]))
}

function textOf(prng: Prng, { format, pattern, maxLength = 50 }: Schema, name: string, ground: Ground): string {
  if (pattern !== undefined) return idOf(prng, name, ground)
  if (format === 'day') return new Date(ground.now + prng.between(-200, 20) * 24 * hourMs).toISOString().slice(0, 10)
  if (format === 'instant') return new Date(ground.now - prng.below(hourMs)).toISOString()
  if (format === 'address') return prng.pick(['', 'https://status.example.org', 'http://127.0.0.1:5551/page/'])
  if (name.endsWith('/time_zone')) return prng.pick(zones)
  if (format === 'text') return hostileText(prng, prng.chance(0.02) ? maxLength : 200, { lines: true })
  if (format === 'line') return hostileText(prng, maxLength)
  if (name.endsWith('_at')) return timeOf(prng, ground.now - prng.below(hourMs))
  if (name.endsWith('/scheduled_for')) return timeOf(prng, ground.now + prng.between(-2, 2) * hourMs)
  if (name.endsWith('/scheduled_until')) return timeOf(prng, ground.now + prng.between(2, 6) * hourMs)
  if (name.endsWith('/impact')) return prng.pick(impacts)
  return prng.pick(name === '/status' && prng.chance(0.5) ? openIncidentStatuses : componentStatuses)
}

function timeOf(prng: Prng, ms: number): string {
  const instant = new Date(ms).toISOString()
  return prng.pick([instant, instant.replace('Z', '+00:00'), `${instant.slice(0, 19)}Z`])
}

interface Known {
  readonly id: string
  readonly isOver: boolean
  readonly isGroup: boolean
}

/** Mostly of something that is there and not over. */
function idOf(prng: Prng, name: string, { view }: Ground): string {
  if (name.endsWith('/update_id')) {
    const updates = [...view.incidents.values()].flatMap((incident) => [...incident.updates.keys()])
    if (updates.length > 0) return prng.pick(updates)
  }
  const all = knownOf(name, view)
  const fitting = all.filter(({ isOver, isGroup }) => !isOver && isGroup === name.endsWith('/group_id'))
  const wanted = fitting.length > 0 && prng.chance(0.9) ? fitting : all
  if (wanted.length > 0 && prng.chance(0.95)) return prng.pick(wanted).id
  return Array.from({ length: 12 }, () => prng.pick([...'0123456789abcdefghijklmnopqrstuvwxyz'])).join('')
}

function knownOf(name: string, { components, incidents, maintenances }: StatusView): Known[] {
  const isGroup = false
  if (name.includes('maintenance'))
    return [...maintenances.values()].map(({ maintenance_id: id, status }) => {
      return { id, isOver: status === 'completed', isGroup }
    })
  if (name.includes('incident'))
    return [...incidents.values()].map((each) => ({ id: each.incident_id, isOver: !isUnresolved(each), isGroup }))
  return [...components.values()].map(({ component_id: id, removed, group }) => {
    return { id, isOver: removed, isGroup: group }
  })
}

function pastUpdates(prng: Prng, ground: Ground): object[] {
  const count = prng.between(1, 4)
  const begin = ground.now - prng.between(5, 3_000) * hourMs
  return Array.from({ length: count }, (_, index) => {
    const status = index === count - 1 ? 'resolved' : prng.pick(['investigating', 'identified', 'monitoring'])
    const display_at = new Date(begin + index * hourMs).toISOString()
    const body = hostileText(prng, 200, { lines: true })
    return { status, body, display_at, ...(index === 0 && count > 1 && { components: statesOf(prng, ground) }) }
  })
}

/** What is no text, day, id or address, or only looks like one. */
const oddTexts: readonly string[] = [
  '',
  ' ',
  'x',
  '\u0000',
  'half \ud83d',
  'bell \u0007',
  '\ufffe',
  '\u2028',
  '2026-13-01',
  '2026-02-30',
  '9999-12-31',
  '2199-12-31',
  '9999-99-99T99:99:99.999Z',
  '-000001-01-01T00:00:00.000Z',
  '+275760-09-13T00:00:00.000Z',
  '2026-02-30T00:00:00Z',
  '1970-01-01T00:00:00.000Z',
  '__proto__',
  'constructor',
  'toString',
  'javascript:alert(1)',
  'https://user@example.org',
  'Etc/GMT+12',
  '+23:00',
  'x'.repeat(30_000),
  '\u202E'.repeat(250),
]
const oddNumbers: readonly number[] = [-1, 0, 1.5, 1e308, -1e308, 2 ** 53, 1e15, 5e-324]
/** As JSON: each is made anew. */
const oddValues: readonly string[] = ['null', 'true', '[]', '[[]]', '["x"]', '{}', '{"__proto__":{"polluted":1}}']

function oddInstead(prng: Prng, value: unknown): unknown {
  if (prng.chance(0.2)) return JSON.parse(prng.pick(oddValues))
  return typeof value === 'number' || prng.chance(0.1) ? prng.pick(oddNumbers) : prng.pick(oddTexts)
}

/** A command with something in it that its schema may not take. */
export function oddCommand(prng: Prng, ground: Ground): unknown {
  if (prng.chance(0.02)) return oddInstead(prng, '')
  const command = randomCommand(prng, ground)
  for (let count = prng.chance(0.8) ? 1 : 3; count > 0; count--) spoil(prng, command)
  return JSON.parse(JSON.stringify(command))
}

function spoil(prng: Prng, target: Record<string, unknown>): void {
  // Another type would only be another command.
  const fields = Object.keys(target).filter((field) => field !== 'type' && field !== '__proto__')
  const field =
    prng.chance(0.05) || fields.length === 0 ? prng.pick(['extra', 'command_id', 'name']) : prng.pick(fields)
  const value = target[field]
  const isNested = typeof value === 'object' && value !== null && prng.chance(0.8)
  if (isNested) spoil(prng, value as Record<string, unknown>)
  else if (prng.chance(0.1)) delete target[field]
  else target[field] = oddInstead(prng, value)
}
