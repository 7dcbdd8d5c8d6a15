import type { MessageRow } from '#projections/topics/schema.ts'
import { notFound } from '#queries/common/errors.ts'
import { defineListRoute } from '#queries/common/list-route.ts'
import { lastValue } from '#queries/common/parameters.ts'
import { type Answer, defineRoute } from '#queries/common/route.ts'
import { findMessageByNumber, findMessageByTime, findMessages } from '#queries/topics/find-messages.ts'
import { messageParameters, messagePath, messagesPath, messageTimePath } from '#queries/topics/params.ts'
import { messageReads } from '#queries/topics/reads.ts'
import { messageObject, renderMessages } from '#queries/topics/render-message.ts'

const listRoute = defineListRoute({
  path: '/topics/:topicId/messages',
  pathParameters: messagesPath,
  summary: 'List the messages of a topic',
  tag: 'topics',
  checksFirst: 'path',
  parameters: messageParameters,
  maxAge: 1,
  item: messageObject.schema,
  reads: messageReads,
  list: 'messages',
  find: findMessages,
  renderAll: (messages, { filters }) => renderMessages(messages, lastValue(filters.encoding)),
  position: ({ time }) => ({ timestamp: time }),
})

/** A message never changes. */
const ofOne = {
  tag: 'topics',
  dialect: 'A-exact',
  parameters: {},
  maxAge: 600,
  body: messageObject.schema,
  reads: messageReads,
} as const

const byNumberRoute = defineRoute({
  path: '/topics/:topicId/messages/:sequencenumber',
  pathParameters: messagePath,
  summary: 'Get a message by its number in a topic',
  ...ofOne,
  answer: async ({ params }, context) =>
    answerOne(await findMessageByNumber(params.topicId, params.sequencenumber, context)),
})

const byTimeRoute = defineRoute({
  path: '/topics/messages/:consensus_timestamp',
  pathParameters: messageTimePath,
  summary: 'Get a message by its consensus time',
  ...ofOne,
  answer: async ({ params }, context) => answerOne(await findMessageByTime(params.consensus_timestamp, context)),
})

function answerOne(message: MessageRow | undefined): Answer {
  if (message === undefined) throw notFound()
  return { body: renderMessages([message]).join() }
}

export const messageRoutes = [listRoute, byNumberRoute, byTimeRoute]
