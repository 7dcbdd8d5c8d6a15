import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { isOwnId } from '#commands/status/command-ids.ts'
import { type CommandType, commandSchema, commandTypes, type StatusCommand } from '#commands/status/commands.ts'
import { refuse } from '#commands/status/refusals.ts'
import {
  firstShownDay,
  isPageAddress,
  isShownDay,
  isShownInstant,
  isShownLine,
  isShownText,
  lastShownDay,
} from '#src/domain/status/shown-values.ts'

export interface ParsedCommand {
  readonly command: StatusCommand
  readonly command_id: string | undefined
  readonly expected_revision: number | undefined
}

interface Format {
  readonly validate: (text: string) => boolean
  /** What a value is that does not have it. */
  readonly problem: string
}

const bounds = `of ${firstShownDay.slice(0, 4)} to ${lastShownDay.slice(0, 4)}`
const formats: Readonly<Record<string, Format>> = {
  line: { validate: isShownLine, problem: 'has a line break, a control character or half a character' },
  text: { validate: isShownText, problem: 'has a control character or half a character' },
  day: { validate: isShownDay, problem: `is no day ${bounds}, such as 2026-01-31` },
  instant: { validate: isShownInstant, problem: `is no instant ${bounds}, such as 2026-01-31T22:05:10.250Z` },
  address: {
    validate: (text) => text === '' || isPageAddress(text),
    problem: 'is no address such as https://status.example.org',
  },
}

const ajv = new Ajv({ allErrors: true, verbose: true })
for (const [name, { validate }] of Object.entries(formats)) ajv.addFormat(name, validate)
const validators = new Map<CommandType, ValidateFunction>()
const problemsMax = 10
const quotedMax = 50

/**
 * A command as somebody sent it. Throws `command_invalid`, which names every field that does not fit, and `command_id_reserved`.
 */
export function parseCommand(input: unknown): ParsedCommand {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return refuse('command_invalid', 'A command is a JSON object')
  const type = commandTypes.find((each) => 'type' in input && each === input.type)
  if (type === undefined) return refuse('command_invalid', `/type is none of ${commandTypes.join(', ')}`)
  const validate = validatorOf(type)
  if (!validate(input)) {
    const errors = validate.errors ?? []
    const problems = errors.filter((error) => !isOneWay(error, errors)).map(problemOf)
    refuse('command_invalid', problems.slice(0, problemsMax).join('; '))
  }
  // The schema has told what it is.
  const { command_id, expected_revision, ...command } = input as StatusCommand & Omit<ParsedCommand, 'command'>
  if (command_id !== undefined && isOwnId(command_id))
    refuse('command_id_reserved', `The service makes ids such as ${quoted(command_id)} for itself; choose another one`)
  return { command: command as StatusCommand, command_id, expected_revision }
}

function validatorOf(type: CommandType): ValidateFunction {
  const known = validators.get(type) ?? ajv.compile(commandSchema(type))
  validators.set(type, known)
  return known
}

/** Of a field that may be null, that it is not is told by what else is wrong with it. */
function isOneWay({ keyword, params, instancePath }: ErrorObject, errors: readonly ErrorObject[]): boolean {
  if (keyword === 'anyOf') return true
  const isNullOnly = keyword === 'type' && params['type'] === 'null'
  return isNullOnly && errors.some((other) => other.instancePath === instancePath && other.keyword !== 'anyOf')
}

function problemOf({ keyword, instancePath, message, params, data }: ErrorObject): string {
  const field = instancePath || 'the command'
  if (keyword === 'format') return `${field} ${quoted(data)} ${formats[params['format']]?.problem}`
  const unknown = keyword === 'additionalProperties' ? ` (${quoted(params['additionalProperty'])})` : ''
  return `${field} ${message}${unknown}`
}

/** So that what is wrong can be seen, and a message stays one line. */
function quoted(value: unknown): string {
  return JSON.stringify(String(value).toWellFormed().slice(0, quotedMax))
}
