import { Assembler, damaged } from '#src/adapters/kafka/assembler.ts'
import { type DecodedBatch, endOffsetOf } from '#src/adapters/kafka/batch-reader.ts'
import { KafkaClient } from '#src/adapters/kafka/client.ts'
import type { KafkaLogOptions } from '#src/adapters/kafka/options.ts'
import { decidedWaitMs, decodeAnswer, fetchFrom, findOffset, readIdentity } from '#src/adapters/kafka/position.ts'
import type { FetchAnswer } from '#src/adapters/kafka/requests.ts'
import { isLedgerError } from '#src/domain/errors.ts'
import { rest } from '#src/ports/clock.ts'
import type { LogBatch, LogHead, Position, ReadOptions, StoredRecord } from '#src/ports/message-log.ts'

/** Compressed bytes of one fetch. With the one fetched ahead, a reader holds two of them at most. */
const fetchBytesMax = 1_048_576
/** How long the broker holds a fetch at the end of the log. */
const longPollMs = 5_000
/** How long a reader waits for an absent broker before it reports it. */
const absenceMsMax = 10_000
const reconnectMsMin = 50
const reconnectMsMax = 1_000

export interface ReaderOptions {
  readonly log: KafkaLogOptions
  readonly read: ReadOptions
  /** The log's head, not below the given sequence; may be a little old. */
  readonly headFrom: (sequence: Position) => Promise<LogHead>
}

/** One reader with connections of its own, fetching ahead by one answer while the caller works. */
export class KafkaReader {
  readonly #options: KafkaLogOptions
  readonly #read: ReadOptions
  readonly #headFrom: (sequence: Position) => Promise<LogHead>
  readonly #client: KafkaClient
  readonly #assembler: Assembler
  /** Decoded, but not yet given to the caller. */
  readonly #backlog: StoredRecord[] = []
  #backlogBytes = 0
  /** What is left of the last answer to decode. */
  #answer: Iterator<DecodedBatch, void> | undefined
  /** Behind the last batch decoded. */
  #offset: number | undefined
  #lastStable: number | undefined
  /** Who wrote the log that was read so far; undefined before the first event. */
  #identity: string | undefined
  /** Whether the topic may be another one than before, since a request has failed. */
  #isInDoubt = true
  /** Why nothing behind the backlog can be decoded. */
  #damage: unknown
  /** The answer that is awaited while the caller works. */
  #ahead: Promise<FetchAnswer> | undefined

  constructor({ log, read, headFrom }: ReaderOptions) {
    this.#options = log
    this.#read = read
    this.#headFrom = headFrom
    this.#client = new KafkaClient(log)
    this.#assembler = new Assembler({ topic: log.topic, framing: log.framing, after: read.after })
  }

  /** At once; whoever waits for a batch is rejected. */
  close(): void {
    this.#client.close()
  }

  async *batches(): AsyncGenerator<LogBatch, void, undefined> {
    const { signal, follow } = this.#read
    const stop = (): void => this.close()
    signal?.addEventListener('abort', stop, { once: true })
    try {
      while (!signal?.aborted) {
        await this.#fill()
        const records = this.#takeBatch()
        if (records.length > 0) yield { records, head: await this.#head() }
        else if (!follow) return
      }
    } catch (error) {
      // Closing the connection is how a signal ends the wait.
      if (!signal?.aborted) throw error
    } finally {
      signal?.removeEventListener('abort', stop)
      this.close()
    }
  }

  async #head(): Promise<Position> {
    const { reached } = this.#assembler
    if (this.#atEnd || this.#damage !== undefined) return reached
    const { sequence } = await this.#ridingOut(() => this.#headFrom(reached))
    return sequence
  }

  /** Whether everything is decoded that was decided when the last answer was given. */
  get #atEnd(): boolean {
    return this.#offset !== undefined && this.#lastStable !== undefined && this.#offset >= this.#lastStable
  }

  /** The first answer tells where the log ends, and must not wait for more. */
  get #waitMs(): number {
    if (this.#lastStable === undefined) return 0
    return this.#atEnd ? longPollMs : decidedWaitMs
  }

