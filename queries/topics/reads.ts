import { entitiesSchema } from '#projections/entities/schema.ts'
import { topicsSchema } from '#projections/topics/schema.ts'
import type { QueryContext } from '#queries/common/route.ts'

/** What a topic is read from: what all entities have is in the other. */
export const topicReads = { topics: topicsSchema, entities: entitiesSchema }

export type TopicContext = QueryContext<typeof topicReads>

/** What the queries of messages read from. */
export const messageReads = { topics: topicsSchema }

export type MessageContext = QueryContext<typeof messageReads>
