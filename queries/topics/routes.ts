import { type Answer, defineRoute, type NoParameters, type QueryRequest } from '#queries/common/route.ts'
import { topicSchema } from '#queries/topics/body-schema.ts'
import { getTopic } from '#queries/topics/find-topic.ts'
import { messageRoutes } from '#queries/topics/message-routes.ts'
import { topicPath } from '#queries/topics/params.ts'
import { type TopicContext, topicReads } from '#queries/topics/reads.ts'
import { renderTopic } from '#queries/topics/render-topic.ts'

const topicRoute = defineRoute({
  path: '/topics/:id',
  pathParameters: topicPath,
  summary: 'Get a topic with its keys and custom fees',
  tag: 'topics',
  family: 'B',
  parameters: {},
  maxAge: 5,
  body: topicSchema,
  statuses: { 404: 'The topic, its entity or its custom fees are not known' },
  answers: [{ reads: topicReads, answer: answerTopic }],
})

async function answerTopic(
  { params }: QueryRequest<NoParameters, typeof topicPath>,
  context: TopicContext,
): Promise<Answer> {
  return { body: renderTopic(await getTopic(params.id, context)) }
}

export const topicRoutes = [topicRoute, ...messageRoutes]
