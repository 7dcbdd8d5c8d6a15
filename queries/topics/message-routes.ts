import type { MessageRow } from '#projections/topics/schema.ts'
import { notFound } from '#queries/common/errors.ts'
import { nextLink } from '#queries/common/links.ts'
import { listBody } from '#queries/common/list-body.ts'
import { lastValue, pageSize } from '#queries/common/parameters.ts'
import { type Answer, defineRoute, type NoParameters, type QueryRequest } from '#queries/common/route.ts'
import { timestampColumn } from '#queries/common/timestamp-parameter.ts'
import { messageListSchema, messageSchema } from '#queries/topics/body-schema.ts'
import { findMessageByNumber, findMessageByTime, findMessages } from '#queries/topics/find-messages.ts'
import { messageParameters, messagePath, messagesPath, messageTimePath } from '#queries/topics/params.ts'
import { type MessageContext, messageReads } from '#queries/topics/reads.ts'
import { renderMessages } from '#queries/topics/render-message.ts'

const listRoute = defineRoute({
  path: '/topics/:topicId/messages',
  pathParameters: messagesPath,
  summary: 'List the messages of a topic',
  tag: 'topics',
  checksFirst: 'path',
  parameters: messageParameters,
  maxAge: 1,
  body: messageListSchema,
  answers: [{ reads: messageReads, answer: answerList }],
})

async function answerList(
  { path, query, filters, params }: QueryRequest<typeof messageParameters, typeof messagesPath>,
  context: MessageContext,
): Promise<Answer> {
  const messages = await findMessages(params.topicId, filters, context)
  const last = messages.at(-1)
  const full = last !== undefined && messages.length === pageSize(filters.limit, context.settings)
  const order = lastValue(filters.order) ?? 'asc'
  const next = full ? nextLink({ path, query, order, columns: [timestampColumn(last.time)] }) : null
  const encoding = lastValue(filters.encoding)
  return { body: listBody('messages', renderMessages(messages, encoding), next), next }
}

/** A message never changes. */
const ofOne = { tag: 'topics', family: 'A-exact', parameters: {}, maxAge: 600, body: messageSchema } as const

const byNumberRoute = defineRoute({
  path: '/topics/:topicId/messages/:sequencenumber',
  pathParameters: messagePath,
  summary: 'Get a message by its number in a topic',
  ...ofOne,
  answers: [
    {
      reads: messageReads,
      answer: async ({ params }: QueryRequest<NoParameters, typeof messagePath>, context: MessageContext) =>
        answerOne(await findMessageByNumber(params.topicId, params.sequencenumber, context)),
    },
  ],
})

const byTimeRoute = defineRoute({
  path: '/topics/messages/:consensus_timestamp',
  pathParameters: messageTimePath,
  summary: 'Get a message by its consensus time',
  ...ofOne,
  answers: [
    {
      reads: messageReads,
      answer: async ({ params }: QueryRequest<NoParameters, typeof messageTimePath>, context: MessageContext) =>
        answerOne(await findMessageByTime(params.consensus_timestamp, context)),
    },
  ],
})

function answerOne(message: MessageRow | undefined): Answer {
  if (message === undefined) throw notFound()
  return { body: renderMessages([message]).join() }
}

export const messageRoutes = [listRoute, byNumberRoute, byTimeRoute]
