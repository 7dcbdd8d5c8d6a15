import type { FoundBlock } from '#queries/blocks/find-blocks.ts'
import { assertPossible, findBlockByHash, findBlockByNumber, findBlocks } from '#queries/blocks/find-blocks.ts'
import { findReceipts } from '#queries/blocks/find-receipts.ts'
import { blockPath, listParameters } from '#queries/blocks/params.ts'
import { shownBlockReads } from '#queries/blocks/reads.ts'
import { blockObject } from '#queries/blocks/render.ts'
import { notFound } from '#queries/common/errors.ts'
import { defineListRoute } from '#queries/common/list-route.ts'
import {
  type Answer,
  type ApiRoute,
  defineRoute,
  type NoParameters,
  type QueryContext,
  type QueryRequest,
} from '#queries/common/route.ts'

type Context = QueryContext<typeof shownBlockReads>

const blockListRoute = defineListRoute({
  path: '/blocks',
  summary: 'List blocks, the newest first',
  tag: 'blocks',
  parameters: listParameters,
  maxAge: 1,
  item: blockObject.schema,
  reads: shownBlockReads,
  list: 'blocks',
  find: async (request, context) => {
    const numbers = request.filters['block.number'].map(({ value }) => value)
    await assertPossible(numbers, 'block.number', context)
    return findBlocks(request, context)
  },
  renderAll: (blocks, _request, context) => showBlocks(blocks, context),
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
  body: blockObject.schema,
  reads: shownBlockReads,
  answer: answerDetail,
})

async function answerDetail(
  { params: { hashOrNumber: key } }: QueryRequest<NoParameters, typeof blockPath>,
  context: Context,
): Promise<Answer> {
  if (typeof key === 'bigint') await assertPossible([key], 'hashOrNumber', context)
  const block = await (typeof key === 'bigint' ? findBlockByNumber(key, context) : findBlockByHash(key.digits, context))
  if (block === undefined) throw notFound()
  const [body = ''] = await showBlocks([block], context)
  return { body, tag: tagOf([block], false) }
}

async function showBlocks(blocks: readonly FoundBlock[], context: Context): Promise<string[]> {
  const receipts = await findReceipts(blocks, context)
  return blocks.map((block, index) => blockObject.render({ ...block, receipts: receipts[index]! }))
}

/** Blocks never change but for a correction of their numbers, so the ends of a page and its length tell it. */
function tagOf(blocks: readonly FoundBlock[], hasNext: boolean): string {
  const ends = [blocks[0], blocks.at(-1)].map(
    (block) => `${block?.number.toString(36) ?? ''}.${block?.consensusEnd.toString(36) ?? ''}`,
  )
  return `b${blocks.length}-${ends.join('-')}${hasNext ? '-n' : ''}`
}

/** Blocks are answered also while there are no contract logs. */
function alsoWithoutLogs(route: ApiRoute): ApiRoute {
  const answers = route.answers.flatMap(({ reads: { 'contract-logs': _logs, ...reads }, answer }) => [
    { reads, answer },
  ])
  return { ...route, answers: [...route.answers, ...answers] }
}

export const blockRoutes = [blockListRoute, blockDetailRoute].map(alsoWithoutLogs)
