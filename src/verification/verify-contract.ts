import { asBuffer } from '#src/domain/bytes.ts'
import type { Compile, Compiler, Compilers } from '#src/ports/compilers.ts'
import type { ChainCode } from '#src/verification/chain-code.ts'
import type { CompiledCode } from '#src/verification/compiled-code.ts'
import { type CompiledTarget, readTarget } from '#src/verification/compiled-target.ts'
import { diagnose, isOptimized } from '#src/verification/diagnosis.ts'
import type { JsonObject } from '#src/verification/json.ts'
import { maskedHash } from '#src/verification/masked-hash.ts'
import { type CreationMatch, matchCreation, rankOf } from '#src/verification/match-creation.ts'
import { matchRuntime, type RuntimeMatch } from '#src/verification/match-runtime.ts'
import { noMatch } from '#src/verification/no-match.ts'
import type { Match, Outcome } from '#src/verification/outcome.ts'
import { settingsOf, standardJson, withLibraries, withoutLibraries } from '#src/verification/standard-json.ts'
import { trailersAtEnd, trailersByEdit } from '#src/verification/trailers.ts'
import type { VerificationInput } from '#src/verification/verification-input.ts'

/**
 * Compiles the input and compares it with the code. Whatever is wrong with the input is an outcome. Rejects with what `Compilers.use`
 * rejects with: `compiler_missing`, `compiler_damaged`, `overloaded`, `compilation_limit`, `compilation_failed`, or the signal's reason.
 */
export type VerifyContract = (
  input: VerificationInput,
  code: ChainCode,
  compilers: Compilers,
  signal: AbortSignal,
) => Promise<Outcome>

const versionPattern = /^\d+\.\d+\.\d+(-nightly\.\d{4}\.\d{1,2}\.\d{1,2})?(\+commit\.[0-9a-f]{8})?$/

export const verifyContract: VerifyContract = async (input, code, compilers, signal) => {
  const stored = { ...code, runtime: code.runtime?.length ? code.runtime : undefined }
  if (stored.runtime === undefined && stored.creations.every(({ kind }) => kind === 'within-factory'))
    return noMatch('contract_not_deployed', 'No code of this contract is known')
  const version = input.compilerVersion.replace(/^v/, '')
  if (!versionPattern.test(version)) {
    const message = `${JSON.stringify(input.compilerVersion.slice(0, 100))} is no version of a compiler; they are called as 0.8.30+commit.73712a01`
    return noMatch('invalid_compiler_version', message)
  }
  const work = (compile: Compile, compiler: Compiler) => verifyWith(input, stored, compile, compiler)
  return compilers.use(version, work, signal)
}

/**
 * As the input says first. Then with the libraries that were named beside it, or without those that it names itself, which build tools add
 * for the verifier: the compiler may have known them, or not, and the metadata tell.
 */
async function verifyWith(
  input: VerificationInput,
  code: ChainCode,
  compile: Compile,
  compiler: Compiler,
): Promise<Outcome> {
  const settings = settingsOf(input)
  const first = await attempt(input, settings, code, compile, compiler)
  const other = first.status === 'perfect' ? undefined : otherSettings(input, settings, first)
  if (other === undefined) return first.outcome
  const second = await attempt(input, other, code, compile, compiler)
  return rankOf(second.status) > rankOf(first.status) ? second.outcome : first.outcome
}

function otherSettings(input: VerificationInput, settings: JsonObject, { status, called }: Attempt) {
  const linked = withLibraries(settings, called, input)
  return linked ?? (status === 'partial' ? withoutLibraries(settings) : undefined)
}

interface Attempt {
  readonly outcome: Outcome
  readonly status: Outcome['status']
  /** Names of the libraries that the code calls. */
  readonly called: readonly string[]
}

async function attempt(
  input: VerificationInput,
  settings: JsonObject,
  code: ChainCode,
  compile: Compile,
  compiler: Compiler,
): Promise<Attempt> {
  const read = async (isEdited: boolean) =>
    readTarget(await compile(standardJson(input, settings, isEdited)), input, settings, compiler)
  const target = await read(false)
  if ('status' in target) return { outcome: target, status: null, called: [] }
  const texts = target.trailers
  let edited: Promise<CompiledTarget | undefined> | undefined
  const findTrailers = async (part: 'runtime' | 'creation') => {
    const own: CompiledCode = target[part]
    const atEnd = trailersAtEnd(own, texts)
    if (atEnd !== undefined) return { texts, ranges: atEnd }
    edited ??= read(true).then((made) => ('status' in made ? undefined : made))
    const other = await edited
    return { texts, ranges: (other && trailersByEdit(own, other[part], texts)) ?? [] }
  }
  const { runtime: stored, creations } = code
  const runtime =
    stored &&
    matchRuntime(target.runtime, await findTrailers('runtime'), asBuffer(stored), isOptimized(target.contract.settings))
  const creation =
    creations.length === 0
      ? undefined
      : matchCreation(
          target.creation,
          await findTrailers('creation'),
          target.contract.abi,
          creations,
          runtime?.match ?? null,
        )
  const outcome = outcomeOf(target, runtime, creation, stored && asBuffer(stored))
  return { outcome, status: outcome.status, called: calledBy(target) }
}

function calledBy({ runtime, creation }: CompiledTarget): string[] {
  return [...new Set([...runtime.links, ...creation.links].map(({ name }) => name))]
}

function outcomeOf(
  { contract }: CompiledTarget,
  runtime: RuntimeMatch | undefined,
  creation: CreationMatch | undefined,
  stored: Buffer | undefined,
): Outcome {
  const runtimeMatch = runtime?.match ?? null
  const creationMatch = creation?.match ?? null
  const status = rankOf(creationMatch) > rankOf(runtimeMatch) ? creationMatch : runtimeMatch
  // Runtime code of another length, or other code with the same metadata, is not this contract's, whatever it was created with.
  if (status === null || (runtime?.sign ?? null) !== null) return diagnose(contract, runtime, creation, stored)
  const libraries = (creationMatch === null ? runtime : creation)?.libraries ?? []
  const rest = creationMatch === null ? null : (creation?.constructorArguments ?? null)
  return {
    status,
    runtimeMatch,
    creationMatch,
    createdBy: creationMatch === null ? null : (creation?.kind ?? null),
    contract,
    libraries,
    libraryMap: Object.fromEntries(libraries.map(({ placeholder, address }) => [placeholder, address])),
    constructorArguments: rest === null || rest.length === 0 ? null : `0x${rest.toString('hex')}`,
    ...ofRuntime(runtime, stored),
  }
}

/** What only a runtime match tells. */
function ofRuntime(
  runtime: RuntimeMatch | undefined,
  stored: Buffer | undefined,
): Pick<Match, 'immutables' | 'callProtection' | 'varying' | 'maskedHash'> {
  if (!runtime?.match || stored === undefined)
    return { immutables: {}, callProtection: null, varying: [], maskedHash: null }
  const { immutables, callProtection, varying } = runtime
  return {
    immutables: Object.fromEntries([...immutables].map(([id, value]) => [id, `0x${value.toString('hex')}`])),
    callProtection: callProtection && `0x${callProtection.toString('hex')}`,
    varying,
    maskedHash: maskedHash(stored, varying),
  }
}
