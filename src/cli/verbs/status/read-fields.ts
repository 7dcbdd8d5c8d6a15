import type { Command } from 'commander'
import type { StatusView } from '#commands/status/state.ts'
import { completeId, idsOf } from '#src/cli/verbs/status/complete-id.ts'
import type { Field, StatusVerb } from '#src/cli/verbs/status/verbs.ts'
import { LedgerError } from '#src/domain/errors.ts'

export type Content = Record<string, unknown>

/** What the flags of a verb say, as the fields of its command. */
export function readFields(command: Command, { type, fields }: StatusVerb, view: StatusView): Content {
  const given = Object.fromEntries(fields.flatMap((field) => fieldOf(command, field, view)))
  if (type === 'RecordComponentHealth') return withEvidence(given)
  return type === 'RecordPastIncident' ? withStates(given) : given
}

function fieldOf(command: Command, field: Field, view: StatusView): [string, unknown][] {
  const option = command.options.find(({ flags }) => flags === field.flag)!
  const value: unknown = command.opts<Content>()[option.attributeName()]
  // `--no-group` is false where it is given, and true where it is not.
  const isGiven = option.negate ? value === false : value !== undefined
  return isGiven ? [[field.field, valueOfField(field, value, view)]] : []
}

function valueOfField(field: Field, value: unknown, view: StatusView): unknown {
  const { kind, idOf } = field
  const complete = (text: string): string => (idOf === undefined ? text : completeId(text, idsOf(view, idOf), idOf))
  switch (kind) {
    case 'cleared':
      return null
    case 'number':
      return Number(value)
    case 'yesno':
      return yesOrNo(field, String(value))
    case 'list':
      return (value as readonly string[]).map(complete)
    case 'states':
      return statesOf(value as readonly string[], complete)
    case 'past':
      return (value as readonly string[]).map(pastUpdate)
    default:
      return typeof value === 'string' ? complete(value) : value
  }
}

function yesOrNo({ flag }: Field, text: string): boolean {
  if (text === 'yes' || text === 'true') return true
  if (text === 'no' || text === 'false') return false
  throw new LedgerError('config_invalid', `${flag.split(' ', 1)[0]} is yes or no, not "${text}"`)
}

function statesOf(parts: readonly string[], complete: (text: string) => string): Record<string, string> {
  return Object.fromEntries(
    parts.map((part) => {
      const [id, status] = part.split('=', 2)
      if (id === undefined || status === undefined)
        throw new LedgerError('config_invalid', `"${part}" is no id=status, such as 4bl=partial_outage`)
      return [complete(id), status]
    }),
  )
}

/** `2026-03-01T10:00:00Z,investigating,Reads fail.` */
function pastUpdate(text: string): Content {
  const [, display_at, status, body] = /^([^,]*),([^,]*),(.*)$/s.exec(text) ?? []
  if (body === undefined) throw new LedgerError('config_invalid', `"${text}" is no time,status,text`)
  return { display_at, status, body }
}

/** What a past incident held it held from its beginning on. */
function withStates({ components, updates, ...rest }: Content): Content {
  const [first, ...others] = (updates ?? []) as readonly Content[]
  const told = first === undefined || components === undefined ? first : { ...first, components }
  return { ...rest, updates: told === undefined ? [] : [told, ...others] }
}

/** What was measured is said by flags of its own. */
function withEvidence({ metric, value = null, since, ...rest }: Content): Content {
  const now = new Date().toISOString()
  const [checked_at, reason] = value === null ? [null, 'silence'] : [now, 'level']
  const evidence = { metric, value, reason, since: since ?? now, checked_at, position: null, caused_by: null }
  return { ...rest, evidence }
}
