import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { commandSchema, commandTypes } from '#commands/status/commands.ts'
import { draftsOf } from '#commands/status/health/drafts.ts'
import { parseCommand } from '#commands/status/parse-command.ts'
import { isRefused, refusals } from '#commands/status/refusals.ts'
import type { StatusService } from '#commands/status/status-service.ts'
import { errorCatalogue, isLedgerError, type LedgerError } from '#src/domain/errors.ts'
import type { StatusToken } from '#src/http/settings.ts'
import type { Clock } from '#src/ports/clock.ts'
import type { Logger } from '#src/ports/logger.ts'
import { beginPeriod } from '#src/runtime/watch/period-counts.ts'

export interface StatusCommandOptions {
  readonly service: Pick<StatusService, 'execute' | 'settled'>
  /** As they are now: they may come and go. */
  readonly tokens: () => readonly StatusToken[]
  /** Of one token. */
  readonly commandsPerMinuteMax: number
  /** Where they are counted, of `commandCountsLength`; threads that share it share the limit. */
  readonly counts?: Uint32Array
  readonly clock: Clock
  readonly logger: Logger
}

export const statusCommandPath = '/status/v1/commands'
export const statusDraftsPath = '/status/v1/drafts'
const bodyBytesMax = 256 << 10
const minuteMs = 60_000

const text = { type: 'string' }
const draftsSchema = {
  operationId: 'getStatusDrafts',
  summary: 'List what the rules over live health would tell readers and leave to a person',
  description: 'A draft is published by sending its command with its command_id.',
  tags: ['status'],
  response: {
    200: {
      description: 'Drafts',
      type: 'object',
      required: ['drafts'],
      properties: {
        drafts: {
          type: 'array',
          items: {
            type: 'object',
            required: ['component_id', 'at', 'command_id', 'command'],
            properties: {
              component_id: text,
              at: { ...text, format: 'date-time' },
              command_id: text,
              command: { type: 'object', additionalProperties: true },
            },
          },
        },
      },
    },
  },
}

const count = { type: 'integer' }
const causedSchema = {
  type: 'object',
  required: ['type', 'stream', 'revision'],
  properties: { type: text, stream: text, revision: count },
}
const outcomeSchema = {
  type: 'object',
  required: ['command_id', 'id', 'stream', 'revision', 'events'],
  properties: {
    command_id: text,
    id: { ...text, description: 'Of what the command was about' },
    stream: text,
    revision: { ...count, description: 'Of the stream, as of the last event that the command led to' },
    events: { type: 'array', items: causedSchema, description: 'In the order in which they were written' },
  },
}

/** The writing side of the status page: an address that takes commands and one that lists drafts, for those who have a token. */
export function addStatusCommands(app: FastifyInstance, options: StatusCommandOptions): void {
  const { service, logger } = options
  const authenticate = createAuthentication(options)
  app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => sendCommandError(error, request, reply, logger))
    const schema = {
      operationId: 'postStatusCommands',
      summary: 'Write to the status page',
      tags: ['status'],
      body: { oneOf: commandTypes.map(commandSchema) },
      response: { 200: { description: 'What came of it', ...outcomeSchema } },
    }
    scope.post(
      statusCommandPath,
      { bodyLimit: bodyBytesMax, schema, onRequest: authenticate },
      async (request, reply) => {
        const { name: actor, role } = senders.get(request)!
        const { command, ...known } = parseCommand(request.body)
        const answer = await service.execute(command, { actor, role, ...known })
        logger.info(
          { actor, role, command: command.type, command_id: answer.command_id, stream: answer.stream },
          'status command',
        )
        return reply.header('cache-control', 'no-store').send(answer)
      },
    )
    scope.get(statusDraftsPath, { schema: draftsSchema, onRequest: authenticate }, async (_request, reply) =>
      reply.header('cache-control', 'no-store').send({ drafts: draftsOf(await service.settled()) }),
    )
  })
}

