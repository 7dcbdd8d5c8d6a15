import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify'
import { VerificationProblem } from '#src/domain/verification/problem.ts'
import { outcomeAnswer } from '#src/http/verification/answers.ts'
import {
  fieldsOf,
  inputOfMetadata,
  inputOfStandardJson,
  parseJson,
  readTarget,
} from '#src/http/verification/caller-inputs.ts'
import { directResult } from '#src/http/verification/documents.ts'
import { readBody, readQuery } from '#src/http/verification/request-body.ts'
import { sourcesBytesMax } from '#src/http/verification/scope.ts'
import type { Verifier } from '#src/http/verification/verifier.ts'
import type { VerificationInput } from '#src/verification/verification-input.ts'

export interface CallerRoutesOptions {
  readonly verifier: Verifier
  readonly limit: onRequestAsyncHookHandler
}

const text = { type: 'string' } as const
const named = {
  address: { type: 'string', required: true },
  chainId: { type: 'string', required: true, aliases: ['chain'] },
  files: { type: 'object', required: true },
} as const
const ofStandardJson = {
  ...named,
  compilerVersion: { type: 'string', required: true },
  contractName: { type: 'string', required: true },
} as const
const namedSchema = { address: text, chainId: text, files: { type: 'object', additionalProperties: text } }

/** Verification of a contract from what its caller sends along. */
export function addCallerRoutes(
  scope: FastifyInstance,
  prefix: string,
  { verifier, limit }: CallerRoutesOptions,
): void {
  const add = (
    path: string,
    schema: object,
    read: (body: unknown) => { asked: [string, string]; input: VerificationInput },
  ) =>
    scope.post(
      `${prefix}${path}`,
      {
        bodyLimit: sourcesBytesMax,
        schema: { hide: prefix !== '', tags: ['verification'], ...schema, response: { 200: outcomeAnswer } },
        onRequest: limit,
      },
      async (request, reply) => {
        readQuery(request.url, [])
        const { asked, input } = read(request.body)
        const [address, chain] = asked
        const verdict = await verifier.fromCaller({ address, chain }, { kind: 'caller', input })
        return reply.header('cache-control', 'no-store').send({ result: [directResult(verdict)] })
      },
    )
  const solcSchema = {
    operationId: 'verifyFromCompilerInput',
    summary: 'Verify a contract from the input of its compiler, as a file',
    body: { type: 'object', properties: { ...namedSchema, compilerVersion: text, contractName: text } },
  }
  add('/verify/solc-json', solcSchema, (body) => {
    const { address, chainId, files, compilerVersion, contractName } = readBody(body, ofStandardJson)
    const [json] = Object.values(fieldsOf(files, 'files'))
    if (json === undefined) throw new VerificationProblem('invalid_input', 'files holds no compiler input')
    const given = typeof json === 'string' ? parseJson(json, 'The compiler input') : json
    const target = readTarget(contractName as string)
    const input = inputOfStandardJson(given, { compilerVersion: compilerVersion as string, target })
    return { asked: [address as string, chainId as string], input }
  })
  const filesSchema = {
    operationId: 'verifyFromFiles',
    summary: 'Verify a contract from its metadata and the sources that this names',
    body: { type: 'object', properties: namedSchema },
  }
  add('/verify', filesSchema, (body) => {
    const { address, chainId, files } = readBody(body, named)
    return { asked: [address as string, chainId as string], input: inputOfFiles(files) }
  })
}

/** One of the files is the metadata; the others are told apart by their hashes. */
function inputOfFiles(given: unknown): VerificationInput {
  const files = Object.entries(fieldsOf(given, 'files')).map(([name, content]): [string, string] => {
    return [name, typeof content === 'string' ? content : JSON.stringify(content)]
  })
  const metadata = files.map(([, content]) => metadataIn(content)).find((each) => each !== undefined)
  if (metadata !== undefined) return inputOfMetadata(metadata, new Map(files))
  throw new VerificationProblem('invalid_input', 'Metadata file not found. Did you include "metadata.json"?')
}

function metadataIn(content: string): object | undefined {
  if (!content.trimStart().startsWith('{')) return undefined
  try {
    const value: unknown = JSON.parse(content)
    return typeof value === 'object' && value !== null && 'compiler' in value && 'settings' in value ? value : undefined
  } catch {
    return undefined
  }
}
