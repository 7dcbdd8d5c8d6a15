import { blockListSchema, blockSchema } from '#queries/blocks/body-schema.ts'
import type { FoundBlock } from '#queries/blocks/find-blocks.ts'
import { findBlockByHash, findBlockByNumber, findBlocks } from '#queries/blocks/find-blocks.ts'
import { blockNumberColumn, listParameters } from '#queries/blocks/params.ts'
import { invalidParameter, notFound } from '#queries/common/errors.ts'
import { nextLink } from '#queries/common/links.ts'
import { lastValue, pageSize, parseInteger } from '#queries/common/parameters.ts'
import type { Answer, QueryContext, QueryRequest } from '#queries/common/route.ts'
import { defineRoute } from '#queries/common/route.ts'
import { maxInt64 } from '#src/domain/ledger-time.ts'

const blockListRoute = defineRoute({
  path: '/blocks',
  summary: 'List blocks, the newest first',
  tag: 'blocks',
  parameters: listParameters,
  readModel: 'blocks',
  maxAge: 1,
  body: blockListSchema,
  answers: { 1: answerList },
})

async function answerList(request: QueryRequest<typeof listParameters>, context: QueryContext): Promise<Answer> {
  const { path, query, filters } = request
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
  path: '/blocks/:id',
  summary: 'Get a block by hash or number',
  tag: 'blocks',
  id: { name: 'hashOrNumber', description: 'Decimal number, or the first 64 or all 96 hex digits of the hash' },
  parameters: {},
  readModel: 'blocks',
  maxAge: 600,
  body: blockSchema,
  answers: { 1: answerDetail },
})

const hashForm = /^(?:0x)?([0-9a-fA-F]{64}|[0-9a-fA-F]{96})$/

async function answerDetail({ id }: QueryRequest<Record<never, never>>, context: QueryContext): Promise<Answer> {
  const digits = hashForm.exec(id)?.[1]
  const number = digits === undefined ? parseInteger(id, 0n, maxInt64) : undefined
  if (digits === undefined && number === undefined) throw invalidParameter('hashOrNumber')
  const block =
    digits === undefined
      ? await findBlockByNumber(number ?? 0n, context)
      : await findBlockByHash(digits.toLowerCase(), context)
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

export const blockRoutes = [blockListRoute, blockDetailRoute]