/** Who sends a request, once it is let in. */
const senders = new WeakMap<FastifyRequest, StatusToken>()

/** Before the body is read. */
function createAuthentication(options: StatusCommandOptions) {
  const { tokens, clock } = options
  const allow = createRateLimit(options)
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const token = tokenOf(request, tokens())
    const isExpired = token?.expires !== undefined && clock.now() >= Date.parse(token.expires)
    if (token === undefined || isExpired) {
      reply.code(401).header('www-authenticate', 'Bearer realm="status"')
      const message = isExpired ? 'This token has expired' : 'This takes the bearer token of somebody who may write'
      return reply.send(bodyOf('invalid_credentials', message))
    }
    const waitSeconds = allow(token.name)
    if (waitSeconds > 0) {
      reply.code(429).header('retry-after', String(waitSeconds))
      return reply.send(bodyOf('too_many_commands', `Try again in ${waitSeconds} s`))
    }
    senders.set(request, token)
    return undefined
  }
}

/** Compares digests, and with all of them, so that the time taken tells nothing about where two differ, or which one it is. */
function tokenOf({ headers }: FastifyRequest, tokens: readonly StatusToken[]): StatusToken | undefined {
  const given = /^Bearer +([\w.~+/=-]{1,500}) *$/i.exec(headers.authorization ?? '')?.[1]
  if (given === undefined) return undefined
  const digest = createHash('sha256').update(given).digest()
  let found: StatusToken | undefined
  for (const token of tokens) if (timingSafeEqual(Buffer.from(token.sha256, 'hex'), digest)) found = token
  return found
}

/** Names that hardly ever share a place: those that do share a limit. */
const countedNames = 4_096
/** Of each name the minute and what was sent within it. */
export const commandCountsLength = 2 * countedNames

/** Seconds to wait; 0 where one more is allowed within this minute. */
function createRateLimit(options: StatusCommandOptions): (name: string) => number {
  const { commandsPerMinuteMax, clock, counts = new Uint32Array(commandCountsLength) } = options
  return (name) => {
    const now = clock.now()
    const minute = Math.floor(now / minuteMs)
    const at = 2 * (createHash('sha256').update(name).digest().readUInt32BE() % countedNames)
    beginPeriod(counts, at, 1, minute)
    const count = Atomics.add(counts, at + 1, 1) + 1
    return count <= commandsPerMinuteMax ? 0 : Math.max(1, Math.ceil(((minute + 1) * minuteMs - now) / 1_000))
  }
}

function sendCommandError(error: unknown, request: FastifyRequest, reply: FastifyReply, logger: Logger): FastifyReply {
  if (isRefused(error)) {
    logger.info({ requestId: request.id, code: error.code, reason: error.message }, 'status command refused')
    return reply.code(refusals[error.code]).send(bodyOf(error.code, error.message))
  }
  if (isLedgerError(error)) {
    const { status, disposition } = errorCatalogue[error.code]
    logger.warn({ requestId: request.id, err: error }, 'status command failed')
    if (disposition === 'retry') reply.header('retry-after', '1')
    return reply.code(status).send(bodyOf(error.code, toldOf(error)))
  }
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  if (status >= 400 && status < 500) {
    const code = status === 413 ? 'command_too_large' : status === 415 ? 'media_type_unsupported' : 'command_invalid'
    return reply.code(status).send(bodyOf(code, (error as Error).message))
  }
  logger.error({ requestId: request.id, err: error }, 'status command failed')
  return reply.code(500).send(bodyOf('internal', 'Internal error'))
}

/** What is of our own machines stays in the log. */
function toldOf({ code, message, details }: LedgerError): string {
  if (typeof details['told'] === 'string') return details['told']
  const { status, disposition } = errorCatalogue[code]
  if (status < 500) return message
  return disposition === 'retry' ? 'Nothing can be written now; send the command again' : 'Internal error'
}

function bodyOf(code: string, message: string): { error: { code: string; message: string } } {
  return { error: { code, message } }
}
