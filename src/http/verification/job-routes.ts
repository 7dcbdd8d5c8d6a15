import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import type { FoundContract } from '#commands/verification/contract-codes.ts'
import type { RequestSource, VerificationService } from '#commands/verification/verification-service.ts'
import type { RequestRow } from '#projections/verification/schema.ts'
import { findRequest, findSimilar, findVerified } from '#queries/verification/find-verified.ts'
import { isLedgerError } from '#src/domain/errors.ts'
import { isVerificationProblem, VerificationProblem } from '#src/domain/verification/problem.ts'
import { documentErrors, jobErrorProperties, objectAnswer } from '#src/http/verification/answers.ts'
import { fieldsOf, inputOfMetadata, inputOfStandardJson, readTarget } from '#src/http/verification/caller-inputs.ts'
import { addContractRoutes, matchDocument, noMatchDocument } from '#src/http/verification/contract-routes.ts'
import { MalformedRequest, sendVerificationError } from '#src/http/verification/errors.ts'
import { getTexts } from '#src/http/verification/repository-files.ts'
import { type BodyField, bodySchema, readBody, readQuery } from '#src/http/verification/request-body.ts'
import { fewBytesMax, sourcesBytesMax } from '#src/http/verification/scope.ts'
import type { ServedReads } from '#src/http/verification/served-reads.ts'
import type { Verifier } from '#src/http/verification/verifier.ts'
import { rest } from '#src/ports/clock.ts'
import type { ContentStore } from '#src/ports/content-store.ts'
import type { Logger } from '#src/ports/logger.ts'

export interface JobRoutesOptions {
  readonly verifier: Verifier
  readonly service: Pick<VerificationService, 'request' | 'stateOf'>
  readonly reads: ServedReads
  readonly contents: Pick<ContentStore, 'get'>
  readonly limit: onRequestAsyncHookHandler
  readonly logger: Logger
}

interface OfContract {
  readonly Params: { readonly chainId: string; readonly address: string }
}

const shownMs = 2_000
const pollMs = 10
const tags = ['verification']
const standardFields = {
  stdJsonInput: { type: 'object', required: true },
  compilerVersion: { type: 'string', required: true },
  contractIdentifier: { type: 'string', required: true },
} as const
const metadataFields = {
  sources: { type: 'object', required: true },
  metadata: { type: 'object', required: true },
} as const
const explorerFields = { apiKey: { type: 'string' } } as const

/** The newer API: a verification is asked for, and looked after by its id. */
export function addJobRoutes(app: FastifyInstance, prefix: string, options: JobRoutesOptions): void {
  app.register(async (scope) => {
    documentErrors(scope, jobErrorProperties)
    scope.setErrorHandler((error, request, reply) => sendJobError(error, request, reply, options.logger))
    const { verifier } = options
    const add = (kind: string, bodyLimit: number, fields: Readonly<Record<string, BodyField>>, source: SourceReader) =>
      addJob(
        scope,
        {
          url: `${prefix}/v2/verify/${kind}:chainId/:address`,
          hide: prefix !== '' || kind === 'etherscan/',
          kind,
          bodyLimit,
          fields,
          source,
        },
        options,
      )
    add('', sourcesBytesMax, standardFields, async (body) => {
      const { stdJsonInput, compilerVersion, contractIdentifier } = readBody(body, standardFields)
      const target = readTarget(contractIdentifier as string)
      const input = inputOfStandardJson(stdJsonInput, { compilerVersion: compilerVersion as string, target })
      return { kind: 'caller', input }
    })
    add('metadata/', sourcesBytesMax, metadataFields, async (body) => {
      const { sources, metadata } = readBody(body, metadataFields)
      const texts = Object.entries(fieldsOf(sources, 'sources')).map(([label, text]) => [label, String(text)] as const)
      return { kind: 'caller', input: inputOfMetadata(metadata, new Map(texts)) }
    })
    for (const kind of ['explorer/', 'etherscan/'])
      add(kind, fewBytesMax, explorerFields, async (body, { chain }) => {
        verifier.assertExplorer(chain)
        return { kind: 'explorer', apiKey: readBody(body, explorerFields).apiKey as string | undefined }
      })
    add('similarity/', fewBytesMax, {}, async (_body, contract) => similarSource(options, contract))
    addJobRoute(scope, prefix, options)
    addContractRoutes(scope, prefix, options)
  })
}

type SourceReader = (body: unknown, contract: FoundContract) => Promise<RequestSource>

interface Job {
  readonly url: string
  readonly hide: boolean
  readonly kind: string
  readonly bodyLimit: number
  readonly fields: Readonly<Record<string, BodyField>>
  readonly source: SourceReader
}