  /** Reads until there is a full batch, or everything; following, until there is something. */
  async #fill(): Promise<void> {
    const { countMax, bytesMax, follow } = this.#read
    while (this.#backlog.length < countMax && this.#backlogBytes < bytesMax) {
      if (this.#decodeNext()) continue
      if (this.#damage !== undefined) {
        if (this.#backlog.length > 0) return
        throw this.#damage
      }
      if (this.#atEnd && (this.#backlog.length > 0 || !follow)) return
      await this.#ridingOut(() => this.#fetch())
    }
  }

  /** Decodes one batch of the last answer, if there is one left. What stands before damage is given to the caller first. */
  #decodeNext(): boolean {
    if (this.#damage !== undefined) return false
    try {
      return this.#decodeBatch()
    } catch (error) {
      this.#damage = error
      return false
    }
  }

  #decodeBatch(): boolean {
    const next = this.#answer?.next()
    if (!next || next.done) return false
    for (const record of next.value.records) {
      const event = this.#assembler.take(record)
      if (!event) continue
      this.#backlog.push(event)
      this.#backlogBytes += event.value.length
    }
    this.#offset = next.value.nextOffset
    return true
  }

  #takeBatch(): StoredRecord[] {
    const { countMax, bytesMax } = this.#read
    let count = 0
    let bytes = 0
    for (; count < this.#backlog.length && count < countMax; count++) {
      const { length } = this.#backlog[count]!.value
      if (count > 0 && bytes + length > bytesMax) break
      bytes += length
    }
    this.#backlogBytes -= bytes
    return this.#backlog.splice(0, count)
  }

  /** The next answer; one that has to be waited for only at the end of the log. */
  async #fetch(): Promise<void> {
    const { topic } = this.#options
    if (this.#isInDoubt) await this.#assertSameLog()
    this.#offset ??= await findOffset(this.#client, topic, this.#assembler.reached + 1)
    const offset = this.#offset
    const answer = await (this.#ahead ?? this.#request(offset, this.#waitMs))
    this.#ahead = undefined
    this.#lastStable = answer.lastStable
    this.#answer = decodeAnswer(topic, offset, answer)
    const nextOffset = endOffsetOf(answer.data, offset)
    if (nextOffset < answer.lastStable) this.#fetchAhead(nextOffset)
  }

  /**
   * A topic that was deleted and made anew while we were away has other events at our offset, maybe with the sequence that
   * comes next. Whoever reads again asks which log it is.
   */
  async #assertSameLog(): Promise<void> {
    const { topic } = this.#options
    const identity = await readIdentity(this.#client, topic)
    if (this.#identity !== undefined && identity !== this.#identity)
      throw damaged(topic, `the topic was made anew while event ${this.#assembler.reached + 1} was awaited`)
    this.#identity = identity
    this.#isInDoubt = false
  }

  #fetchAhead(offset: number): void {
    this.#ahead = this.#request(offset, decidedWaitMs)
    // Its failure is met when it is awaited; until then it must not count as unhandled.
    this.#ahead.catch(() => undefined)
  }

  #request(offset: number, waitMs: number): Promise<FetchAnswer> {
    const { topic, requestTimeoutMs } = this.#options
    const bytesMax = Math.min(fetchBytesMax, this.#read.bytesMax)
    const options = { topic, offset, bytesMax, waitMs: Math.min(waitMs, requestTimeoutMs / 2) }
    return fetchFrom(this.#client, options, this.#assembler.reached + 1)
  }

  /** A broker that restarts, or a leader that moves, costs a reader some time and no error. */
  async #ridingOut<T>(attempt: () => Promise<T>): Promise<T> {
    const { signal } = this.#read
    let awaySince: number | undefined
    for (let pauseMs = reconnectMsMin; ; pauseMs = Math.min(2 * pauseMs, reconnectMsMax)) {
      try {
        return await attempt()
      } catch (error) {
        this.#ahead = undefined
        this.#isInDoubt = true
        const now = performance.now()
        awaySince ??= now
        const over = now + pauseMs - awaySince > Math.min(absenceMsMax, this.#options.requestTimeoutMs)
        if (!isLedgerError(error, 'log_unavailable') || this.#client.closed || over) throw error
        this.#options.logger.debug({ err: error, pauseMs }, 'a reader reconnects')
      }
      await rest(pauseMs, signal)
    }
  }
}
