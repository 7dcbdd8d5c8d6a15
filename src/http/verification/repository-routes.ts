import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { listAnswer, objectAnswer, textAnswer } from '#src/http/verification/answers.ts'
import { addCheckRoutes } from '#src/http/verification/check-routes.ts'
import { notThere } from '#src/http/verification/errors.ts'
import { addListRoutes } from '#src/http/verification/list-routes.ts'
import { matchFolders, type RepositoryFile, repositoryFiles } from '#src/http/verification/repository-files.ts'
import { readQuery } from '#src/http/verification/request-body.ts'
import type { ServedReads } from '#src/http/verification/served-reads.ts'
import { chainName, knownChainIds, type VerificationHttpSettings } from '#src/http/verification/settings.ts'
import { findShown, type ShownContract } from '#src/http/verification/shown-contracts.ts'
import type { Verifier } from '#src/http/verification/verifier.ts'
import type { ContentStore } from '#src/ports/content-store.ts'
import type { SourceExplorers } from '#src/ports/source-explorer.ts'

export interface RepositoryRoutesOptions {
  readonly verifier: Verifier
  readonly reads: ServedReads
  readonly contents: Pick<ContentStore, 'get'>
  readonly explorers: Pick<SourceExplorers, 'has'>
  readonly settings: VerificationHttpSettings
  readonly limit: onRequestAsyncHookHandler
}

interface OfContract {
  readonly Params: { readonly chain: string; readonly address: string }
}

const noFiles = 'Files have not been found!'
const tags = ['verification']
const text = { type: 'string' } as const
const file = { type: 'object', properties: { name: text, path: text, content: text } } as const
const anyMatch = { status: { enum: ['full', 'partial'] }, similarTo: text }
const texts = { type: 'array', items: text } as const

/** What is verified, for those who ask for it by address, chain or file. */
export function addRepositoryRoutes(scope: FastifyInstance, prefix: string, options: RepositoryRoutesOptions): void {
  addCheckRoutes(scope, prefix, options)
  addFileRoutes(scope, prefix, options)
  addStoredFileRoute(scope, prefix, options)
  addFolderRoutes(scope, prefix, options)
  addListRoutes(scope, prefix, options)
  addChainRoutes(scope, prefix, options)
}

function addFileRoutes(scope: FastifyInstance, prefix: string, options: RepositoryRoutesOptions): void {
  const hide = prefix !== ''
  const schema = (operationId: string, summary: string, answer: object) => {
    return { hide, tags, operationId, summary, response: { 200: answer } }
  }
  const files = async ({ url, params }: FastifyRequest<OfContract>) => {
    readQuery(url, [])
    const shown = await findShown(options, { chain: params.chain, address: params.address })
    if (shown === undefined) throw notThere(noFiles)
    return { shown, files: await repositoryFiles(options.contents, shown.verified) }
  }
  scope.get<OfContract>(
    `${prefix}/files/:chain/:address`,
    { schema: schema('getVerifiedFiles', 'The files of a perfect match', listAnswer('Its files', file)) },
    async (request, reply) => {
      const found = await files(request)
      refuseImperfect(found.shown)
      return reply.send(found.files)
    },
  )
  scope.get<OfContract>(
    `${prefix}/files/any/:chain/:address`,
    {
      schema: schema(
        'getAnyVerifiedFiles',
        'The files of a match, whichever it is',
        objectAnswer('Its files', { ...anyMatch, files: { type: 'array', items: file } }),
      ),
    },
    async (request, reply) => {
      const found = await files(request)
      return reply.send({ ...statusOf(found.shown), files: found.files })
    },
  )
  scope.get<OfContract>(
    `${prefix}/files/tree/:chain/:address`,
    {
      schema: schema('getVerifiedTree', 'Where the files of a perfect match are', listAnswer('Their addresses', text)),
    },
    async (request, reply) => {
      const found = await files(request)
      refuseImperfect(found.shown)
      return reply.send(found.files.map((file) => urlOf(request, prefix, file)))
    },
  )
  scope.get<OfContract>(
    `${prefix}/files/tree/any/:chain/:address`,
    {
      schema: schema(
        'getAnyVerifiedTree',
        'Where the files of a match are, whichever it is',
        objectAnswer('Their addresses', { ...anyMatch, files: texts }),
      ),
    },
    async (request, reply) => {
      const found = await files(request)
      return reply.send({ ...statusOf(found.shown), files: found.files.map((file) => urlOf(request, prefix, file)) })
    },
  )
}

