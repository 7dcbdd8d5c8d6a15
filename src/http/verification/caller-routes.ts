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
import { chosenOf, metadataOf, readFiles } from '#src/http/verification/given-files.ts'
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
        schema: { tags: ['verification'], response: { 200: outcomeAnswer }, hide: prefix !== '', ...schema },
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
    description: `What a build tool writes may be sent instead: it stands for the metadata and sources that are in it. Where that is more than one contract, \`chosenContract\` says which, by number or name.`,
    body: { type: 'object', properties: { ...namedSchema, chosenContract: text } },
  }
  const readGiven = (body: unknown) => {
    const { address, chainId, files } = readBody(body, named)
    const { chosenContract } = body as { readonly chosenContract?: unknown }
    const asked: [string, string] = [address as string, chainId as string]
    return { asked, input: inputOfFiles(files, chosenContract) }
  }
  add('/verify', filesSchema, readGiven)
  // Build tools are set to the address of the API itself, and send it there. The root is the status page's.
  if (prefix !== '') add('', filesSchema, readGiven)
}

/** The metadata among the files says which of them are its sources. */
function inputOfFiles(given: unknown, chosen: unknown): VerificationInput {
  const files = readFiles(given)
  const { document } = chosenOf(
    files.flatMap((file) => metadataOf(file) ?? []),
    chosen,
  )
  return inputOfMetadata(document, new Map(files.map(({ name, content }) => [name, content])))
}
