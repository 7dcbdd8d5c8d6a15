import { VerificationProblem } from '#src/domain/verification/problem.ts'
import { fieldsOf, readTarget } from '#src/http/verification/caller-inputs.ts'

/** A file that a caller sends along. Its name is a label, never a path. */
export interface GivenFile {
  readonly name: string
  readonly content: string
}

type Fields = Readonly<Record<string, unknown>>

/** Most files of a request, those counted that an artifact holds. */
const filesMax = 10_000

/** `files` of a body: contents by name. What a build tool writes stands for the metadata and the sources that it holds. */
export function readFiles(given: unknown): GivenFile[] {
  const files = Object.entries(fieldsOf(given, 'files')).flatMap(([name, content]) => {
    return expanded({ name, content: typeof content === 'string' ? content : JSON.stringify(content) })
  })
  if (files.length <= filesMax) return files
  throw new VerificationProblem('invalid_input', `There are ${files.length} files, and ${filesMax} are allowed`)
}

/** What the file holds where it is input or output of a compiler, or both; else the file itself. */
function expanded(file: GivenFile): GivenFile[] {
  const document = objectIn(file.content)
  if (document === undefined || isMetadata(document)) return [file]
  const input = asFields(document['input']) ?? document
  const output = asFields(document['output']) ?? document
  const held = [...sourcesIn(input), ...metadataIn(output)]
  return held.length === 0 ? [file] : held
}

function sourcesIn(input: Fields): GivenFile[] {
  return Object.entries(asFields(input['sources']) ?? {}).flatMap(([name, source]) => {
    const content = asFields(source)?.['content']
    return typeof content === 'string' ? [{ name, content }] : []
  })
}

function metadataIn(output: Fields): GivenFile[] {
  return Object.entries(asFields(output['contracts']) ?? {}).flatMap(([path, contracts]) =>
    Object.entries(asFields(contracts) ?? {}).flatMap(([name, contract]) => {
      const content = asFields(contract)?.['metadata']
      return typeof content === 'string' && content !== '' ? [{ name: `${path}:${name}/metadata.json`, content }] : []
    }),
  )
}

/** A metadata document among files, and the contract that it is of. */
export interface GivenMetadata {
  readonly file: GivenFile
  readonly document: Fields
  readonly target: { readonly name: string; readonly path: string }
}

export function metadataOf(file: GivenFile): GivenMetadata | undefined {
  const document = objectIn(file.content)
  if (document === undefined || !isMetadata(document)) return undefined
  const [[path, name] = []] = Object.entries(asFields(asFields(document['settings'])?.['compilationTarget']) ?? {})
  if (path === undefined || typeof name !== 'string') return undefined
  return { file, document, target: { name, path } }
}

/** The one that a body means: by its number or its name where there are several. Throws a problem where that is not said. */
export function chosenOf(all: readonly GivenMetadata[], chosen: unknown): GivenMetadata {
  const [only] = all
  if (only === undefined) throw invalid('Metadata file not found. Did you include "metadata.json"?')
  if (chosen === undefined && all.length === 1) return only
  const found = all[Number(chosen ?? Number.NaN)] ?? byName(all, chosen)
  if (found !== undefined) return found
  const names = all.map(({ target }) => target)
  const told = `Detected ${all.length} contracts; say which with chosenContract, 0 to ${all.length - 1}`
  throw new VerificationProblem('invalid_input', told, { contractsToChoose: names.slice(0, 100) })
}

function byName(all: readonly GivenMetadata[], chosen: unknown): GivenMetadata | undefined {
  if (typeof chosen !== 'string') return undefined
  const { name, path } = readTarget(chosen)
  const found = all.filter(({ target }) => target.name === name && (path === undefined || target.path === path))
  return found.length === 1 ? found[0] : undefined
}

function isMetadata(document: Fields): boolean {
  return asFields(document['compiler']) !== undefined && asFields(document['settings']) !== undefined
}

function objectIn(content: string): Fields | undefined {
  if (!content.trimStart().startsWith('{')) return undefined
  try {
    return asFields(JSON.parse(content))
  } catch {
    // Sources begin so, too, now and then.
    return undefined
  }
}

function asFields(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
}

function invalid(message: string): VerificationProblem {
  return new VerificationProblem('invalid_input', message)
}
