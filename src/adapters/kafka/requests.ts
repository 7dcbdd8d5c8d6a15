import Encoder from 'kafkajs/src/protocol/encoder.js'
import { createErrorFromCode } from 'kafkajs/src/protocol/error.js'
import encodeFetch from 'kafkajs/src/protocol/requests/fetch/v11/request.js'
import type { AbortedTransaction } from '#src/adapters/kafka/batch-reader.ts'

/*
 * The two requests that carry records. Their record batches are encoded and decoded by us, so kafkajs only frames and sends
 * them. Fetch version 11 and Produce version 7 came with Kafka 2.3 and are understood by every version since.
 */

const produceKey = 0
const produceVersion = 7
const allReplicas = -1
const readCommitted = 1

export interface FetchOptions {
  readonly topic: string
  readonly offset: number
  /** At least one whole batch is returned, however large. */
  readonly bytesMax: number
  /** How long the broker waits for something to return. */
  readonly waitMs: number
}

export interface FetchAnswer {
  /** Behind the last record whose transaction is decided; nothing from here on is returned. */
  readonly lastStable: number
  readonly aborted: readonly AbortedTransaction[]
  /** Whole record batches, perhaps a torn one at the end. */
  readonly data: Buffer
}

/** Answered with undefined by a broker that makes us wait for our quota; kafkajs sends the next request when it is over. */
export function fetchRequest({ topic, offset, bytesMax, waitMs }: FetchOptions): object {
  const partitions = [{ partition: 0, fetchOffset: String(offset), maxBytes: bytesMax }]
  return {
    request: encodeFetch({
      replicaId: -1,
      maxWaitTime: waitMs,
      minBytes: 1,
      maxBytes: bytesMax,
      isolationLevel: readCommitted,
      topics: [{ topic, partitions }],
    }),
    response: {
      decode: async (payload: Buffer) => decodeFetch(payload),
      parse: async ({ answer }: DecodedFetch) => answer,
    },
    logResponseError: false,
  }
}

interface DecodedFetch {
  /** Milliseconds; kafkajs looks at it. */
  readonly clientSideThrottleTime: number
  readonly answer: FetchAnswer | undefined
}

function decodeFetch(payload: Buffer): DecodedFetch {
  const clientSideThrottleTime = payload.readInt32BE(0)
  failIf(payload.readInt16BE(4))
  const topics = payload.readInt32BE(10)
  return { clientSideThrottleTime, answer: topics === 0 ? undefined : decodePartition(payload) }
}

function decodePartition(payload: Buffer): FetchAnswer {
  // One topic and one partition: only the topic's name has no fixed length.
  const topicAt = 14
  const at = topicAt + 2 + payload.readInt16BE(topicAt) + 4
  failIf(payload.readInt16BE(at + 4))
  const abortedCount = Math.max(payload.readInt32BE(at + 30), 0)
  const aborted = Array.from({ length: abortedCount }, (_, index) => ({
    producerId: payload.readBigInt64BE(at + 34 + 16 * index),
    firstOffset: Number(payload.readBigInt64BE(at + 42 + 16 * index)),
  }))
  const dataAt = at + 34 + 16 * abortedCount + 4
  const dataBytes = Math.max(payload.readInt32BE(dataAt), 0)
  return {
    lastStable: Number(payload.readBigInt64BE(at + 14)),
    aborted,
    data: payload.subarray(dataAt + 4, dataAt + 4 + dataBytes),
  }
}

export interface ProduceOptions {
  readonly topic: string
  readonly transactionalId: string
  readonly batch: Buffer
  readonly timeoutMs: number
}

/** Answered with the offset of the batch's first record. */
export function produceRequest({ topic, transactionalId, batch, timeoutMs }: ProduceOptions): object {
  return {
    request: {
      apiKey: produceKey,
      apiVersion: produceVersion,
      apiName: 'Produce',
      encode: async () =>
        new Encoder()
          .writeString(transactionalId)
          .writeInt16(allReplicas)
          .writeInt32(timeoutMs)
          .writeInt32(1)
          .writeString(topic)
          .writeInt32(1)
          .writeInt32(0)
          .writeBytes(batch),
    },
    response: { decode: async (payload: Buffer) => decodeProduce(payload), parse: async (answer: unknown) => answer },
    logResponseError: false,
  }
}

export interface ProduceAnswer {
  readonly baseOffset: number
}

function decodeProduce(payload: Buffer): ProduceAnswer & { clientSideThrottleTime: number } {
  const at = 4 + 2 + payload.readInt16BE(4) + 4
  failIf(payload.readInt16BE(at + 4))
  return {
    baseOffset: Number(payload.readBigInt64BE(at + 6)),
    clientSideThrottleTime: payload.readInt32BE(at + 30),
  }
}

function failIf(errorCode: number): void {
  if (errorCode !== 0) throw createErrorFromCode(errorCode)
}
