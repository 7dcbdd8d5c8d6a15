import type { FastifyInstance } from 'fastify'
import { findVerifiedAddresses } from '#queries/verification/find-verified.ts'
import { checksumAddress } from '#src/domain/verification/checksum-address.ts'
import { objectAnswer } from '#src/http/verification/answers.ts'
import { MalformedRequest, notThere } from '#src/http/verification/errors.ts'
import { readQuery } from '#src/http/verification/request-body.ts'
import type { ServedReads } from '#src/http/verification/served-reads.ts'

export interface ListRoutesOptions {
  readonly reads: ServedReads
}

interface OfChain {
  readonly Params: { readonly chain: string }
}

type Match = 'perfect' | 'partial' | undefined

/** Most addresses of a list that has no pages, and of a page. */
const listedMax = 200
/** Most contracts of a chain that pages by number are made of: each counts all of them. */
const countedMax = 10_000
const none = 'Contracts have not been found!'
const tags = ['verification']
const texts = { type: 'array', items: { type: 'string' } } as const

/** The contracts of a chain that are verified, by match; those of a chain with many in pages by number. */
export function addListRoutes(scope: FastifyInstance, prefix: string, { reads }: ListRoutesOptions): void {
  const hide = prefix !== ''
  const list = async (chain: string, match: Match, most: number) => {
    const found = await reads.verified((rows) => findVerifiedAddresses(rows, chain, { match, limit: most + 1 }))
    if (found.length > most) throw tooMany(prefix, chain, most)
    return found.map(checksumAddress)
  }
  const schema = {
    ...{ hide, tags },
    operationId: 'getVerifiedContracts',
    summary: 'The contracts of a chain that are verified',
    response: { 200: objectAnswer('Their addresses, by match', { full: texts, partial: texts }) },
  }
  scope.get<OfChain>(`${prefix}/files/contracts/:chain`, { schema }, async ({ url, params: { chain } }, reply) => {
    readQuery(url, [])
    const [full, partial] = await Promise.all([list(chain, 'perfect', listedMax), list(chain, 'partial', listedMax)])
    if (full.length + partial.length === 0) throw notThere(none)
    return reply.send({ full, partial })
  })
  for (const [name, match] of [
    ['full', 'perfect'],
    ['partial', 'partial'],
    ['any', undefined],
  ] as const)
    scope.get<OfChain>(
      `${prefix}/files/contracts/${name}/:chain`,
      { schema: { hide, ...pageSchema(name) } },
      async ({ url, params: { chain } }, reply) => {
        const { page, limit, order } = readPage(readQuery(url, ['page', 'limit', 'order']))
        const all = await list(chain, match, countedMax)
        return reply.send(pageOf(order === 'desc' ? all.reverse() : all, page, limit))
      },
    )
}

const numbers = { type: 'object', additionalProperties: { type: ['integer', 'boolean'] } } as const

function pageSchema(name: string) {
  const querystring = {
    type: 'object',
    properties: {
      page: { type: 'integer', description: 'From 0' },
      limit: { type: 'integer', description: `1 to ${listedMax}` },
      order: { enum: ['asc', 'desc'], description: 'By when they were verified first' },
    },
  }
  const kind = { full: 'a perfect match', partial: 'a partial match', any: 'a match' }[name]
  return {
    tags,
    operationId: `getVerifiedContracts${name[0]!.toUpperCase()}${name.slice(1)}`,
    summary: `The contracts of a chain that have ${kind}, in pages by number`,
    querystring,
    response: { 200: objectAnswer('A page of addresses', { results: texts, pagination: numbers }) },
  }
}

function readPage(query: URLSearchParams) {
  const [page, limit, order] = [query.get('page') ?? '0', query.get('limit') ?? '200', query.get('order') ?? 'asc']
  if (!/^\d{1,5}$/.test(page)) throw wrong('page must be an integer from 0')
  if (!/^\d{1,3}$/.test(limit) || Number(limit) < 1 || Number(limit) > listedMax)
    throw wrong(`limit must be an integer 1 to ${listedMax}`)
  if (order !== 'asc' && order !== 'desc') throw wrong('order must be asc or desc')
  return { page: Number(page), limit: Number(limit), order }
}

function pageOf(all: readonly string[], page: number, limit: number) {
  const results = all.slice(page * limit, (page + 1) * limit)
  const totalPages = Math.ceil(all.length / limit)
  const pagination = {
    currentPage: page,
    totalPages,
    resultsPerPage: limit,
    resultsCurrentPage: results.length,
    totalResults: all.length,
    hasNextPage: page + 1 < totalPages,
    hasPreviousPage: page > 0 && totalPages > 0,
  }
  return { results, pagination }
}

function tooMany(prefix: string, chain: string, most: number): MalformedRequest {
  return wrong(`More than ${most} contracts are verified; page through ${prefix}/v2/contracts/${chain}`)
}

function wrong(message: string): MalformedRequest {
  return new MalformedRequest(400, message, [])
}
