import type { FastifyInstance } from 'fastify'
import { listAnswer } from '#src/http/verification/answers.ts'
import { MalformedRequest } from '#src/http/verification/errors.ts'
import { readQuery } from '#src/http/verification/request-body.ts'
import type { ServedReads } from '#src/http/verification/served-reads.ts'
import { findShown, type ShownContract } from '#src/http/verification/shown-contracts.ts'
import type { Verifier } from '#src/http/verification/verifier.ts'

export interface CheckRoutesOptions {
  readonly verifier: Verifier
  readonly reads: ServedReads
}

const addressesMax = 100
const tags = ['verification']
const names = ['addresses', 'chainIds'] as const

interface CheckQuery {
  readonly addresses: readonly string[]
  readonly chainIds: readonly string[]
}

/** Whether contracts are verified, for tools that ask of several addresses at once. */
export function addCheckRoutes(scope: FastifyInstance, prefix: string, options: CheckRoutesOptions): void {
  const texts = { type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) }
  const schema = (operationId: string, summary: string) => ({
    hide: prefix !== '',
    tags,
    operationId,
    summary,
    querystring: texts,
    response: {
      200: listAnswer('An entry for each address, in their order', { type: 'object', additionalProperties: true }),
    },
  })
  scope.get(
    `${prefix}/check-by-addresses`,
    { schema: schema('checkByAddresses', 'Which of these addresses have a perfect match') },
    async ({ url }, reply) => {
      const query = readCheck(url)
      const found = await findAll(options, query)
      const entries = query.addresses.map((address, index) => {
        const chainIds = found[index]!.filter(({ match, similarTo }) => match === 'perfect' && similarTo === undefined)
        if (chainIds.length === 0) return { address, status: 'false' }
        return { address, status: 'perfect', chainIds: chainIds.map(({ contract }) => contract.chain) }
      })
      return reply.send(entries)
    },
  )
  scope.get(
    `${prefix}/check-all-by-addresses`,
    { schema: schema('checkAllByAddresses', 'Which of these addresses have a match, clones of others included') },
    async ({ url }, reply) => {
      const query = readCheck(url)
      const found = await findAll(options, query)
      const entries = query.addresses.map((address, index) => {
        const chainIds = found[index]!.map(({ contract, match: status, similarTo }) => {
          return { chainId: contract.chain, status, ...(similarTo !== undefined && { similarTo }) }
        })
        return chainIds.length === 0 ? { address, status: 'false' } : { address, chainIds }
      })
      return reply.send(entries)
    },
  )
}

function readCheck(url: string): CheckQuery {
  const query = readQuery(url, names)
  const missing = names.filter((name) => !query.has(name))
  if (missing.length > 0) {
    const message = (name: string) => `must have required property '${name}'`
    const mistakes = missing.map((name) => {
      return { path: `/query/${name}`, message: message(name), errorCode: 'required.openapi.validation' }
    })
    throw new MalformedRequest(400, missing.map((name) => `request/query ${message(name)}`).join(', '), mistakes)
  }
  const [addresses, chainIds] = names.map((name) => listOf(query, name))
  return { addresses: addresses!, chainIds: chainIds! }
}

function listOf(query: URLSearchParams, name: string): string[] {
  const values = query.getAll(name).flatMap((text) => text.split(',').map((each) => each.trim()))
  if (values.length <= addressesMax) return values
  const message = `must NOT have more than ${addressesMax} items`
  throw new MalformedRequest(400, `request/query/${name} ${message}`, [{ path: `/query/${name}`, message }])
}

/** One after the other: each may compare its code with those of the same length. */
async function findAll(options: CheckRoutesOptions, { addresses, chainIds }: CheckQuery): Promise<ShownContract[][]> {
  const all: ShownContract[][] = []
  for (const address of addresses) {
    const found = await Promise.all(chainIds.map((chain) => findShown(options, { chain, address })))
    all.push(found.filter((each) => each !== undefined))
  }
  return all
}
