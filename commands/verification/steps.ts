import type { FoundContract } from '#commands/verification/contract-codes.ts'
import type { VerificationEvent, VerifiedContract } from '#commands/verification/events.ts'
import type { OpenRequest } from '#commands/verification/state.ts'
import { readInput, storeInput } from '#commands/verification/stored-input.ts'
import { isLedgerError } from '#src/domain/errors.ts'
import {
  isProblemCode,
  isVerificationProblem,
  VerificationProblem,
  type VerificationProblemCode,
} from '#src/domain/verification/problem.ts'
import { type ContentStore, contentHashOf } from '#src/ports/content-store.ts'
import type { PublishedSources, SourceExplorers } from '#src/ports/source-explorer.ts'
import type { ChainCode } from '#src/verification/chain-code.ts'
import type { Match, NoMatch, Outcome } from '#src/verification/outcome.ts'
import type { Json, VerificationInput } from '#src/verification/verification-input.ts'

export type Verify = (input: VerificationInput, code: ChainCode, signal: AbortSignal) => Promise<Outcome>

export interface StepTools {
  readonly explorers: SourceExplorers
  readonly contents: ContentStore
  readonly verify: Verify
}

export interface StepOptions {
  readonly apiKey?: string | undefined
  readonly at: () => string
  readonly signal: AbortSignal
}

type Named = Pick<VerifiedContract, 'chain' | 'entity' | 'request_id'>

/** Asks the explorers, and stores what they have. */
export async function fetchSources(
  { explorers, contents }: StepTools,
  contract: Pick<FoundContract, 'chain' | 'entity'>,
  { id: request_id, address }: OpenRequest,
  { apiKey, at, signal }: StepOptions,
): Promise<VerificationEvent> {
  const { chain, entity } = contract
  const named = { chain, entity, request_id }
  try {
    const { explorer, published } = await explorers.find({ chain, address, apiKey, signal })
    const { hash, sources } = await storeInput(contents, inputOf(published))
    const data = {
      ...named,
      at: at(),
      explorer,
      compiler_version: published.compilerVersion,
      target_name: published.target.name,
      target_path: published.target.path ?? null,
      sources: Object.fromEntries(sources),
      input: hash,
      implementation: published.implementation ?? null,
    }
    return { type: 'SourcesFetched', data }
  } catch (error) {
    if (signal.aborted || !isVerificationProblem(error)) throw error
    return { type: 'SourceFetchFailed', data: { ...named, at: at(), ...failureOf(error) } }
  }
}

function inputOf(published: PublishedSources): VerificationInput {
  const { language, compilerVersion, sources, target, settings, libraries } = published
  const named = [...libraries].map(([name, address]) => ({ name, address: address.replace(/^0x/, '') }))
  // It was parsed from JSON.
  return { language, compilerVersion, sources, target, settings: settings as { [key: string]: Json }, libraries: named }
}

/** What a match or its failure is told as; the first element is what became of the compilation. */
export async function compileAndMatch(
  tools: StepTools,
  contract: FoundContract,
  request: OpenRequest & { readonly input: string },
  { at, signal }: StepOptions,
): Promise<{ readonly before: readonly VerificationEvent[]; readonly found?: VerifiedContract }> {
  const { chain, entity } = contract
  const named = { chain, entity, request_id: request.id }
  const fail = (type: 'CompilationFailed' | 'VerificationRejected', problem: VerificationProblem) => {
    return { before: [{ type, data: { ...named, at: at(), ...failureOf(problem) } }] }
  }
  const input = await readInput(tools.contents, request.input)
  const started = performance.now()
  let outcome: Outcome
  try {
    outcome = await tools.verify(input, contract.code, signal)
  } catch (error) {
    const problem = signal.aborted ? undefined : problemOf(error)
    if (problem === undefined) throw error
    return fail('CompilationFailed', problem)
  }
  const milliseconds = Math.round(performance.now() - started)
  const compiled = compiledEvent(outcome, named, at(), milliseconds)
  if (outcome.status === null) {
    const { before } = fail(compiled.length === 0 ? 'CompilationFailed' : 'VerificationRejected', noMatch(outcome))
    return { before: [...compiled, ...before] }
  }
  const found = await storeMatch(tools.contents, { outcome, input, contract, request }, { ...named, at: at() })
  return { before: compiled, found }
}

