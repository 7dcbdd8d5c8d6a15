import type { Compiler } from '#src/ports/compilers.ts'
import { type CompiledCode, readCompiledCode } from '#src/verification/compiled-code.ts'
import { entriesAt, isObject, type JsonObject, listAt, parseJson, textAt, valueAt } from '#src/verification/json.ts'
import { noMatch } from '#src/verification/no-match.ts'
import type { CompiledContract, NoMatch } from '#src/verification/outcome.ts'
import type { Json, Target, VerificationInput } from '#src/verification/verification-input.ts'

/** What a compiler made of the contract that is meant. */
export interface CompiledTarget {
  readonly contract: CompiledContract
  readonly runtime: CompiledCode
  readonly creation: CompiledCode
  /** Metadata trailers of its own code and of that of contracts that it creates, in the compiler's order. */
  readonly trailers: readonly Buffer[]
}

/** The target in the output of a compilation, or why there is none. */
export function readTarget(
  outputText: string,
  input: VerificationInput,
  settings: JsonObject,
  compiler: Compiler,
): CompiledTarget | NoMatch {
  const output = parseJson(outputText)
  if (!isObject(output))
    return noMatch('no_compiler_output', `Compiler ${compiler.longVersion} answered no JSON object`)
  const errors = messagesOf(output, 'error')
  if (errors.length > 0) return noMatch('compiler_error', 'The source does not compile', { compilerErrors: errors })
  const found = findTarget(output, input.target)
  if ('status' in found) return found
  const contract = readContract(output, found, input, settings, compiler)
  const evm = valueAt(found.output, 'evm')
  const creation = readCompiledCode(valueAt(evm, 'bytecode'))
  const runtime = readCompiledCode(valueAt(evm, 'deployedBytecode'))
  if (creation === undefined || runtime === undefined) {
    const message = `The code that compiler ${compiler.longVersion} made of ${found.path}:${found.name} has places that cannot be filled`
    return noMatch('no_compiler_output', message, { contract })
  }
  if (creation.bytes.length === 0 || runtime.bytes.length === 0) {
    const message = `${found.path}:${found.name} is an abstract contract or an interface: nothing of it can be on the ledger`
    return noMatch('compiled_bytecode_is_zero', message, { contract })
  }
  return { contract, creation, runtime, trailers: trailersIn(valueAt(evm, 'legacyAssembly')) }
}

interface Found {
  readonly path: string
  readonly name: string
  readonly output: unknown
}

function findTarget(output: Json, { name, path }: Target): Found | NoMatch {
  const all = entriesAt(output, 'contracts')
  const found = all.flatMap(([each, contracts]) => {
    const made = path === undefined || path === each ? valueAt(contracts, name) : undefined
    return made === undefined ? [] : [{ path: each, name, output: made }]
  })
  const [first] = found
  if (first === undefined) {
    const names = all.flatMap(([each, contracts]) => entriesAt(contracts).map(([other]) => `${each}:${other}`))
    const message = `There is no contract ${path === undefined ? name : `${path}:${name}`} in what was compiled, which has ${shortList(names) || 'none'}`
    return noMatch('contract_not_found_in_compiler_output', message)
  }
  if (found.length === 1) return first
  const message = `Several sources declare a contract ${name}: ${shortList(found.map((each) => each.path))}; name the one that is meant`
  return noMatch('contract_ambiguous', message)
}

function readContract(
  output: Json,
  { path, name, output: made }: Found,
  { sources }: VerificationInput,
  settings: JsonObject,
  { longVersion, sha256 }: Compiler,
): CompiledContract {
  const metadata = textAt(made, 'metadata')
  const named = metadata ? entriesAt(parseJson(metadata), 'sources').map(([label]) => label) : []
  return {
    path,
    name,
    compilerVersion: longVersion,
    compilerSha256: sha256,
    metadata: metadata || undefined,
    abi: listAt(made, 'abi') as readonly Json[],
    sources: named.length > 0 ? named.filter((label) => sources.has(label)) : [...sources.keys()],
    settings,
    userdoc: (valueAt(made, 'userdoc') ?? null) as Json,
    devdoc: (valueAt(made, 'devdoc') ?? null) as Json,
    storageLayout: (valueAt(made, 'storageLayout') ?? null) as Json,
    creationCode: textAt(made, 'evm', 'bytecode', 'object') ?? '',
    runtimeCode: textAt(made, 'evm', 'deployedBytecode', 'object') ?? '',
    warnings: messagesOf(output, 'warning'),
  }
}

function messagesOf(output: Json, severity: string): string[] {
  return listAt(output, 'errors')
    .filter((each) => valueAt(each, 'severity') === severity)
    .map((each) => textAt(each, 'formattedMessage') ?? textAt(each, 'message') ?? '')
}

/** The assembly's, and those of the assemblies in its data. */
function trailersIn(assembly: unknown): Buffer[] {
  const own = textAt(assembly, '.auxdata')
  const inner = entriesAt(assembly, '.data').flatMap(([, data]) => trailersIn(data))
  return own ? [Buffer.from(own, 'hex'), ...inner] : inner
}

const shownMax = 20

function shortList(names: readonly string[]): string {
  const more = names.length - shownMax
  return names.slice(0, shownMax).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
