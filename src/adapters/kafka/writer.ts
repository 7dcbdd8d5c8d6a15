import { setTimeout as sleep } from 'node:timers/promises'
import { BatchWriter, recordBytesMax } from '#src/adapters/kafka/batch-writer.ts'
import type { KafkaClient, Transaction } from '#src/adapters/kafka/client.ts'
import { isFenced } from '#src/adapters/kafka/errors.ts'
import type { KafkaLogOptions } from '#src/adapters/kafka/options.ts'
import { patiently } from '#src/adapters/kafka/patience.ts'
import { readHead } from '#src/adapters/kafka/position.ts'
import { wireRecordsOf } from '#src/adapters/kafka/records.ts'
import { isLedgerError, LedgerError } from '#src/domain/errors.ts'
import type { LogHead, LogRecord, LogWriter } from '#src/ports/message-log.ts'

/** Kafka counts a producer's records modulo this. */
const producerSequences = 2 ** 31
/** Room in a batch besides the value of an event: key, headers, lengths. */
const partBytesReserve = 2_048
const settlePollMs = 5
/** How long the broker holds the question whether a commit is visible yet; it answers when it is. */
const visibleWaitMs = 1_000

export function transactionalIdOf(topic: string): string {
  return `${topic}.writer`
}

/**
 * Takes the right to write away from whoever has it, waits until what that one began is decided, and reads where it ended.
 * The client is the writer's from then on.
 */
export async function openKafkaWriter(options: KafkaLogOptions, client: KafkaClient): Promise<KafkaLogWriter> {
  const { topic, transactionTimeoutMs, requestTimeoutMs } = options
  try {
    const patience = { timeoutMs: requestTimeoutMs, pauseMinMs: 5, pauseMaxMs: 200 }
    const transaction = await patiently(patience, () =>
      client.initProducer(transactionalIdOf(topic), transactionTimeoutMs),
    )
    await settle(client, options)
    const head = await readHead(client, topic)
    return new KafkaLogWriter({ client, options, transaction, head })
  } catch (error) {
    client.close()
    throw error
  }
}

/** Waits until no transaction is open: only then is the newest record the last one that will be there. */
async function settle(client: KafkaClient, { topic, transactionTimeoutMs }: KafkaLogOptions): Promise<void> {
  const deadline = performance.now() + transactionTimeoutMs
  for (;;) {
    const end = await client.offsetAt(topic, 'latest')
    const stable = await client.offsetAt(topic, 'stable')
    if (stable >= end) return
    if (performance.now() > deadline) {
      const message = `Topic ${topic} has a transaction that stays open from offset ${stable} on, which none of our writers has begun; find its producer with kafka-transactions`
      throw new LedgerError('log_unavailable', message, { topic, stable, end })
    }
    await sleep(settlePollMs)
  }
}

export interface KafkaLogWriterOptions {
  readonly client: KafkaClient
  readonly options: KafkaLogOptions
  readonly transaction: Transaction
  readonly head: LogHead
}

/**
 * One transaction per append. Whatever fails ends this writer: nothing is tried again, because only a new writer knows what is
 * there. So a request that the broker refused is never followed by a commit.
 */
export class KafkaLogWriter implements LogWriter {
  readonly #client: KafkaClient
  readonly #options: KafkaLogOptions
  readonly #transaction: Transaction
  readonly #batch: BatchWriter
  #producerSequence: number
  #head: LogHead
  #failed: Error | undefined
  #busy = false

  constructor({ client, options, transaction, head }: KafkaLogWriterOptions) {
    this.#client = client
    this.#options = options
    this.#transaction = transaction
    this.#head = head
    this.#batch = new BatchWriter(options.batchBytesMax)
    this.#producerSequence = options.firstProducerSequence ?? 0
  }

  get head(): LogHead {
    return this.#head
  }

