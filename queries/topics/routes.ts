import { defineRoute } from '#queries/common/route.ts'
import { getTopic } from '#queries/topics/find-topic.ts'
import { messageRoutes } from '#queries/topics/message-routes.ts'
import { topicPath } from '#queries/topics/params.ts'
import { topicReads } from '#queries/topics/reads.ts'
import { topicObject } from '#queries/topics/render-topic.ts'

const topicRoute = defineRoute({
  path: '/topics/:id',
  pathParameters: topicPath,
  summary: 'Get a topic with its keys and custom fees',
  tag: 'topics',
  dialect: 'B',
  parameters: {},
  maxAge: 5,
  body: topicObject.schema,
  statuses: { 404: 'The topic, its entity or its custom fees are not known' },
  reads: topicReads,
  answer: async ({ params }, context) => {
    return { body: topicObject.render(await getTopic(params.id, context)) }
  },
})

export const topicRoutes = [topicRoute, ...messageRoutes]
