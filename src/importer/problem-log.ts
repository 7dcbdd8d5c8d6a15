import type { LedgerError } from '#src/domain/errors.ts'
import type { Logger } from '#src/ports/logger.ts'

interface Seen {
  readonly since: number
  loggedAt: number
}

const entriesMax = 1_000
const repeatMs = 60_000

/**
 * Says each problem once, and again every minute while it lasts: an importer that polls twice a second meets the same one
 * again and again. At the live edge, files and signatures arrive one after the other, so what is merely not there yet is
 * said only when it lasts.
 */
export class ProblemLog {
  /** Distinct problems that were said, by code. */
  readonly counts: Record<string, number> = {}
  readonly #seen = new Map<string, Seen>()
  readonly #logger: Logger
  readonly #now: () => number

  constructor(logger: Logger, now: () => number) {
    this.#logger = logger
    this.#now = now
  }

  /** Something we coped with. */
  warn(error: LedgerError): void {
    if (this.#isNew(error, 0)) this.#logger.warn(fieldsOf(error), 'a copy or signature was passed over')
  }

  /** Something that keeps the import from going on; `graceMs` is how long it may last unsaid. True once it has lasted. */
  block(error: LedgerError, graceMs: number): boolean {
    if (this.#isNew(error, graceMs)) this.#logger.error(fieldsOf(error), 'the import cannot go on; it tries again')
    const since = this.#seen.get(keyOf(error))?.since ?? Number.POSITIVE_INFINITY
    return this.#now() - since >= graceMs
  }

  #isNew(error: LedgerError, graceMs: number): boolean {
    const now = this.#now()
    const key = keyOf(error)
    let seen = this.#seen.get(key)
    if (!seen) {
      if (this.#seen.size >= entriesMax) this.#seen.clear()
      seen = { since: now, loggedAt: Number.NEGATIVE_INFINITY }
      this.#seen.set(key, seen)
    }
    if (now - seen.since < graceMs || now - seen.loggedAt < repeatMs) return false
    if (seen.loggedAt === Number.NEGATIVE_INFINITY) this.counts[error.code] = (this.counts[error.code] ?? 0) + 1
    seen.loggedAt = now
    return true
  }
}

function keyOf({ code, details }: LedgerError): string {
  return `${code} ${details.file ?? details.path ?? ''} ${details.node ?? ''}`
}

function fieldsOf({ code, message, details }: LedgerError): object {
  const texts = Object.entries(details).map(([key, value]) => [
    key,
    typeof value === 'bigint' ? value.toString() : value,
  ])
  return { code, ...Object.fromEntries(texts), err: message }
}
