import { blockListSchema, blockSchema } from '#queries/blocks/body-schema.ts'
import type { FoundBlock } from '#queries/blocks/find-blocks.ts'
import { findBlockByHash, findBlockByNumber, findBlocks, hasNegativeNumbers } from '#queries/blocks/find-blocks.ts'
import { withMadeLogs } from '#queries/blocks/made-logs.ts'
import { blockNumberColumn, blockPath, listParameters } from '#queries/blocks/params.ts'
import { type BlockContext, blockReads } from '#queries/blocks/reads.ts'
import { invalidParameter, notFound } from '#queries/common/errors.ts'
import { nextLink } from '#queries/common/links.ts'
import { lastValue, pageSize } from '#queries/common/parameters.ts'
import type { Answer, NoParameters, QueryRequest } from '#queries/common/route.ts'
import { defineRoute } from '#queries/common/route.ts'

const blockListRoute = defineRoute({
  path: '/blocks',
  summary: 'List blocks, the newest first',
  tag: 'blocks',
  parameters: listParameters,
  maxAge: 1,
  body: blockListSchema,
  answers: [{ reads: blockReads, answer: answerList }],
})

async function answerList(request: QueryRequest<typeof listParameters>, context: BlockContext): Promise<Answer> {
  const { path, query, filters } = request
  const numbers = filters['block.number'].map(({ value }) => value)
  await assertPossible(numbers, 'block.number', context)
  const blocks = await findBlocks(request, context)
  const last = blocks.at(-1)
  const full = last !== undefined && blocks.length === pageSize(filters.limit, context.settings)
  const next = full
    ? nextLink({ path, query, order: lastValue(filters.order) ?? 'desc', columns: [blockNumberColumn(last.number)] })
    : null
  return {
    body: `{"blocks":[${blocks.map(({ body }) => body).join(',')}],"links":{"next":${next === null ? 'null' : JSON.stringify(next)}}}`,
    tag: tagOf(blocks, next !== null),
    next,
  }
}

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

/** Numbers below 0 have not the form of one, but where files gave such. */
async function assertPossible(numbers: readonly bigint[], parameter: string, context: BlockContext): Promise<void> {
  if (numbers.some((number) => number < 0n) && !(await hasNegativeNumbers(context))) throw invalidParameter(parameter)
}

/** Blocks never change but for a correction of their numbers, so the ends of a page and its length tell it. */
function tagOf(blocks: readonly FoundBlock[], hasNext: boolean): string {
  const ends = [blocks[0], blocks.at(-1)].map(
    (block) => `${block?.number.toString(36) ?? ''}.${block?.consensusEnd.toString(36) ?? ''}`,
  )
  return `b${blocks.length}-${ends.join('-')}${hasNext ? '-n' : ''}`
}

export const blockRoutes = [blockListRoute, blockDetailRoute].map(withMadeLogs)
