import { once } from 'node:events'
import { KafkaClient } from '#src/adapters/kafka/client.ts'
import type { KafkaLogOptions } from '#src/adapters/kafka/options.ts'
import { findOffset, findPlaceAt, type Place, readHead, readIdentity } from '#src/adapters/kafka/position.ts'
import { KafkaReader } from '#src/adapters/kafka/reader.ts'
import { ensureTopic, findTopic } from '#src/adapters/kafka/topic.ts'
import { type KafkaLogWriter, openKafkaWriter } from '#src/adapters/kafka/writer.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { rest } from '#src/ports/clock.ts'
import type { LogBatch, LogHead, LogWriter, MessageLog, Position, ReadOptions } from '#src/ports/message-log.ts'

/** How old the head may be that a reader far behind it reports. */
const headAgeMsMax = 500
/** How often a following reader looks whether the topic has been created. */
const topicPollMs = 250
const emptyHead: LogHead = { sequence: 0, time: undefined }

export interface KafkaMessageLog extends MessageLog {
  /** As committed offset of a consumer group. Costs a few requests, so once a second is often enough. */
  reportProgress(groupId: string, position: Position): Promise<void>
  /** The first event at or after a time in nanoseconds, with its offset; undefined when there is none yet. */
  findPlaceAt(time: bigint): Promise<Place | undefined>
}

/**
 * The log in one partition of a Kafka topic, which the first writer creates; to readers a missing one is empty. Errors: `log_unavailable` while the cluster is
 * away, `config_invalid` when it does not let us in, `log_misconfigured` when the topic is not fit, `log_gap` and `log_damaged`
 * when events are missing or not what was written.
 */
export function openKafkaLog(options: KafkaLogOptions): KafkaMessageLog {
  return new KafkaLog(options)
}

class KafkaLog implements KafkaMessageLog {
  readonly #options: KafkaLogOptions
  /** For short requests only; readers and the writer have their own. */
  readonly #client: KafkaClient
  /** A failure ends all requests of a client under way, and a report that fails must not disturb others. */
  readonly #progressClient: KafkaClient
  /** Of calls under way. */
  readonly #clients = new Set<KafkaClient>()
  readonly #readers = new Set<KafkaReader>()
  #writer: KafkaLogWriter | undefined
  readonly #progress = new Map<string, Place>()
  #topic: Promise<boolean> | undefined
  #headRead: Promise<LogHead> | undefined
  #lastHead: { readonly head: LogHead; readonly at: number } | undefined
  #closed = false

  constructor(options: KafkaLogOptions) {
    this.#options = options
    this.#client = new KafkaClient(options)
    this.#progressClient = new KafkaClient(options)
  }

  async openWriter(): Promise<LogWriter> {
    await this.#withClient((client) => ensureTopic(this.#options, client))
    this.#topic = Promise.resolve(true)
    // The new one takes the right to write away from this one in any case.
    await this.#writer?.close()
    const writer = await this.#withClient((client) => openKafkaWriter(this.#options, client))
    this.#writer = writer
    if (this.#closed) await writer.close()
    this.#assertOpen()
    return writer
  }

  async *read(read: ReadOptions): AsyncGenerator<LogBatch, void, undefined> {
    if (!(await this.#awaitTopic(read))) return
    this.#assertOpen()
    const headFrom = (sequence: Position): Promise<LogHead> => this.#headFrom(sequence)
    const reader = new KafkaReader({ log: this.#options, read, headFrom })
    this.#readers.add(reader)
    try {
      yield* reader.batches()
    } finally {
      this.#readers.delete(reader)
    }
  }

  async head(): Promise<LogHead> {
    if (!(await this.#exists())) return emptyHead
    // Not one that was asked for earlier: it may not show what the caller knows to be there.
    const head = await readHead(this.#client, this.#options.topic)
    this.#lastHead = { head, at: performance.now() }
    return head
  }

  async identity(): Promise<string | undefined> {
    if (!(await this.#exists())) return undefined
    // Not one that was read before: the topic may have been made anew since.
    return readIdentity(this.#client, this.#options.topic)
  }

  async reportProgress(groupId: string, position: Position): Promise<void> {
    if (!(await this.#exists())) return
    const { topic } = this.#options
    const offset = await findOffset(this.#progressClient, topic, position + 1, this.#progress.get(groupId))
    this.#progress.set(groupId, { sequence: position + 1, offset })
    await this.#progressClient.commitGroupOffset(groupId, topic, offset)
  }

  async findPlaceAt(time: bigint): Promise<Place | undefined> {
    if (!(await this.#exists())) return undefined
    return findPlaceAt(this.#client, this.#options.topic, time)
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#client.close()
    this.#progressClient.close()
    for (const client of this.#clients) client.close()
    for (const reader of this.#readers) reader.close()
    await this.#writer?.close()
  }

  /** One request serves all readers that ask meanwhile. */
  async #headFrom(sequence: Position): Promise<LogHead> {
    const known = this.#lastHead
    if (known && known.head.sequence >= sequence && performance.now() - known.at < headAgeMsMax) return known.head
    this.#headRead ??= this.head().finally(() => {
      this.#headRead = undefined
    })
    const head = await this.#headRead
    return head.sequence >= sequence ? head : this.head()
  }

  /** Closing the log ends the work. */
  async #withClient<T>(work: (client: KafkaClient) => Promise<T>): Promise<T> {
    this.#assertOpen()
    const client = new KafkaClient(this.#options)
    this.#clients.add(client)
    try {
      return await work(client)
    } finally {
      this.#clients.delete(client)
    }
  }

  /** Returns false where the reader has to end before the topic is there. */
  async #awaitTopic({ follow, signal }: ReadOptions): Promise<boolean> {
    while (!signal?.aborted) {
      if (await unlessAborted(this.#exists(), signal)) return true
      if (!follow) return false
      await rest(topicPollMs, signal)
    }
    return false
  }

  /** Asked again until the topic is there. */
  #exists(): Promise<boolean> {
    this.#assertOpen()
    this.#topic ??= this.#withClient((client) => findTopic(this.#options, client)).then(
      (found) => {
        if (!found) this.#topic = undefined
        return found
      },
      (error: unknown) => {
        this.#topic = undefined
        throw error
      },
    )
    return this.#topic
  }

  #assertOpen(): void {
    if (this.#closed) throw new LedgerError('log_unavailable', `The log in topic ${this.#options.topic} was closed`)
  }
}

/** undefined as soon as the signal fires; what becomes of the promise is of no interest then. */
async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T | undefined> {
  if (!signal) return promise
  const settled = new AbortController()
  const nothing = (): undefined => undefined
  try {
    return await Promise.race([promise, once(signal, 'abort', { signal: settled.signal }).then(nothing, nothing)])
  } finally {
    settled.abort()
  }
}
