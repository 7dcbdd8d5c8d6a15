import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify'
import { objectAnswer, outcomeAnswer, textAnswer } from '#src/http/verification/answers.ts'
import { directResult, sessionEntry } from '#src/http/verification/documents.ts'
import { readBody, readQuery } from '#src/http/verification/request-body.ts'
import { addSessionPreflight, fewBytesMax, guardOrigin } from '#src/http/verification/scope.ts'
import { sayCookie, sessionIdOf } from '#src/http/verification/session-cookie.ts'
import type { Sessions } from '#src/http/verification/sessions.ts'
import type { VerificationHttpSettings } from '#src/http/verification/settings.ts'
import type { Verdict, Verifier } from '#src/http/verification/verifier.ts'

export interface VerifyRoutesOptions {
  readonly verifier: Verifier
  readonly sessions: Sessions
  readonly settings: VerificationHttpSettings
  readonly limit: onRequestAsyncHookHandler
}

const text = { type: 'string' } as const
const askedSchema = {
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

async function verdictOf(verifier: Verifier, url: string, body: unknown): Promise<Verdict> {
  readQuery(url, [])
  const { address, chainId, apiKey } = readBody(body, askedFields)
  const asked = { chain: chainId as string, address: address as string }
  return verifier.fromExplorer(asked, apiKey as string | undefined)
}

/** Verification of a contract from what an explorer publishes of it, directly (also by the name that older clients know), and within the session of a page. */
export function addVerifyRoutes(scope: FastifyInstance, prefix: string, options: VerifyRoutesOptions): void {
  const { verifier, limit } = options
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
  addSessionRoutes(scope, prefix, options)
}

const sessionAnswer = objectAnswer('What the session has found so far', {
  contracts: { type: 'array', items: { type: 'object', additionalProperties: true } },
  unused: { type: 'array', items: text },
})

function addSessionRoutes(scope: FastifyInstance, prefix: string, options: VerifyRoutesOptions): void {
  const { verifier, sessions, settings, limit } = options
  const hide = prefix !== ''
  const guard = guardOrigin(settings)
  const documented = { hide, tags: ['verification'], response: { 200: sessionAnswer } }
  const paths = ['verify/explorer', 'data', 'clear'].map((path) => `${prefix}/session/${path}`)
  for (const path of paths) addSessionPreflight(scope, path, settings)
  const [verify = '', data = '', clear = ''] = paths
  const verifying = {
    ...documented,
    operationId: 'verifyFromExplorerInSession',
    summary: 'The same within the session of a page',
    body: askedSchema,
  }
  scope.post(
    verify,
    { bodyLimit: fewBytesMax, schema: verifying, onRequest: [guard, limit] },
    async (request, reply) => {
      const id = sessionIdOf(request) ?? sessions.newId()
      sayCookie(reply.header('cache-control', 'no-store'), id, settings)
      const verdict = await verdictOf(verifier, request.url, request.body)
      return reply.send(await sessions.add(id, sessionEntry(verdict), bytesOf(verdict)))
    },
  )
  const reading = { ...documented, operationId: 'getVerificationSession', summary: 'What the session has found so far' }
  scope.get(data, { schema: reading, onRequest: guard }, async (request, reply) => {
    readQuery(request.url, [])
    const id = sessionIdOf(request) ?? sessions.newId()
    sayCookie(reply.header('cache-control', 'no-store'), id, settings)
    await sessions.touch(id)
    const found = await sessions.read(id)
    const files = [...new Set([...found.contracts.flatMap((each) => each.files.found), ...found.unused])]
    return reply.send({ ...found, files })
  })
  const clearing = {
    hide,
    tags: ['verification'],
    operationId: 'clearVerificationSession',
    summary: 'End the session',
    response: { 200: textAnswer('It is ended') },
  }
  scope.post(clear, { bodyLimit: fewBytesMax, schema: clearing, onRequest: guard }, async (request, reply) => {
    const id = sessionIdOf(request)
    if (id !== undefined) await sessions.clear(id)
    return reply.type('text/plain; charset=utf-8').send('Session successfully cleared')
  })
}

/** Of the texts that a session refers to: names stand for them, since the texts are stored once for all. */
function bytesOf({ outcome: { verified, fetched } }: Verdict): number {
  return JSON.stringify([verified ?? null, fetched ?? null]).length
}