  async append(blocks: readonly (readonly LogRecord[])[]): Promise<LogHead> {
    if (this.#failed) throw this.#failed
    if (this.#busy) throw new Error('append was called before the one before it ended')
    const records = blocks.length === 1 ? blocks[0]! : blocks.flat()
    if (records.length === 0) return this.#head
    this.#busy = true
    try {
      await this.#write(records)
    } catch (error) {
      throw this.#fail(error)
    } finally {
      this.#busy = false
    }
    this.#head = { sequence: this.#head.sequence + records.length, time: records[records.length - 1]!.time }
    return this.#head
  }

  async close(): Promise<void> {
    this.#failed ??= this.#fenced()
    this.#client.close()
  }

  async #write(records: readonly LogRecord[]): Promise<void> {
    const { topic, requestTimeoutMs } = this.#options
    // The transaction before this one may still be at its markers, which takes a millisecond or two.
    const patience = { timeoutMs: requestTimeoutMs, pauseMinMs: 1, pauseMaxMs: 20 }
    await patiently(patience, () => this.#client.beginTransaction(topic, this.#transaction))
    const endOffset = await this.#send(records)
    await this.#client.commitTransaction(this.#transaction)
    await this.#awaitVisible(endOffset)
  }

  /** Sends the records in as few batches as fit, and makes up the next while the broker takes one. Returns the offset behind. */
  async #send(records: readonly LogRecord[]): Promise<number> {
    const { batchBytesMax, producerVersion, framing } = this.#options
    const partBytesMax = Math.max(batchBytesMax - partBytesReserve, 1)
    let sending = Promise.resolve(0)
    let sequence = this.#head.sequence
    for (const record of records) {
      sequence++
      const value = framing?.toWire(record.value) ?? record.value
      for (const wire of wireRecordsOf({ record, value, sequence, producerVersion, partBytesMax })) {
        if (this.#batch.count > 0 && this.#batch.bytes + recordBytesMax(wire) > batchBytesMax) {
          const batch = this.#takeBatch()
          await sending
          sending = this.#produce(batch)
          // Its failure is met at the next await; until then it must not count as unhandled.
          sending.catch(() => undefined)
        }
        this.#batch.add(wire)
      }
    }
    const batch = this.#takeBatch()
    await sending
    return this.#produce(batch)
  }

  #takeBatch(): { readonly data: Buffer; readonly count: number } {
    const { producerId, producerEpoch } = this.#transaction
    const { compression } = this.#options
    const { count } = this.#batch
    const data = this.#batch.finish({ producerId, producerEpoch, firstSequence: this.#producerSequence, compression })
    this.#producerSequence = (this.#producerSequence + count) % producerSequences
    return { data, count }
  }

  async #produce({ data, count }: { readonly data: Buffer; readonly count: number }): Promise<number> {
    const { topic, requestTimeoutMs } = this.#options
    const { transactionalId } = this.#transaction
    const { baseOffset } = await this.#client.produce({
      topic,
      transactionalId,
      batch: data,
      timeoutMs: requestTimeoutMs,
    })
    return baseOffset + count
  }

  /**
   * A commit is answered when it is decided, which is a moment before readers see it. A long poll at the marker's offset is
   * answered when they do; the next transaction could not begin before either.
   */
  async #awaitVisible(markerOffset: number): Promise<void> {
    const { topic, requestTimeoutMs } = this.#options
    const deadline = performance.now() + requestTimeoutMs
    for (;;) {
      const { lastStable } = await this.#client.fetch({
        topic,
        offset: markerOffset,
        bytesMax: 1,
        waitMs: visibleWaitMs,
      })
      if (lastStable > markerOffset) return
      if (performance.now() > deadline)
        throw new LedgerError('log_unavailable', `A commit to topic ${topic} does not become visible`, {
          topic,
          markerOffset,
        })
    }
  }

  #fail(error: unknown): Error {
    const { topic } = this.#options
    if (isFenced(error)) this.#failed = this.#fenced(error)
    else if (!isLedgerError(error, 'log_unavailable')) this.#failed = error as Error
    else {
      const message = `Appending to topic ${topic} failed, and whether the events are there is unknown: ${error.message}`
      this.#failed = new LedgerError('log_unavailable', message, { topic }, error)
    }
    this.#client.close()
    return this.#failed
  }

  #fenced(cause?: unknown): LedgerError {
    const { topic } = this.#options
    const message = `This importer lost the right to write to topic ${topic}: it was closed, or a newer one took over`
    return new LedgerError('log_writer_fenced', message, { topic }, cause)
  }
}
