import { setTimeout as sleep } from 'node:timers/promises'
import { type CommandError, ErrorType, isCommandError } from '@eventstore/db-client'
import { LedgerError } from '#src/domain/errors.ts'
import type { Logger } from '#src/ports/logger.ts'

const attemptsMax = 4
const firstPauseMs = 50

const passing: ReadonlySet<ErrorType> = new Set([
  ErrorType.UNAVAILABLE,
  ErrorType.CANCELLED,
  ErrorType.TIMEOUT,
  ErrorType.DEADLINE_EXCEEDED,
  ErrorType.NOT_LEADER,
  ErrorType.UNKNOWN,
])

function commandErrorOf(error: unknown): CommandError | undefined {
  return error instanceof Error && isCommandError(error) ? error : undefined
}

export function isOfType(error: unknown, type: ErrorType): boolean {
  return commandErrorOf(error)?.type === type
}

/**
 * Runs a call up to four times while the server is away or another node leads: the client connects anew with each. Every
 * call here may be repeated, since the server knows appended events by their ids.
 */
export async function calling<T>(server: string, logger: Logger, call: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call()
    } catch (error) {
      if (!mayPass(error) || attempt === attemptsMax) throw translated(server, error)
      logger.debug({ err: error, attempt }, 'the event store did not answer, asking again')
      await sleep(firstPauseMs * 2 ** attempt)
    }
  }
}

function mayPass(error: unknown): boolean {
  const type = commandErrorOf(error)?.type
  return type !== undefined && passing.has(type)
}

/** What the client throws, in the words of the port. */
export function translated(server: string, error: unknown): unknown {
  if (error instanceof LedgerError) return error
  const text = error instanceof Error ? error.message : String(error)
  if (isOfType(error, ErrorType.ACCESS_DENIED)) {
    const message = `EventStoreDB at ${server} does not let us in: ${text}; check --eventstoredb-username and --eventstoredb-password`
    return new LedgerError('decisions_misconfigured', message, { server }, error)
  }
  const known = commandErrorOf(error)
  if (known !== undefined && !passing.has(known.type)) return error
  return new LedgerError(
    'decisions_unavailable',
    `EventStoreDB at ${server} does not answer: ${text}`,
    { server },
    error,
  )
}
