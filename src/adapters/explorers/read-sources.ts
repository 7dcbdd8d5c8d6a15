import { VerificationProblem } from '#src/domain/verification/problem.ts'
import type { PublishedSources } from '#src/ports/source-explorer.ts'

type Fields = Readonly<Record<string, unknown>>

const versionForm = /^v?(\d+\.\d+\.\d+(?:-nightly\.\d{4}\.\d{1,2}\.\d{1,2})?\+commit\.[0-9a-f]{8})$/
const addressForm = /^(?:0x)?([0-9a-fA-F]{40})$/
const toldMax = 100

/** The sources in the fields that explorers of this kind and their look-alikes have. */
export function explorerSources(fields: Fields, explorer: string): PublishedSources {
  const version = textOf(fields['CompilerVersion'])
  if (/^vyper/i.test(version) || /^vyper/i.test(textOf(fields['CompilerType']))) throw notSupported('Vyper')
  const [, compilerVersion] = versionForm.exec(version) ?? []
  if (compilerVersion === undefined)
    throw malformed(explorer, `${JSON.stringify(version.slice(0, toldMax))} is no compiler version`)
  const name = textOf(fields['ContractName'])
  if (name === '') throw malformed(explorer, 'it names no contract')
  const code = textOf(fields['SourceCode'])
  const named = textOf(fields['ContractFileName']) || textOf(fields['FileName'])
  const facts = {
    language: 'Solidity',
    compilerVersion,
    libraries: librariesOf(fields),
    implementation: implementationOf(fields),
  } as const
  if (code.trimStart().startsWith('{{')) {
    const { sources, settings } = standardJson(code.trim(), explorer)
    return { form: 'standard-json', ...facts, target: targetIn(sources, named, name), sources, settings }
  }
  const sources = filesOf(code, { named, name, fields, explorer })
  const isSingle = !isFileMap(code) && sources.size === 1
  return {
    form: isSingle ? 'single-file' : 'multi-file',
    ...facts,
    target: targetIn(sources, named, name),
    sources,
    settings: settingsOf(fields),
  }
}

function targetIn(sources: ReadonlyMap<string, string>, named: string, name: string): PublishedSources['target'] {
  const [only] = sources.size === 1 ? sources.keys() : []
  return { path: sources.has(named) ? named : only, name }
}

interface FileFacts {
  readonly named: string
  readonly name: string
  readonly fields: Fields
  readonly explorer: string
}

function filesOf(code: string, { named, name, fields, explorer }: FileFacts): ReadonlyMap<string, string> {
  if (isFileMap(code)) return contentsOf(JSON.parse(code), explorer)
  const files = new Map([[named || `${name}.sol`, code]])
  const more = fields['AdditionalSources']
  for (const each of Array.isArray(more) ? more : []) {
    const { Filename: path, SourceCode: text } = (each ?? {}) as Fields
    if (typeof path !== 'string' || typeof text !== 'string') throw malformed(explorer, 'a further source has no text')
    files.set(path, text)
  }
  return files
}

/** Solidity does not begin so: a text that parses is a list of files. */
function isFileMap(code: string): boolean {
  if (!code.trimStart().startsWith('{')) return false
  try {
    JSON.parse(code)
    return true
  } catch {
    return false
  }
}

function standardJson(code: string, explorer: string) {
  let input: unknown
  try {
    input = JSON.parse(code.slice(1, -1))
  } catch (error) {
    throw malformed(explorer, 'its compiler input is no JSON', error)
  }
  const { language = 'Solidity', sources, settings = {} } = (input ?? {}) as Fields
  if (language !== 'Solidity') throw notSupported(String(language).slice(0, toldMax))
  if (typeof settings !== 'object' || settings === null) throw malformed(explorer, 'its settings are no object')
  // What the compiler is to tell is for the verifier to say.
  const { outputSelection: _selection, ...kept } = settings as Fields
  return { sources: contentsOf(sources, explorer), settings: kept }
}

/** Nothing is fetched for a source: what has no text is refused. */
function contentsOf(files: unknown, explorer: string): ReadonlyMap<string, string> {
  if (typeof files !== 'object' || files === null) throw malformed(explorer, 'it has no sources')
  const contents = new Map<string, string>()
  for (const [path, file] of Object.entries(files)) {
    const content: unknown = (file as Fields | null)?.['content']
    if (typeof content !== 'string')
      throw malformed(explorer, `the source ${JSON.stringify(path.slice(0, toldMax))} has no content`)
    contents.set(path, content)
  }
  if (contents.size === 0) throw malformed(explorer, 'it has no sources')
  return contents
}

function settingsOf(fields: Fields): Fields {
  const runs = Number(fields['Runs'] ?? fields['OptimizationRuns'] ?? 200)
  const used = textOf(fields['OptimizationUsed'])
  const enabled = used === '1' || used.toLowerCase() === 'true'
  const evmVersion = textOf(fields['EVMVersion'])
  return {
    optimizer: { enabled, runs: Number.isSafeInteger(runs) && runs >= 0 ? runs : 200 },
    ...(evmVersion !== '' && evmVersion.toLowerCase() !== 'default' && { evmVersion: evmVersion.toLowerCase() }),
  }
}

function librariesOf(fields: Fields): ReadonlyMap<string, string> {
  const libraries = new Map<string, string>()
  for (const entry of textOf(fields['Library'] ?? fields['ExternalLibraries']).split(';')) {
    const at = entry.lastIndexOf(':')
    const [, address] = addressForm.exec(entry.slice(at + 1).trim()) ?? []
    // A name may have its file before it.
    const name = entry.slice(0, at).split(':').at(-1)?.trim()
    if (at > 0 && name && address !== undefined) libraries.set(name, `0x${address.toLowerCase()}`)
  }
  return libraries
}

function implementationOf(fields: Fields): string | undefined {
  const isProxy = ['1', 'true'].includes(textOf(fields['Proxy'] ?? fields['IsProxy']).toLowerCase())
  const [, address] = addressForm.exec(textOf(fields['Implementation'] ?? fields['ImplementationAddress'])) ?? []
  return isProxy && address !== undefined ? `0x${address.toLowerCase()}` : undefined
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function malformed(explorer: string, what: string, cause?: unknown): VerificationProblem {
  return new VerificationProblem(
    'explorer_malformed_answer',
    `The answer of the explorer ${explorer} makes no compiler input: ${what}`,
    {},
    cause,
  )
}

function notSupported(language: string): VerificationProblem {
  const message = `The language ${language} is not supported; contracts in Solidity can be verified`
  return new VerificationProblem('language_not_supported', message)
}
