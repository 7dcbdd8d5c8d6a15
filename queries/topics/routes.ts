import { defineRoute } from '#queries/common/route.ts'
import { topicSchema } from '#queries/topics/body-schema.ts'
import { getTopic } from '#queries/topics/find-topic.ts'
import { messageRoutes } from '#queries/topics/message-routes.ts'
import { topicPath } from '#queries/topics/params.ts'
import { topicReads } from '#queries/topics/reads.ts'
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
  reads: topicReads,
  answer: async ({ params }, context) => {
    return { body: renderTopic(await getTopic(params.id, context)) }
  },
})

export const topicRoutes = [topicRoute, ...messageRoutes]