/** What would come of an input, of which nothing is kept. Throws the problem that keeps it from an outcome. */
export async function tryOut(
  { verify }: Pick<StepTools, 'verify'>,
  { code }: FoundContract,
  input: VerificationInput,
  signal: AbortSignal,
): Promise<Outcome> {
  try {
    return await verify(input, code, signal)
  } catch (error) {
    signal.throwIfAborted()
    throw problemOf(error) ?? error
  }
}

function compiledEvent(
  { contract }: Outcome,
  named: Named,
  at: string,
  milliseconds: number,
): readonly VerificationEvent[] {
  if (contract === null) return []
  const { compilerVersion: compiler_version, compilerSha256: compiler_sha256 } = contract
  return [{ type: 'CompilationSucceeded', data: { ...named, at, compiler_version, compiler_sha256, milliseconds } }]
}

interface Matched {
  readonly outcome: Match
  readonly input: VerificationInput
  readonly contract: FoundContract
  readonly request: OpenRequest
}

async function storeMatch(
  contents: ContentStore,
  { outcome, input, contract, request }: Matched,
  named: Named & { readonly at: string },
): Promise<VerifiedContract> {
  const { contract: compiled } = outcome
  const { metadata, sources: used, abi, settings, userdoc, devdoc, storageLayout, warnings } = compiled
  const { runtimeCode, creationCode } = compiled
  const artifacts = JSON.stringify({
    abi,
    settings,
    userdoc,
    devdoc,
    storageLayout,
    warnings,
    runtimeCode,
    creationCode,
  })
  const texts = new Map(used.flatMap((label) => (input.sources.has(label) ? [[label, input.sources.get(label)!]] : [])))
  await contents.put([artifacts, ...(metadata === undefined ? [] : [metadata]), ...texts.values()])
  const runtime = Buffer.from(contract.code.runtime ?? [])
  return {
    ...named,
    address: contract.address,
    match: outcome.status,
    runtime_match: outcome.runtimeMatch,
    creation_match: outcome.creationMatch,
    created_by: outcome.createdBy,
    name: compiled.name,
    path: compiled.path,
    language: input.language,
    compiler_version: compiled.compilerVersion,
    compiler_sha256: compiled.compilerSha256,
    metadata: metadata === undefined ? null : contentHashOf(metadata),
    artifacts: contentHashOf(artifacts),
    sources: Object.fromEntries([...texts].map(([label, text]) => [label, contentHashOf(text)])),
    unused: [...input.sources.keys()].filter((label) => !texts.has(label)),
    libraries: outcome.libraries.map(({ name, placeholder, address }) => ({ name, placeholder, address })),
    immutables: { ...outcome.immutables },
    call_protection: outcome.callProtection,
    constructor_arguments: outcome.constructorArguments,
    varying: outcome.varying.map(({ start, length }) => ({ start, length })),
    masked_hash: outcome.maskedHash,
    code_hash: runtime.length === 0 ? null : contentHashOf(runtime.toString('hex')),
    code_length: runtime.length,
    implementation: request.implementation,
    code_as_of: contract.asOf,
  }
}

export function noMatch({ code, message, difference, compilerErrors }: NoMatch): VerificationProblem {
  const text = code === 'compiler_error' ? `Compiler error: ${JSON.stringify(compilerErrors)}` : message
  return new VerificationProblem(code, text, { ...(difference && { difference }) })
}

const told: Readonly<Record<string, VerificationProblemCode>> = {
  compiler_missing: 'compiler_missing',
  compiler_damaged: 'compiler_damaged',
  compilation_limit: 'compilation_limit',
  compilation_failed: 'compilation_failed',
  overloaded: 'overloaded',
}

/** What a request ends with; undefined for what ends it not, such as a store that is away. */
function problemOf(error: unknown): VerificationProblem | undefined {
  if (isVerificationProblem(error)) return error
  if (!isLedgerError(error)) return undefined
  const code = told[error.code]
  return code && new VerificationProblem(code, error.message, {}, error)
}

export function failureOf({ code, message, details }: VerificationProblem) {
  const isSaid = Object.keys(details).length > 0
  return { code, message, details: isSaid ? JSON.stringify(details) : null }
}

/** The problem that a request ended with, as it was. */
export function problemFrom(failed: { code: string; message: string; details: string | null }): VerificationProblem {
  const details = failed.details === null ? {} : (JSON.parse(failed.details) as Readonly<Record<string, unknown>>)
  return new VerificationProblem(isProblemCode(failed.code) ? failed.code : 'internal', failed.message, details)
}
