import { Ajv, type ValidateFunction } from 'ajv'
import { type CommandType, commandSchema, commandTypes, type StatusCommand } from '#commands/status/commands.ts'
import { refuse } from '#commands/status/refusals.ts'

export interface ParsedCommand {
  readonly command: StatusCommand
  readonly command_id: string | undefined
  readonly expected_revision: number | undefined
}

const ajv = new Ajv({ allErrors: true })
const validators = new Map<CommandType, ValidateFunction>()

/** A command as somebody sent it. Throws `command_invalid`, which names every field that does not fit. */
export function parseCommand(input: unknown): ParsedCommand {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return refuse('command_invalid', 'A command is a JSON object')
  const type = commandTypes.find((each) => 'type' in input && each === input.type)
  if (type === undefined) return refuse('command_invalid', `/type is none of ${commandTypes.join(', ')}`)
  const validate = validatorOf(type)
  if (!validate(input)) {
    const problems = (validate.errors ?? []).map(({ instancePath, message, params }) => {
      const unknown = 'additionalProperty' in params ? ` (${String(params.additionalProperty).slice(0, 50)})` : ''
      return `${instancePath || 'the command'} ${message}${unknown}`
    })
    refuse('command_invalid', problems.slice(0, 10).join('; '))
  }
  // The schema has told what it is.
  const { command_id, expected_revision, ...command } = input as StatusCommand & Omit<ParsedCommand, 'command'>
  return { command: command as StatusCommand, command_id, expected_revision }
}

function validatorOf(type: CommandType): ValidateFunction {
  const known = validators.get(type) ?? ajv.compile(commandSchema(type))
  validators.set(type, known)
  return known
}
