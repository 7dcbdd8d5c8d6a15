import { LedgerError } from '#src/domain/errors.ts'
import type { LogHead, LogWriter, MessageLog } from '#src/ports/message-log.ts'
import type { OutputPage, OutputRows, RowKey } from '#src/runtime/outputs/output-rows.ts'

export interface OutputSessionOptions {
  /** Of the output, and nobody else's: it is closed with the session. */
  readonly log: MessageLog
  readonly rows: OutputRows
  readonly rowsMax: number
}

/** The right to append to an output, and the place behind its newest event. After any failure only a new session knows it. */
export class OutputSession {
  readonly #log: MessageLog
  readonly #writer: LogWriter
  readonly #rows: OutputRows
  readonly #rowsMax: number
  #after: RowKey | undefined
  /** The newest event as it was found, until its row is found as well. */
  #unknown: RowKey | undefined

  private constructor({ log, rows, rowsMax }: OutputSessionOptions, writer: LogWriter, newest: RowKey | undefined) {
    this.#log = log
    this.#writer = writer
    this.#rows = rows
    this.#rowsMax = rowsMax
    this.#after = this.#unknown = newest
  }

  static async open(options: OutputSessionOptions): Promise<OutputSession> {
    const { log, rows } = options
    try {
      const writer = await log.openWriter()
      return new OutputSession(options, writer, await newestKey(log, writer.head, rows))
    } catch (error) {
      await log.close()
      throw error
    }
  }

  /**
   * Appends what is not there yet of the next rows, of times up to `through` (ns). Resolves to how many events that were;
   * undefined when no row was left.
   */
  async publish(through: bigint): Promise<number | undefined> {
    await this.#assertOwn(through)
    const page: OutputPage | undefined = await this.#rows.page({ after: this.#after, through, rowsMax: this.#rowsMax })
    if (page === undefined) return undefined
    if (page.records.length > 0) await this.#writer.append([page.records])
    this.#after = page.last
    return page.records.length
  }

  async close(): Promise<void> {
    try {
      await this.#writer.close()
    } finally {
      await this.#log.close()
    }
  }

  /** Rows that are built anew come to the newest event in their turn; then it has to be theirs. */
  async #assertOwn(through: bigint): Promise<void> {
    const [time] = this.#unknown ?? []
    if (this.#unknown === undefined || (time as bigint) > through) return
    if (!(await this.#rows.has(this.#unknown))) throw foreign(this.#unknown.join('/'))
    this.#unknown = undefined
  }
}

async function newestKey(log: MessageLog, { sequence }: LogHead, rows: OutputRows): Promise<RowKey | undefined> {
  if (sequence === 0) return undefined
  for await (const { records } of log.read({ after: sequence - 1, countMax: 1, bytesMax: 1, follow: false })) {
    const { key: text } = records.at(-1)!
    const key = rows.parseKey(text)
    if (key === undefined) throw foreign(text)
    return key
  }
  throw new LedgerError(
    'log_unavailable',
    `The event ${sequence} of an output is not there yet, although it ends with it`,
  )
}

function foreign(key: string): LedgerError {
  return new LedgerError(
    'checkpoint_ahead',
    `The newest event of the output has the key ${key}, which no row of the read model has: they do not belong together; remove the output's topic or folder, and it is filled anew`,
    { key },
  )
}