function refuseImperfect({ match, similarTo }: ShownContract): void {
  if (match !== 'perfect' || similarTo !== undefined) throw notThere(noFiles)
}

function statusOf({ match, similarTo }: ShownContract): object {
  return { status: match === 'perfect' ? 'full' : 'partial', ...(similarTo !== undefined && { similarTo }) }
}

function urlOf({ protocol, headers }: FastifyRequest, prefix: string, { path }: RepositoryFile): string {
  const origin = headers.host === undefined ? '' : `${protocol}://${headers.host}`
  return `${origin}${prefix}/repository/${encoded(path)}`
}

function encoded(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}

/** Texts of strangers: shown as text, whatever they hold. */
function sendText(reply: FastifyReply, content: string): FastifyReply {
  return reply
    .headers({
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    })
    .send(content)
}

interface OfStoredFile {
  readonly Params: { readonly folder: string; readonly chain: string; readonly address: string; readonly '*': string }
}

function addStoredFileRoute(scope: FastifyInstance, prefix: string, options: RepositoryRoutesOptions): void {
  const summary = 'One file of a verified contract, as text'
  const response = { 200: textAnswer('The file') }
  const schema = { hide: prefix !== '', tags, operationId: 'getRepositoryFile', summary, response }
  scope.get<OfStoredFile>(
    `${prefix}/repository/contracts/:folder/:chain/:address/*`,
    { schema },
    async ({ params }, reply) => {
      const { folder, chain, address, '*': path } = params
      const shown = await findShown(options, { chain, address })
      const isThere = shown !== undefined && folder === matchFolders[shown.match]
      const files = isThere ? await repositoryFiles(options.contents, shown.verified) : []
      // Behind the folders of match, chain and address.
      const file = files.find((each) => each.path.split('/').slice(4).join('/') === path)
      if (file === undefined) throw notThere(noFiles)
      return sendText(reply, file.content)
    },
  )
}

interface OfFolder {
  readonly Params: { readonly folder?: string; readonly chain: string; readonly address: string }
}

/** Where explorers send a person who wants to see the files. */
function addFolderRoutes(scope: FastifyInstance, prefix: string, options: RepositoryRoutesOptions): void {
  const summary = 'Where the files of a verified contract are, one on each line'
  const response = { 200: textAnswer('Their addresses') }
  const schema = { tags, operationId: 'getRepositoryFolder', summary, response }
  const list = async (request: FastifyRequest<OfFolder>, reply: FastifyReply) => {
    const { folder, chain, address } = request.params
    readQuery(request.url, [])
    const shown = await findShown(options, { chain, address })
    if (shown === undefined || (folder ?? matchFolders[shown.match]) !== matchFolders[shown.match])
      throw notThere(noFiles)
    const files = await repositoryFiles(options.contents, shown.verified)
    return sendText(reply, files.map((each) => `${urlOf(request, prefix, each)}\n`).join(''))
  }
  const [byFolder, byAddress] = ['contracts/:folder/:chain/:address', ':chain/:address']
  scope.get<OfFolder>(`${prefix}/repository/${byFolder}`, { schema: { ...schema, hide: prefix !== '' } }, list)
  scope.get<OfFolder>(`${prefix}/repository/${byAddress}`, { schema: { ...schema, hide: true } }, list)
}

function addChainRoutes(scope: FastifyInstance, prefix: string, options: RepositoryRoutesOptions): void {
  const { settings, explorers } = options
  const hide = prefix !== ''
  const of = { hide, tags }
  const chains = {
    ...of,
    operationId: 'getVerificationChains',
    summary: 'The chains that are known, and what can be done with them',
    response: { 200: listAnswer('An entry for each chain', { type: 'object', additionalProperties: true }) },
  }
  scope.get(`${prefix}/chains`, { schema: chains }, async (_request, reply) => {
    const ids = [...new Set([settings.chainId, ...knownChainIds])]
    return reply.send(ids.map((id) => chainOf(id, settings, explorers)))
  })
  const health = {
    ...of,
    operationId: 'getVerificationHealth',
    summary: 'Whether the process answers',
    response: { 200: textAnswer('It does') },
  }
  scope.get(`${prefix}/health`, { schema: health }, async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send('Alive and kicking!'),
  )
}

function chainOf(id: string, { chainId, network }: VerificationHttpSettings, explorers: Pick<SourceExplorers, 'has'>) {
  const supported = id === chainId
  const name = supported ? (chainName(id) ?? network) : chainName(id)
  return { name, title: name, chainId: Number(id), rpc: [], supported, etherscanAPI: supported && explorers.has(id) }
}
