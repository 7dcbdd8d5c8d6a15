import { LedgerError } from '#src/domain/errors.ts'
import type { CopyName } from '#src/events/event-types.ts'
import type { LogWriter, MessageLog, Position, StoredRecord } from '#src/ports/message-log.ts'
import { type Subject, subjects } from '#src/runtime/copies/copied-events.ts'
import { firstSequenceAt } from '#src/topics/time-search.ts'

export interface CopySessionOptions {
  readonly topic: CopyName
  /** Of the copy, and nobody else's: it is closed with the session. */
  readonly log: MessageLog
  /** The ledger's log. */
  readonly source: MessageLog
}

const one = { countMax: 1, bytesMax: 1, follow: false } as const
/** Events of one instant that are looked through for an origin: a transaction has an instant of its own, so they are few. */
const originsAtOnce = { countMax: 100, bytesMax: 1 << 20, follow: false } as const

/** The right to append to a narrow topic, and the place behind the origin of its newest event. After any failure only a new session knows it. */
export class CopySession {
  readonly topic: CopyName
  readonly #subject: Subject
  readonly #log: MessageLog
  readonly #writer: LogWriter
  #position: Position

  private constructor({ topic, log }: CopySessionOptions, writer: LogWriter, position: Position) {
    this.topic = topic
    this.#subject = subjects[topic]
    this.#log = log
    this.#writer = writer
    this.#position = position
  }

  static async open(options: CopySessionOptions): Promise<CopySession> {
    const { log } = options
    try {
      const writer = await log.openWriter()
      return new CopySession(options, writer, await originOfNewest(options, writer.head.sequence))
    } catch (error) {
      await log.close()
      throw error
    }
  }

  /** Of the ledger's log: what is up to here is copied, as far as it is about the subject. */
  get position(): Position {
    return this.#position
  }

  /** Appends the copies of what follows its place, all or none of them. Resolves to how many they were. */
  async take(records: readonly StoredRecord[]): Promise<number> {
    const copies = records.flatMap((record) => {
      const isNext = record.sequence > this.#position && this.#subject.from.has(record.type)
      return (isNext ? this.#subject.copyOf(record) : undefined) ?? []
    })
    if (copies.length > 0) await this.#writer.append([copies])
    this.#position = Math.max(this.#position, records.at(-1)?.sequence ?? 0)
    return copies.length
  }

  async close(): Promise<void> {
    try {
      await this.#writer.close()
    } finally {
      await this.#log.close()
    }
  }
}

/** 0 for a topic that is empty. */
async function originOfNewest({ topic, log, source }: CopySessionOptions, newest: Position): Promise<Position> {
  if (newest === 0) return 0
  for await (const { records } of log.read({ after: newest - 1, ...one })) {
    const { key, time } = records.at(-1)!
    const origin = await findOrigin(topic, key, time, source)
    if (origin === undefined) throw foreign(topic, key)
    return origin
  }
  throw new LedgerError('log_unavailable', `The event ${newest} of ${topic} is not there yet, although it ends with it`)
}

/** The event of the ledger's log with the key and the time of a copy. */
async function findOrigin(
  topic: CopyName,
  key: string,
  time: bigint,
  source: MessageLog,
): Promise<Position | undefined> {
  const { from } = subjects[topic]
  const first = await firstSequenceAt(source, time)
  for await (const { records } of source.read({ after: first - 1, ...originsAtOnce })) {
    for (const record of records) {
      if (record.time > time) return undefined
      if (record.key === key && from.has(record.type)) return record.sequence
    }
  }
  return undefined
}

function foreign(topic: CopyName, key: string): LedgerError {
  return new LedgerError(
    'checkpoint_ahead',
    `The newest event of ${topic} has the key ${key}, which the ledger's log does not have: they do not belong together; remove the topic or folder of ${topic}, and it is filled anew`,
    { topic, key },
  )
}
