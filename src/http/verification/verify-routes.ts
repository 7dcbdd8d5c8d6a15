import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify'
import { outcomeAnswer } from '#src/http/verification/answers.ts'
import { directResult } from '#src/http/verification/documents.ts'
import { readBody, readQuery } from '#src/http/verification/request-body.ts'
import { fewBytesMax } from '#src/http/verification/scope.ts'
import type { Verdict, Verifier } from '#src/http/verification/verifier.ts'

export interface VerifyRoutesOptions {
  readonly verifier: Verifier
  readonly limit: onRequestAsyncHookHandler
}

const text = { type: 'string' } as const
export const askedSchema = {
  type: 'object',
  required: ['address', 'chainId'],
  properties: {
    address: { ...text, description: 'EVM address, long-zero address, or entity id of the contract' },
    chainId: { ...text, description: 'Decimal id of its chain, such as 295' },
    apiKey: { ...text, description: 'Of the explorer; it is sent there and kept nowhere' },
  },
} as const

const askedFields = {
  address: { type: 'string', required: true },
  chainId: { type: 'string', required: true, aliases: ['chain'] },
  apiKey: { type: 'string' },
} as const

export async function verdictOf(verifier: Verifier, url: string, body: unknown): Promise<Verdict> {
  readQuery(url, [])
  const { address, chainId, apiKey } = readBody(body, askedFields)
  const asked = { chain: chainId as string, address: address as string }
  return verifier.fromExplorer(asked, apiKey as string | undefined)
}

/** Verification of a contract from what an explorer publishes of it, also by the name that older clients know. */
export function addVerifyRoutes(
  scope: FastifyInstance,
  prefix: string,
  { verifier, limit }: VerifyRoutesOptions,
): void {
  const schema = {
    operationId: 'verifyFromExplorer',
    summary: 'Verify a contract from the sources that an explorer publishes',
    description: 'A mismatch is an entry without a status that says why.',
    tags: ['verification'],
    body: askedSchema,
    response: { 200: outcomeAnswer },
  }
  for (const [path, hide] of [
    [`${prefix}/verify/explorer`, prefix !== ''],
    [`${prefix}/verify/etherscan`, true],
  ] as const)
    scope.post(
      path,
      { bodyLimit: fewBytesMax, schema: { ...schema, hide }, onRequest: limit },
      async (request, reply) => {
        const verdict = await verdictOf(verifier, request.url, request.body)
        return reply.header('cache-control', 'no-store').send({ result: [directResult(verdict)] })
      },
    )
}
