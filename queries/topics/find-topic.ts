import { type EntityRow, entityFields } from '#projections/entities/schema.ts'
import type { TopicRow } from '#projections/topics/schema.ts'
import { notFound } from '#queries/common/errors.ts'
import { type FoundFees, findFees } from '#queries/custom-fees/find-fees.ts'
import type { TopicContext } from '#queries/topics/reads.ts'

export interface FoundTopic {
  readonly topic: TopicRow
  readonly entity: EntityRow
  readonly fees: FoundFees
}

const fields = ['id', 'from', 'until', 'created', 'adminKey', 'submitKey', 'feeScheduleKey', 'feeExemptKeys'] as const

/** A topic at the request's instant; `not_found` says which part of it is not known. */
export async function getTopic(id: bigint, { rows }: TopicContext): Promise<FoundTopic> {
  const [[topic], [entity], fees] = await Promise.all([
    rows.topics.get('topics', [[id]], fields),
    rows.entities.get('entities', [[id]], entityFields),
    findFees(rows.topics, id),
  ])
  if (topic === undefined) throw notFound('Topic not found')
  if (entity === undefined) throw notFound('Entity not found')
  if (fees === undefined) throw notFound('Custom fee for entity not found')
  return { topic, entity, fees }
}
