import { blockSchema } from '#queries/blocks/body-schema.ts'
import type { FoundBlock } from '#queries/blocks/find-blocks.ts'
import { assertPossible, findBlockByHash, findBlockByNumber, findBlocks } from '#queries/blocks/find-blocks.ts'
import { withMadeLogs } from '#queries/blocks/made-logs.ts'
import { blockPath, listParameters } from '#queries/blocks/params.ts'
import { type BlockContext, blockReads } from '#queries/blocks/reads.ts'
import { notFound } from '#queries/common/errors.ts'
import { defineListRoute } from '#queries/common/list-route.ts'
import type { Answer, NoParameters, QueryRequest } from '#queries/common/route.ts'
import { defineRoute } from '#queries/common/route.ts'

const blockListRoute = defineListRoute({
  path: '/blocks',
  summary: 'List blocks, the newest first',
  tag: 'blocks',
  parameters: listParameters,
  maxAge: 1,
  item: blockSchema,
  reads: blockReads,
  list: 'blocks',
  find: async (request, context) => {
    const numbers = request.filters['block.number'].map(({ value }) => value)
    await assertPossible(numbers, 'block.number', context)
    return findBlocks(request, context)
  },
  render: ({ body }) => body,
  position: ({ number }) => ({ 'block.number': number }),
  entityTag: (blocks, next) => tagOf(blocks, next !== undefined),
})

const blockDetailRoute = defineRoute({
  path: '/blocks/:hashOrNumber',
  pathParameters: blockPath,
  summary: 'Get a block by hash or number',
  tag: 'blocks',
  parameters: {},
  maxAge: 600,
  body: blockSchema,
  answers: [{ reads: blockReads, answer: answerDetail }],
})

async function answerDetail(
  { params: { hashOrNumber: key } }: QueryRequest<NoParameters, typeof blockPath>,
  context: BlockContext,
): Promise<Answer> {
  if (typeof key === 'bigint') await assertPossible([key], 'hashOrNumber', context)
  const block = await (typeof key === 'bigint' ? findBlockByNumber(key, context) : findBlockByHash(key.digits, context))
  if (block === undefined) throw notFound()
  return { body: block.body, tag: tagOf([block], false) }
}

/** Blocks never change but for a correction of their numbers, so the ends of a page and its length tell it. */
function tagOf(blocks: readonly FoundBlock[], hasNext: boolean): string {
  const ends = [blocks[0], blocks.at(-1)].map(
    (block) => `${block?.number.toString(36) ?? ''}.${block?.consensusEnd.toString(36) ?? ''}`,
  )
  return `b${blocks.length}-${ends.join('-')}${hasNext ? '-n' : ''}`
}

export const blockRoutes = [blockListRoute, blockDetailRoute].map(withMadeLogs)
