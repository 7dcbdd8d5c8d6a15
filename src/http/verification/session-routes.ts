import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { objectAnswer, textAnswer } from '#src/http/verification/answers.ts'
import { checkSessionContracts } from '#src/http/verification/check-session-contracts.ts'
import { sessionEntry } from '#src/http/verification/documents.ts'
import { readFiles } from '#src/http/verification/given-files.ts'
import { readBody, readQuery } from '#src/http/verification/request-body.ts'
import { addSessionPreflight, fewBytesMax, guardOrigin, sourcesBytesMax } from '#src/http/verification/scope.ts'
import { filesOf, type SessionState, sessionDocument } from '#src/http/verification/session-state.ts'
import { type Sessions, sessionIdForm } from '#src/http/verification/sessions.ts'
import type { VerificationHttpSettings } from '#src/http/verification/settings.ts'
import type { Verdict, Verifier } from '#src/http/verification/verifier.ts'
import { askedSchema, verdictOf } from '#src/http/verification/verify-routes.ts'

const cookieName = 'sourcify_vid'

export interface SessionRoutesOptions {
  readonly verifier: Verifier
  readonly sessions: Sessions
  readonly settings: VerificationHttpSettings
  readonly limit: onRequestAsyncHookHandler
}

const text = { type: 'string' } as const
const texts = { type: 'array', items: text } as const
const tags = ['verification']
const found = { contracts: { type: 'array', items: { type: 'object', additionalProperties: true } }, unused: texts }
const foundAnswer = { 200: objectAnswer('What the session has found so far', found) }
const filesAnswer = {
  200: objectAnswer('What the session has found so far, and its files', { ...found, files: texts }),
}
const filesSchema = {
  type: 'object',
  required: ['files'],
  properties: { files: { type: 'object', additionalProperties: text, description: 'Contents by name' } },
} as const
const checkedSchema = {
  type: 'object',
  required: ['contracts'],
  properties: {
    contracts: {
      type: 'array',
      items: { type: 'object', properties: { verificationId: text, address: text, chainId: text } },
    },
  },
} as const
const dryRun = {
  type: 'object',
  properties: { dryrun: { type: 'boolean', description: 'Whether it is only tried, and nothing of it kept' } },
} as const

/** The session of a page: what it has found from explorers and from files, until it is cleared or not used any more. */
export function addSessionRoutes(scope: FastifyInstance, prefix: string, options: SessionRoutesOptions): void {
  const { sessions, settings } = options
  const hide = prefix !== ''
  for (const path of ['verify/explorer', 'data', 'clear', 'input-files', 'verify-checked'])
    addSessionPreflight(scope, `${prefix}/session/${path}`, settings)
  addExplorerRoute(scope, prefix, options)
  addInputRoutes(scope, prefix, options)
  const onRequest = guardOrigin(settings)
  const data = { hide, tags, operationId: 'getVerificationSession', summary: 'What the session has found so far' }
  scope.get(
    `${prefix}/session/data`,
    { schema: { ...data, response: filesAnswer }, onRequest },
    async (request, reply) => {
      readQuery(request.url, [])
      const id = idOf(request, reply, options)
      await sessions.touch(id)
      return reply.send(withFiles(await sessions.read(id)))
    },
  )
  const clear = { hide, tags, operationId: 'clearVerificationSession', summary: 'End the session' }
  scope.post(
    `${prefix}/session/clear`,
    { bodyLimit: fewBytesMax, schema: { ...clear, response: { 200: textAnswer('It is ended') } }, onRequest },
    async (request, reply) => {
      const id = sessionIdOf(request)
      if (id !== undefined) await sessions.clear(id)
      return reply.type('text/plain; charset=utf-8').send('Session successfully cleared')
    },
  )
}

/** The session of the request, or a new one, whose time begins anew. */
function idOf(request: FastifyRequest, reply: FastifyReply, { sessions, settings }: SessionRoutesOptions): string {
  const id = sessionIdOf(request) ?? sessions.newId()
  sayCookie(reply.header('cache-control', 'no-store'), id, settings)
  return id
}