function addJob(scope: FastifyInstance, job: Job, { verifier, service, reads, limit }: JobRoutesOptions): void {
  const name = job.kind === '' ? 'standard-json/' : job.kind
  const schema = {
    hide: job.hide,
    tags,
    operationId: `startVerification-${name.slice(0, -1)}`,
    summary: `Begin to verify a contract: ${name.slice(0, -1)}`,
    body: bodySchema(job.fields),
    response: { 202: objectAnswer('It has begun', { verificationId: { type: 'string' } }) },
  }
  scope.post<OfContract>(job.url, { bodyLimit: job.bodyLimit, schema, onRequest: limit }, async (request, reply) => {
    readQuery(request.url, [])
    const { chainId: chain, address } = request.params
    const { contract } = await verifier.locate({ chain, address })
    const source = await job.source(request.body, contract)
    const { verified } = await service.stateOf(contract)
    if (verified?.match === 'perfect') {
      const message = `The contract ${address} on chain ${chain} is already verified with a perfect match`
      return reply.code(409).send(jobError('already_verified', message))
    }
    const { id, outcome } = await service.request(contract, source)
    // It is looked after by its id, and goes on with nobody waiting.
    outcome.catch(() => undefined)
    await known(reads, id)
    return reply.code(202).header('cache-control', 'no-store').send({ verificationId: id })
  })
}

/** Until whoever asks for the id finds it, or so long. */
async function known(reads: ServedReads, id: string): Promise<void> {
  const until = performance.now() + shownMs
  while (performance.now() < until) {
    if ((await reads.verified((rows) => findRequest(rows, id))) !== undefined) return
    await rest(pollMs)
  }
}

/** The sources of a contract with the same code but for what differs between clones. */
async function similarSource(
  { reads, contents }: JobRoutesOptions,
  { chain, code }: FoundContract,
): Promise<RequestSource> {
  const similar = await reads.verified((rows) => findSimilar(rows, chain, code.runtime ?? Buffer.alloc(0)))
  if (similar === undefined)
    throw new VerificationProblem(
      'no_match',
      'No verified contract has the same code but for what differs between clones',
    )
  const { verified } = similar
  const { sources, artifacts } = verified.facts
  const texts = await getTexts(contents, [artifacts, ...Object.values(sources)])
  const { settings } = fieldsOf(JSON.parse(texts.get(artifacts)!), 'What is stored of the compilation')
  const labelled = Object.entries(sources).map(([label, hash]) => [label, { content: texts.get(hash)! }])
  const target = { name: verified.name, path: verified.path }
  const given = { language: verified.language, sources: Object.fromEntries(labelled), settings }
  return { kind: 'caller', input: inputOfStandardJson(given, { compilerVersion: verified.compilerVersion, target }) }
}

function addJobRoute(scope: FastifyInstance, prefix: string, { reads }: JobRoutesOptions): void {
  const schema = {
    hide: prefix !== '',
    tags,
    operationId: 'getVerificationJob',
    summary: 'What became of a verification',
    response: { 200: objectAnswer('The verification, and the contract as it is verified now') },
  }
  scope.get<{ Params: { id: string } }>(`${prefix}/v2/verify/:id`, { schema }, async ({ params: { id } }, reply) => {
    const found = await reads.verified(async (rows) => {
      const request = await findRequest(rows, id)
      return request && { request, verified: await findVerified(rows, request.chain, request.entity) }
    })
    if (found === undefined) {
      const message = `No verification has the id ${id.slice(0, 100)}`
      return reply.code(404).send(jobError('job_not_found', message))
    }
    const { request, verified } = found
    const { chain, entity } = request
    const contract = verified === undefined ? noMatchDocument(chain, entity) : matchDocument(verified)
    return reply.header('cache-control', 'no-store').send({ ...jobDocument(request), contract })
  })
}

function jobDocument(request: RequestRow) {
  const { id, open, startedAt, finishedAt, compileMs, failureCode, failureMessage, failureDetails } = request
  return {
    isJobCompleted: open === 0,
    verificationId: id,
    jobStartTime: startedAt,
    ...(finishedAt !== null && { jobFinishTime: finishedAt }),
    ...(compileMs !== null && { compilationTime: String(compileMs) }),
    ...(failureCode !== null && {
      error: {
        ...jobError(failureCode, failureMessage ?? '', id),
        ...(failureDetails !== null && { errorData: JSON.parse(failureDetails) as object }),
      },
    }),
  }
}

function jobError(customCode: string, message: string, errorId: string = randomUUID()) {
  return { customCode, message, errorId }
}

/** What this API calls what others call otherwise. */
const customCodes: Readonly<Record<string, string>> = {
  chain_not_supported: 'unsupported_chain',
  chain_not_followed: 'unsupported_chain',
  invalid_address: 'invalid_parameter',
  invalid_input: 'invalid_parameter',
}

function sendJobError(error: unknown, request: FastifyRequest, reply: FastifyReply, logger: Logger): FastifyReply {
  if (error instanceof MalformedRequest)
    return reply.code(error.status).send(jobError('invalid_parameter', error.message, request.id))
  if (isVerificationProblem(error)) {
    const { retryAfterSeconds } = error.details
    if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
    return reply.code(error.status).send(jobError(customCodes[error.code] ?? error.code, error.message, request.id))
  }
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  if (!isLedgerError(error) && status >= 400 && status < 500)
    return reply.code(status).send(jobError('invalid_parameter', (error as Error).message, request.id))
  return sendVerificationError(error, request, reply, logger)
}
