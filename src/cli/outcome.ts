import type { Command } from 'commander'
import { errorCatalogue, exitCodeOf, isLedgerError } from '#src/domain/errors.ts'

/** Verbs whose `--json` is the outcome, since they have no data of their own to print. */
const withOutcome = new WeakSet<Command>()

/** Gives every verb below that has none a `--json` that prints what came of it, in one shape for all. */
export function addOutcomeOptions(program: Command): void {
  for (const command of leavesOf(program)) {
    if (command.options.some(({ long }) => long === '--json')) continue
    withOutcome.add(command)
    command.option('--json', 'print what came of it as one JSON object')
  }
}

/** Whether a verb prints its outcome, and not data of its own. */
export function printsOutcome(command: Command): boolean {
  return withOutcome.has(command) && isJson(command)
}

export function isJson(command: Command): boolean {
  return command.opts<{ json?: boolean }>().json === true
}

/** `projections promote` */
export function verbName(command: Command): string {
  const names: string[] = []
  for (let each: Command | null = command; each?.parent; each = each.parent) names.unshift(each.name())
  return names.join(' ')
}

export interface Outcome {
  readonly verb: string
  readonly ok: boolean
  /** Sentences for people, a line each. */
  readonly text: readonly string[]
  /** Commands to run next, as a person would type them. */
  readonly next: readonly string[]
  /** What programs want to know; each verb has its own. */
  readonly data: Readonly<Record<string, unknown>>
}

export interface FailedOutcome {
  readonly verb: string
  readonly ok: false
  readonly error: {
    /** Of the catalogue; null for what nobody expected. */
    readonly code: string | null
    readonly message: string
    /** Whether the same command may succeed later as it is. */
    readonly mayPass: boolean
    readonly exitCode: number
  }
}

/** Lines that a verb printed; those that begin with `next:` name commands. */
export function outcomeOf(verb: string, lines: readonly string[], data: Readonly<Record<string, unknown>>): Outcome {
  const all = lines.flatMap((text) => text.split('\n'))
  const next = all.flatMap((line) => /(?:^|; )next: (.*)$/.exec(line)?.[1] ?? [])
  return { verb, ok: true, text: all.filter((line) => line !== '' && !line.startsWith('next: ')), next, data }
}

export function failedOutcome(verb: string, error: unknown): FailedOutcome {
  const known = isLedgerError(error)
  const message = error instanceof Error ? error.message : String(error)
  const mayPass = known && errorCatalogue[error.code].disposition === 'retry'
  return { verb, ok: false, error: { code: known ? error.code : null, message, mayPass, exitCode: exitCodeOf(error) } }
}

function leavesOf(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf)
}