function withFiles(session: SessionState) {
  return { ...sessionDocument(session), files: filesOf(session) }
}

function addExplorerRoute(scope: FastifyInstance, prefix: string, options: SessionRoutesOptions): void {
  const { verifier, sessions, settings, limit } = options
  const schema = {
    hide: prefix !== '',
    tags,
    operationId: 'verifyFromExplorerInSession',
    summary: 'Verify a contract from an explorer, within the session of a page',
    body: askedSchema,
    response: foundAnswer,
  }
  scope.post(
    `${prefix}/session/verify/explorer`,
    { bodyLimit: fewBytesMax, schema, onRequest: [guardOrigin(settings), limit] },
    async (request, reply) => {
      const id = idOf(request, reply, options)
      const verdict = await verdictOf(verifier, request.url, request.body)
      return reply.send(sessionDocument(await sessions.add(id, sessionEntry(verdict), bytesOf(verdict))))
    },
  )
}

function addInputRoutes(scope: FastifyInstance, prefix: string, options: SessionRoutesOptions): void {
  const { verifier, sessions, settings, limit } = options
  const hide = prefix !== ''
  const shared = { bodyLimit: sourcesBytesMax, onRequest: [guardOrigin(settings), limit] }
  const giving = {
    operationId: 'addFilesToSession',
    summary: 'Add files to the session: metadata, sources, or what a build tool writes',
    body: filesSchema,
  }
  const input = { hide, tags, ...giving, querystring: dryRun, response: filesAnswer }
  scope.post(`${prefix}/session/input-files`, { ...shared, schema: input }, async (request, reply) => {
    // Nothing is verified by files alone, so that a trial is the same.
    readQuery(request.url, ['dryrun'])
    const { files } = readBody(request.body, { files: { type: 'object', required: true } })
    const given = readFiles(files)
    const id = idOf(request, reply, options)
    return reply.send(withFiles(await sessions.addFiles(id, given)))
  })
  const verifying = {
    operationId: 'verifySessionContracts',
    summary: 'Verify contracts of the session at the addresses that are given',
    body: checkedSchema,
  }
  const checked = { hide, tags, ...verifying, querystring: dryRun, response: filesAnswer }
  scope.post(`${prefix}/session/verify-checked`, { ...shared, schema: checked }, async (request, reply) => {
    const query = readQuery(request.url, ['dryrun'])
    const { contracts } = readBody(request.body, { contracts: { type: 'array', required: true } })
    const id = idOf(request, reply, options)
    const isDryRun = query.has('dryrun') && query.get('dryrun') !== 'false'
    const changed = await checkSessionContracts(
      { verifier, sessions, waitMs: settings.waitMs, isDryRun },
      id,
      contracts,
    )
    return reply.send(withFiles(await sessions.update(id, changed)))
  })
}

/** Of the texts that a session refers to: names stand for them, since the texts are stored once for all. */
function bytesOf({ outcome: { verified, fetched } }: Verdict): number {
  return JSON.stringify([verified ?? null, fetched ?? null]).length
}

function sessionIdOf({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  for (const part of (headers.cookie ?? '').split(';')) {
    const [name = '', value = ''] = part.trim().split('=')
    if (name === cookieName && sessionIdForm.test(value)) return value
  }
  return undefined
}

interface CookieSettings {
  readonly secureCookies: boolean
  readonly sessionTtlMs: number
}

/** Every answer says it again, so that its time begins anew. */
function sayCookie(reply: FastifyReply, id: string, { secureCookies, sessionTtlMs }: CookieSettings): void {
  const flags = ['Path=/', `Max-Age=${Math.floor(sessionTtlMs / 1_000)}`, 'HttpOnly', 'SameSite=Lax']
  reply.header('set-cookie', [`${cookieName}=${id}`, ...flags, ...(secureCookies ? ['Secure'] : [])].join('; '))
}
