import type { MessageRow } from '#projections/topics/schema.ts'
import type { ListRequest } from '#queries/common/list-route.ts'
import type { Order } from '#queries/common/parameters.ts'
import { intersect, isEmpty, type Range, readOf, requireEqual, selectionOf, without } from '#queries/common/range.ts'
import type { messageParameters, messagesPath } from '#queries/topics/params.ts'
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
  { params: { topicId: topic }, filters, order, limit }: ListRequest<typeof messageParameters, typeof messagesPath>,
  context: MessageContext,
): Promise<MessageRow[]> {
  const numbers = requireEqual(selectionOf(filters.sequencenumber, 1n))
  const times = requireEqual(selectionOf(filters.timestamp))
  if (numbers === undefined || times === undefined) return []
  const [first, last] = await Promise.all([
    numbers.lower > 1n ? timeOfBound(topic, numbers, 'asc', context) : 0n,
    numbers.hasUpper || numbers.equal.length > 0 ? timeOfBound(topic, numbers, 'desc', context) : maxInt64,
  ])
  if (first === undefined || last === undefined) return []
  const range = intersect(times, { lower: first, upper: last })
  if (isEmpty(range)) return []
  return context.rows.topics.find({
    collection: 'messages',
    index: ['topic', 'time'],
    prefix: [topic],
    ...readOf(range, order, limit),
    filters: [...without('number', numbers), ...without('time', times)],
    select: fields,
  })
}

/** Time of the first, or last, message of a topic with a number in a range: within a topic both ascend together. */
async function timeOfBound(
  topic: bigint,
  numbers: Range,
  order: Order,
  { rows }: MessageContext,
): Promise<bigint | undefined> {
  const [message] = await rows.topics.find({
    collection: 'messages',
    index: ['topic', 'number'],
    prefix: [topic],
    ...readOf(numbers, order, 1),
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
