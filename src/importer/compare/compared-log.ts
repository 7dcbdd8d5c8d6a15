import { asBuffer } from '#src/domain/bytes.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { decodeEvent } from '#src/events/codec.ts'
import { factBytes } from '#src/events/provenance.ts'
import type {
  LogBatch,
  LogHead,
  LogRecord,
  LogWriter,
  MessageLog,
  Position,
  StoredRecord,
} from '#src/ports/message-log.ts'

const readCountMax = 5_000
const readBytesMax = 8 << 20

/**
 * Stands for an empty log, and holds whatever is appended to it against another one, event by event, instead of keeping
 * it. Rejects with `log_differs` at the first event that is not the same; what a block says of the copies that it was read
 * from is left out of it.
 */
export class ComparedLog implements MessageLog {
  readonly #log: MessageLog
  readonly #expected: AsyncIterator<StoredRecord>
  #head: LogHead = { sequence: 0, time: undefined }

  /** Events behind `through` are not looked at. */
  constructor(log: MessageLog, through: Position) {
    this.#log = log
    this.#expected = recordsOf(log, through)
  }

  /** Last event that is the same. */
  get position(): Position {
    return this.#head.sequence
  }

  async openWriter(): Promise<LogWriter> {
    const head = () => this.#head
    return {
      get head() {
        return head()
      },
      append: (blocks) => this.#compare(blocks.flat()),
      close: async () => undefined,
    }
  }

  async head(): Promise<LogHead> {
    return this.#head
  }

  identity(): Promise<string | undefined> {
    return this.#log.identity()
  }

  /** Nothing is kept, so there is nothing to read. */
  async *read(): AsyncGenerator<LogBatch> {}

  async close(): Promise<void> {
    await this.#expected.return?.()
  }

  async #compare(records: readonly LogRecord[]): Promise<LogHead> {
    for (const record of records) {
      const { value: stored, done } = await this.#expected.next()
      // What the source has behind the end was not asked for.
      if (done) return this.#head
      if (!isSame(stored, record)) throw differs(stored, record)
      this.#head = { sequence: stored.sequence, time: stored.time }
    }
    return this.#head
  }
}

async function* recordsOf(log: MessageLog, through: Position): AsyncGenerator<StoredRecord, undefined> {
  for await (const { records } of log.read({
    after: 0,
    countMax: readCountMax,
    bytesMax: readBytesMax,
    follow: false,
  })) {
    for (const record of records) {
      if (record.sequence > through) return undefined
      yield record
    }
  }
  return undefined
}

function isSame(stored: LogRecord, expected: LogRecord): boolean {
  if (stored.type !== expected.type || stored.key !== expected.key || stored.time !== expected.time) return false
  if (asBuffer(stored.value).equals(asBuffer(expected.value))) return true
  return (
    asBuffer(factBytes(stored)).equals(asBuffer(factBytes(expected))) || differentFields(stored, expected).length === 0
  )
}

/** Names of the fields that are not the same; an event of an older schema is read as one of the newest. */
function differentFields(stored: LogRecord, expected: LogRecord): string[] {
  const [is, should] = [fieldsOf(stored), fieldsOf(expected)]
  return Object.keys(should).filter((field) => textOf(is[field]) !== textOf(should[field]))
}

function fieldsOf(record: LogRecord): Record<string, unknown> {
  return { ...decodeEvent({ type: record.type, value: factBytes(record) }) }
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) => (typeof each === 'bigint' ? `${each}n` : each)) ?? ''
}

function differs(stored: StoredRecord, expected: LogRecord): LedgerError {
  const { sequence, type, key } = stored
  const isOther = type !== expected.type || key !== expected.key || stored.time !== expected.time
  const how = isOther
    ? `is the ${type} ${key}, where the source has the ${expected.type} ${expected.key}`
    : `the ${type} ${key}, does not say what the source says: ${differentFields(stored, expected).join(', ')}`
  return new LedgerError('log_differs', `Event ${sequence} of the log ${how}`, { sequence, type, key })
}
