import { keccak256 } from '#src/domain/keccak.ts'
import { VerificationProblem } from '#src/domain/verification/problem.ts'
import type { Json, Target, VerificationInput } from '#src/verification/verification-input.ts'

type Fields = Readonly<Record<string, unknown>>
type Settings = { readonly [key: string]: Json }

const toldMax = 200

/** `path:Name`, or the name alone. */
export function readTarget(text: string): Target {
  const at = text.lastIndexOf(':')
  return at === -1 ? { name: text, path: undefined } : { name: text.slice(at + 1), path: text.slice(0, at) }
}

/** A compiler's input as its caller has it. Nothing is fetched: every source has its text. */
export function inputOfStandardJson(
  given: unknown,
  { compilerVersion, target }: Pick<VerificationInput, 'compilerVersion' | 'target'>,
): VerificationInput {
  const { language = 'Solidity', sources, settings = {} } = fieldsOf(given, 'The compiler input')
  assertLanguage(language)
  const { outputSelection: _selection, ...kept } = fieldsOf(settings, 'The settings of the compiler input')
  const texts = Object.entries(fieldsOf(sources, 'The sources of the compiler input')).map(([label, file]) => {
    const content = fieldsOf(file, `The source ${quoted(label)}`)['content']
    if (typeof content !== 'string') throw invalid(`The source ${quoted(label)} has no content`)
    return [label, content] as const
  })
  if (texts.length === 0) throw invalid('The compiler input has no sources')
  // It was parsed from JSON.
  const own = kept as Settings
  return { language, compilerVersion, target, sources: new Map(texts), settings: own, libraries: [] }
}

/** What a metadata document says was compiled, with the texts that its caller has: found by their hash, whatever they are called. */
export function inputOfMetadata(metadata: unknown, files: ReadonlyMap<string, string>): VerificationInput {
  const { compiler, language = 'Solidity', settings, sources } = fieldsOf(metadata, 'The metadata')
  assertLanguage(language)
  const version = fieldsOf(compiler, 'The compiler of the metadata')['version']
  if (typeof version !== 'string') throw invalid('The metadata names no version of a compiler')
  const given = fieldsOf(settings, 'The settings of the metadata')
  const { compilationTarget, libraries, ...kept } = given
  const [[path, name] = []] = Object.entries(fieldsOf(compilationTarget, 'The target of the metadata'))
  if (path === undefined || typeof name !== 'string') throw invalid('The metadata names no contract')
  return {
    language,
    compilerVersion: version,
    target: { name, path },
    sources: textsOf(fieldsOf(sources, 'The sources of the metadata'), files),
    settings: { ...(kept as Settings), ...(libraries !== undefined && { libraries: linked(libraries) }) },
    libraries: [],
  }
}

function textsOf(sources: Fields, files: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const byHash = new Map([...files.values()].map((text) => [hashOf(text), text]))
  const missing: string[] = []
  const texts = new Map<string, string>()
  for (const [label, source] of Object.entries(sources)) {
    const { keccak256: hash, content } = fieldsOf(source, `The source ${quoted(label)} of the metadata`)
    const text = typeof content === 'string' ? content : byHash.get(String(hash).toLowerCase())
    if (text === undefined) missing.push(label)
    else texts.set(label, text)
  }
  if (missing.length === 0) return texts
  throw invalid(
    `Of the sources that the metadata names, none of these is here with its hash: ${missing.map(quoted).join(', ')}`,
  )
}

function hashOf(text: string): string {
  return `0x${keccak256(Buffer.from(text)).toString('hex')}`
}

/** `path:Name` and its address in one object, as metadata has it; by path and name in the compiler's input. */
function linked(libraries: unknown): Json {
  const byPath = new Map<string, Map<string, string>>()
  for (const [full, address] of Object.entries(fieldsOf(libraries, 'The libraries of the metadata'))) {
    const { name, path = '' } = readTarget(full)
    const names = byPath.get(path) ?? new Map<string, string>()
    byPath.set(path, names.set(name, String(address)))
  }
  return Object.fromEntries([...byPath].map(([path, names]) => [path, Object.fromEntries(names)]))
}

function assertLanguage(language: unknown): asserts language is VerificationInput['language'] {
  if (language === 'Solidity' || language === 'Yul') return
  const message = `The language ${quoted(String(language))} is not supported; contracts in Solidity and Yul can be verified`
  throw new VerificationProblem('language_not_supported', message)
}

export function fieldsOf(value: unknown, what: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields
  throw invalid(`${what} must be an object`)
}

export function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw invalid(`${what} is no JSON (${(error as Error).message})`)
  }
}

function invalid(message: string): VerificationProblem {
  return new VerificationProblem('invalid_input', message)
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, toldMax))
}
