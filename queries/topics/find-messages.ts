import type { MessageRow } from '#projections/topics/schema.ts'
import { max, min } from '#queries/common/bigints.ts'
import { combineRange, type IntegerRange, requireEqual } from '#queries/common/integer-range.ts'
import type { Filters } from '#queries/common/parameters.ts'
import { lastValue, pageSize } from '#queries/common/parameters.ts'
import type { messageParameters } from '#queries/topics/params.ts'
import type { MessageContext } from '#queries/topics/reads.ts'
import { maxInt64 } from '#src/domain/ledger-time.ts'

const fields = [
  'time',
  'topic',
  'number',
  'message',
  'payer',
  'runningHash',
  'runningHashVersion',
  'chunk',
  'chunks',
  'initialPayer',
  'initialValidStart',
  'initialNonce',
  'initialScheduled',
] as const

/** The messages of a topic that the filters leave, in the order of their times: one read, and one more per bound of the numbers. */
export async function findMessages(
  topic: bigint,
  filters: Filters<typeof messageParameters>,
  context: MessageContext,
): Promise<MessageRow[]> {
  const numbers = requireEqual(combineRange(filters.sequencenumber, 1n))
  const times = requireEqual(combineRange(filters.timestamp))
  if (numbers === undefined || times === undefined) return []
  const { rows, settings } = context
  const [first, last] = await Promise.all([
    numbers.lower > 1n ? timeOfBound(topic, { ...numbers, descending: false }, context) : 0n,
    numbers.hasUpper || numbers.equal.length > 0
      ? timeOfBound(topic, { ...numbers, descending: true }, context)
      : maxInt64,
  ])
  if (first === undefined || last === undefined) return []
  const [lower, upper] = [max(first, times.lower), min(last, times.upper)]
  if (lower > upper) return []
  const without = (field: 'time' | 'number', { excluded }: IntegerRange) =>
    excluded.map((value) => ({ field, op: 'ne' as const, value }))
  return rows.topics.find({
    collection: 'messages',
    index: ['topic', 'time'],
    prefix: [topic],
    lower: { value: lower, inclusive: true },
    upper: { value: upper, inclusive: true },
    filters: [...without('number', numbers), ...without('time', times)],
    descending: lastValue(filters.order) === 'desc',
    limit: pageSize(filters.limit, settings),
    select: fields,
  })
}

/** Time of the first, or last, message of a topic with a number in a range: within a topic both ascend together. */
async function timeOfBound(
  topic: bigint,
  { lower, upper, descending }: Pick<IntegerRange, 'lower' | 'upper'> & { readonly descending: boolean },
  { rows }: MessageContext,
): Promise<bigint | undefined> {
  const [message] = await rows.topics.find({
    collection: 'messages',
    index: ['topic', 'number'],
    prefix: [topic],
    lower: { value: lower, inclusive: true },
    upper: { value: upper, inclusive: true },
    descending,
    limit: 1,
    select: ['time'],
  })
  return message?.time
}

export async function findMessageByNumber(
  topic: bigint,
  number: bigint,
  { rows }: MessageContext,
): Promise<MessageRow | undefined> {
  const [message] = await rows.topics.find({
    collection: 'messages',
    index: ['topic', 'number'],
    prefix: [topic, number],
    limit: 1,
    select: fields,
  })
  return message
}

export async function findMessageByTime(time: bigint, { rows }: MessageContext): Promise<MessageRow | undefined> {
  const [message] = await rows.topics.get('messages', [[time]], fields)
  return message
}
