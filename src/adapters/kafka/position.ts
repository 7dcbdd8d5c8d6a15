import { damaged, gap } from '#src/adapters/kafka/assembler.ts'
import { type DecodedBatch, decodeBatches } from '#src/adapters/kafka/batch-reader.ts'
import type { KafkaClient } from '#src/adapters/kafka/client.ts'
import { hasType } from '#src/adapters/kafka/errors.ts'
import type { FetchedRecord } from '#src/adapters/kafka/fetched-record.ts'
import { sequenceOf, sha256, timeOf } from '#src/adapters/kafka/records.ts'
import type { FetchAnswer, FetchOptions } from '#src/adapters/kafka/requests.ts'
import { LedgerError } from '#src/domain/errors.ts'
import type { LogHead, Position } from '#src/ports/message-log.ts'

const fetchBytes = 65_536
/** How long the broker may look for what is there: in segments that were moved to another store it takes its time. */
export const decidedWaitMs = 500
/** Answers without anything until the search is given up. */
const attemptsMax = 20

/** Decodes an answer batch by batch; `log_damaged` when it is not what was written. */
export function* decodeAnswer(
  topic: string,
  offset: number,
  answer: FetchAnswer,
): Generator<DecodedBatch, void, undefined> {
  try {
    yield* decodeBatches(answer.data, offset, answer.aborted)
  } catch (error) {
    throw damaged(topic, (error as Error).message, error)
  }
}

/** Fetches; an offset that the topic does not have is `log_gap`, never a jump to another one. */
export async function fetchFrom(client: KafkaClient, options: FetchOptions, expected: Position): Promise<FetchAnswer> {
  const { topic, offset } = options
  try {
    return await client.fetch(options)
  } catch (error) {
    if (!hasType(error, 'OFFSET_OUT_OF_RANGE')) throw error
    const first = await client.offsetAt(topic, 'earliest')
    const end = await client.offsetAt(topic, 'latest')
    const reason =
      offset < first
        ? `what stood before offset ${first} was removed`
        : `the topic ends at offset ${end}, before ${offset}`
    throw gap(topic, expected, reason, { offset, first, end })
  }
}

/**
 * The committed records from an offset on, batch by batch. `end` was the last stable offset: a broker that has nothing below
 * it is not ready, and what it leaves out must not be taken for missing.
 */
async function* recordsFrom(
  client: KafkaClient,
  topic: string,
  from: number,
  end: number,
): AsyncGenerator<Pick<DecodedBatch, 'records' | 'producer'>> {
  let attempts = 0
  for (let offset = from; offset < end; ) {
    const before = offset
    const answer = await fetchFrom(client, { topic, offset, bytesMax: fetchBytes, waitMs: decidedWaitMs }, 1)
    for (const { records, nextOffset, producer } of decodeAnswer(topic, offset, answer)) {
      if (nextOffset > end) return
      offset = nextOffset
      if (records.length > 0) yield { records, producer }
    }
    if (offset === before && ++attempts === attemptsMax) {
      const message = `Topic ${topic} returns nothing from offset ${offset} on, although it ends at ${end}; see whether its leader is well`
      throw new LedgerError('log_unavailable', message, { topic, offset, end })
    }
  }
}

async function findRecord(
  client: KafkaClient,
  topic: string,
  from: number,
  end: number,
): Promise<FetchedRecord | undefined> {
  for await (const { records } of recordsFrom(client, topic, from, end)) return records[0]
  return undefined
}

async function findLastRecord(
  client: KafkaClient,
  topic: string,
  from: number,
  end: number,
): Promise<FetchedRecord | undefined> {
  let last: FetchedRecord | undefined
  for await (const { records } of recordsFrom(client, topic, from, end)) last = records[records.length - 1]
  return last
}

/**
 * The newest committed event: steps back from the last stable offset over markers and aborted transactions, until it meets
 * one. What lies below that offset is decided, so the head is never in the middle of an append.
 */
export async function readHead(client: KafkaClient, topic: string): Promise<LogHead> {
  const first = await client.offsetAt(topic, 'earliest')
  const end = await client.offsetAt(topic, 'stable')
  for (let step = 2; ; step *= 16) {
    const from = Math.max(first, end - step)
    const last = await findLastRecord(client, topic, from, end)
    if (last) return { sequence: checkedSequence(topic, last), time: timeOf(last) }
    if (from === first) return emptyHead(topic, first)
  }
}

function emptyHead(topic: string, first: number): LogHead {
  if (first > 0) throw gap(topic, 1, `what stood before offset ${first} was removed, and nothing is left`)
  return { sequence: 0, time: undefined }
}

/**
 * Who wrote the first event, and what it says: a topic that was made anew was begun by another producer, and one that was
 * copied from elsewhere as well. undefined while there is none.
 */
export async function readIdentity(client: KafkaClient, topic: string): Promise<string | undefined> {
  const first = await client.offsetAt(topic, 'earliest')
  const end = await client.offsetAt(topic, 'stable')
  for await (const { records, producer } of recordsFrom(client, topic, first, end))
    return `${producer}.${sha256(records[0]!.value).slice(0, 16)}`
  return undefined
}

/** The event with this sequence is at this offset, or after it. */
export interface Place {
  readonly sequence: Position
  readonly offset: number
}

const start: Place = { sequence: 1, offset: 0 }

/**
 * Where the event with this sequence begins, or the end of what is committed when there is none yet. Without an index:
 * each event takes at least one offset, so an event n sequences further is at least n offsets further; from what is found
 * there the search goes on. It never overshoots. A jump in the sequence is left to the reader to find.
 */
export async function findOffset(
  client: KafkaClient,
  topic: string,
  sequence: Position,
  known = start,
): Promise<number> {
  const near = known.sequence <= sequence ? known : start
  const first = await client.offsetAt(topic, 'earliest')
  const end = await client.offsetAt(topic, 'stable')
  let offset = Math.max(first, near.offset + sequence - near.sequence)
  if (sequence === 1 && first > 0 && first === end)
    throw gap(topic, 1, `what stood before offset ${first} was removed, and nothing is left`)
  if (offset >= end) return end
  for (;;) {
    const record = await findRecord(client, topic, offset, end)
    if (!record) return end
    const found = checkedSequence(topic, record)
    if (found >= sequence) return record.offset
    offset = record.offset + sequence - found
    if (offset >= end) return end
  }
}

function checkedSequence(topic: string, record: FetchedRecord): Position {
  const sequence = sequenceOf(record)
  if (sequence === undefined)
    throw damaged(topic, `the record at offset ${record.offset} has no sequence in its headers`)
  return sequence
}

/**
 * The first event at or after a time; undefined when there is none yet. Kafka's own search by time is no help: the
 * markers that end transactions carry the time of day, so in history imported today it finds the first marker. Times ascend
 * along the log, so halving finds the place.
 */
export async function findPlaceAt(client: KafkaClient, topic: string, time: bigint): Promise<Place | undefined> {
  let low = await client.offsetAt(topic, 'earliest')
  const end = await client.offsetAt(topic, 'stable')
  let high = end
  let found: Place | undefined
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const record = await findRecord(client, topic, middle, end)
    if (record && (timeOf(record) ?? time) < time) {
      low = record.offset + 1
    } else {
      if (record) found = { sequence: checkedSequence(topic, record), offset: record.offset }
      high = middle
    }
  }
  return found
}
