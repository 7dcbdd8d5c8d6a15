import type { FastifyInstance } from 'fastify'
import { findVerifiedOfChain, type Verified } from '#queries/verification/find-verified.ts'
import { checksumAddress } from '#src/domain/verification/checksum-address.ts'
import { readAddress } from '#src/http/verification/addressed.ts'
import { objectAnswer } from '#src/http/verification/answers.ts'
import { contractFields, fieldNames } from '#src/http/verification/contract-fields.ts'
import { MalformedRequest } from '#src/http/verification/errors.ts'
import { readQuery } from '#src/http/verification/request-body.ts'
import type { ServedReads } from '#src/http/verification/served-reads.ts'
import { findShown, type ShownContract } from '#src/http/verification/shown-contracts.ts'
import type { Verifier } from '#src/http/verification/verifier.ts'
import type { ContentStore } from '#src/ports/content-store.ts'

export interface ContractRoutesOptions {
  readonly verifier: Verifier
  readonly reads: ServedReads
  readonly contents: Pick<ContentStore, 'get'>
}

interface OfContract {
  readonly Params: { readonly chainId: string; readonly address: string }
}

const tags = ['verification']
const limitMax = 200
const text = { type: 'string' } as const

type MatchName = 'exact_match' | 'match' | null

/** As this API calls it. */
function matchName(match: string | null): MatchName {
  return match === null ? null : match === 'perfect' ? 'exact_match' : 'match'
}

export function matchDocument(verified: Verified) {
  const { chain, address, number, match, runtimeMatch, creationMatch, verifiedAt } = verified
  return {
    matchId: String(number),
    match: matchName(match),
    creationMatch: matchName(creationMatch),
    runtimeMatch: matchName(runtimeMatch),
    chainId: chain,
    address: checksumAddress(address),
    verifiedAt,
  }
}

/** Of a clone: the verification is another contract's, and its creation proves nothing here. */
function shownDocument({ verified, address, match, similarTo }: ShownContract) {
  const document = { ...matchDocument(verified), address }
  if (similarTo === undefined) return document
  return { ...document, match: matchName(match), runtimeMatch: matchName(match), creationMatch: null, similarTo }
}

export function noMatchDocument(chainId: string, address: string) {
  return { match: null, creationMatch: null, runtimeMatch: null, chainId, address }
}

/** What is verified, with as much of it as is asked for. */
export function addContractRoutes(scope: FastifyInstance, prefix: string, options: ContractRoutesOptions): void {
  const hide = prefix !== ''
  const fieldsSchema = { type: 'object', properties: { fields: text, omit: text } }
  const schema = {
    hide,
    tags,
    operationId: 'getVerifiedContract',
    summary: 'Whether a contract is verified, and by what',
    querystring: fieldsSchema,
    response: {
      200: objectAnswer('The match, with the fields that were asked for'),
      404: objectAnswer('It is not verified: a match of null'),
    },
  }
  scope.get<OfContract>(`${prefix}/v2/contract/:chainId/:address`, { schema }, async ({ url, params }, reply) => {
    const wanted = readFields(readQuery(url, ['fields', 'omit']))
    const { chainId: chain, address } = params
    const named = readAddress(address)
    const shown = await findShown(options, { chain, address })
    if (shown === undefined) {
      const told = named.kind === 'address' ? checksumAddress(named.digits) : named.id
      return reply.code(404).send(noMatchDocument(chain, told))
    }
    const more = await contractFields(options.contents, shown, wanted)
    return reply.send({ ...shownDocument(shown), ...more })
  })
  addListRoute(scope, prefix, options)
}

function readFields(query: URLSearchParams): ReadonlySet<string> {
  const [fields, omit] = [query.get('fields'), query.get('omit')]
  if (fields !== null && omit !== null) throw wrong('fields and omit cannot be given together')
  const given = (fields ?? omit ?? '').split(',').filter((name) => name !== '')
  const unknown = given.find((name) => name !== 'all' && !fieldNames.includes(name.split('.')[0]!))
  if (unknown !== undefined) throw wrong(`${unknown.slice(0, 100)} is no field; there are ${fieldNames.join(', ')}`)
  const named = new Set(given.map((name) => name.split('.')[0]!))
  if (omit !== null) return new Set(fieldNames.filter((name) => !named.has(name)))
  return named.has('all') ? new Set(fieldNames) : named
}

function addListRoute(scope: FastifyInstance, prefix: string, { reads }: ContractRoutesOptions): void {
  const properties = { sort: { enum: ['asc', 'desc'] }, limit: { type: 'integer' }, afterMatchId: text }
  const querystring = { type: 'object', properties }
  const summary = 'The verified contracts of a chain, the newest first, in pages'
  const results = { type: 'array', items: { type: 'object', additionalProperties: true } }
  const response = { 200: objectAnswer('A page of matches', { results }) }
  const schema = { hide: prefix !== '', tags, operationId: 'getVerifiedContractsPage', summary, querystring, response }
  scope.get<{ Params: { chainId: string } }>(`${prefix}/v2/contracts/:chainId`, { schema }, async (request, reply) => {
    const page = readPage(readQuery(request.url, Object.keys(properties)))
    const found = await reads.verified((rows) => findVerifiedOfChain(rows, request.params.chainId, page))
    return reply.send({ results: found.map(matchDocument) })
  })
}

function readPage(query: URLSearchParams) {
  const [sort, limit, after] = [
    query.get('sort') ?? 'desc',
    query.get('limit') ?? String(limitMax),
    query.get('afterMatchId'),
  ]
  if (sort !== 'asc' && sort !== 'desc') throw wrong('sort must be asc or desc')
  if (!/^\d{1,3}$/.test(limit) || Number(limit) < 1 || Number(limit) > limitMax)
    throw wrong(`limit must be an integer 1 to ${limitMax}`)
  if (after !== null && !/^\d{1,18}$/.test(after)) throw wrong('afterMatchId must be an id of a match')
  return { descending: sort === 'desc', limit: Number(limit), after: after === null ? undefined : BigInt(after) }
}

function wrong(message: string): MalformedRequest {
  return new MalformedRequest(400, message, [])
}
