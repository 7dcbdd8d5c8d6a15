import { type ErrorCode, isLedgerError, LedgerError } from '#src/domain/errors.ts'
import type { PublishedName } from '#src/events/event-types.ts'
import type { MessageLog } from '#src/ports/message-log.ts'

const damageCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['log_damaged', 'log_gap'])

/** Whether what was published cannot be read as it was written. */
export function isOutputDamage(error: unknown): error is LedgerError {
  return isLedgerError(error) && damageCodes.has(error.code)
}

export interface PublishedOutput {
  readonly topic: PublishedName
  /** What a person calls the place that it is published to: a topic or a folder. */
  readonly name: string
}

/** A log that holds what is published and nothing else: what is damaged of it needs no copy and no new generation, since what it is made of is there. */
export async function openOutputLog(output: PublishedOutput, open: () => Promise<MessageLog>): Promise<MessageLog> {
  const told = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      throw isOutputDamage(error) ? damaged(output, error) : error
    }
  }
  const log = await told(open)
  return {
    openWriter: () => told(() => log.openWriter()),
    head: () => told(() => log.head()),
    identity: () => told(() => log.identity()),
    ...(log.uncheckedThrough && { uncheckedThrough: log.uncheckedThrough.bind(log) }),
    close: () => log.close(),
    async *read(options) {
      const batches = log.read(options)[Symbol.asyncIterator]()
      try {
        for (;;) {
          const next = await told(() => batches.next())
          if (next.done) return
          yield next.value
        }
      } finally {
        await batches.return?.()
      }
    },
  }
}

/** Of a damage that publishing has not met: only the newest event is read for that, and mended by itself. */
export function outputRepair(name: string): string {
  return `stop what runs on it, remove ${name}, and start: it is filled anew from what it is made of, with the same numbers`
}

function damaged({ topic, name }: PublishedOutput, error: LedgerError): LedgerError {
  const { reason = error.message } = error.details
  return new LedgerError(
    error.code,
    `What ${topic} publishes in ${name} is damaged: ${reason}; ${outputRepair(name)}`,
    { ...error.details, topic, reason },
    error,
  )
}
