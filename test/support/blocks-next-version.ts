import { blocksSchema } from '#projections/blocks/schema.ts'
import { type Answer, type ApiRoute, defineRoute, type QueryContext } from '#queries/common/route.ts'
import { apiRoutes } from '#queries/index.ts'
import { maxInt64 } from '#src/domain/ledger-time.ts'
import type { ProjectionSchema } from '#src/ports/read-store.ts'
import { defineProjection } from '#src/runtime/fold/projection.ts'

const nextBlocksSchema = {
  name: 'blocks',
  version: blocksSchema.version + 1,
  collections: {
    ends: { kind: 'facts', untimed: 'sample', fields: { consensusEnd: 'int64', body: 'text' }, key: ['consensusEnd'] },
  },
} as const satisfies ProjectionSchema

/**
 * A change of the blocks read model that readers of its version could not live with: one row per block with the whole text,
 * by the time of its end. It answers the newest blocks only, with the version for a member.
 */
export const nextBlocks = defineProjection(nextBlocksSchema, { orderFree: true }).on('BlockRecorded', {
  reads: ['consensusEnd', 'number'],
  apply: ({ consensusEnd, number }, rows) => rows.put('ends', { consensusEnd, body: `{"number":${number}}` }),
})

const reads = { blocks: nextBlocksSchema }

async function answerNewest(
  _request: unknown,
  { rows: { blocks }, checkpoint, settings }: QueryContext<typeof reads>,
): Promise<Answer> {
  const rows = await blocks.find({
    collection: 'ends',
    index: ['consensusEnd'],
    upper: { value: checkpoint.time, inclusive: true },
    lower: { value: -maxInt64, inclusive: true },
    descending: true,
    limit: settings.pageSizeDefault,
    select: ['consensusEnd', 'body'],
  })
  const body = `{"blocks":[${rows.map(({ body }) => body).join(',')}],"links":{"next":null},"version":${nextBlocksSchema.version}}`
  return { body, tag: `${rows.length}-${rows[0]?.consensusEnd.toString() ?? ''}` }
}

/** The routes of the product, those of blocks with an answer from the next version as well. */
export const routesOfBothVersions: readonly ApiRoute[] = apiRoutes.map((route) => {
  if (!route.answers.some((each) => each.reads['blocks'])) return route
  const { answers } = defineRoute({ ...route, answers: [{ reads, answer: answerNewest }] })
  return { ...route, answers: [...route.answers, ...answers] }
})
