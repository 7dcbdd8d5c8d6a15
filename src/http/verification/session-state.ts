import { keccak256 } from '#src/domain/keccak.ts'
import { type SessionContract, verificationIdOf } from '#src/http/verification/documents.ts'
import { type GivenFile, type GivenMetadata, metadataOf } from '#src/http/verification/given-files.ts'
import { type ContentHash, contentHashOf } from '#src/ports/content-store.ts'

/** A file that a page sent; its text lies beside the session. */
export interface SessionFile {
  readonly name: string
  readonly hash: ContentHash
  /** By which metadata names it. */
  readonly keccak: string
}

/** What a contract of the session is to be compiled from. */
export interface SessionSources {
  readonly metadata: ContentHash
  /** Label and Keccak-256 of each source; null where the metadata itself has the text. */
  readonly sources: readonly (readonly [label: string, keccak: string | null])[]
}

/** What a session has found, and what it was given. */
export interface SessionState {
  readonly contracts: readonly SessionContract[]
  /** Labels of an explorer's sources that no contract uses. */
  readonly unused: readonly string[]
  readonly files: readonly SessionFile[]
  /** By verification id: contracts of the given files. */
  readonly given: Readonly<Record<string, SessionSources>>
}

export const emptySession: SessionState = { contracts: [], unused: [], files: [], given: {} }

/** The session with more files, of which each is there once whatever it is called; and the texts that are new. */
export function withFiles(
  session: SessionState,
  added: readonly GivenFile[],
): { readonly state: SessionState; readonly texts: ReadonlyMap<ContentHash, string> } {
  const known = new Set(session.files.map(({ hash }) => hash))
  const texts = new Map<ContentHash, string>()
  const files = [...session.files]
  const given: Record<string, SessionSources> = { ...session.given }
  const found = new Map(session.contracts.map((contract) => [contract.verificationId, contract]))
  for (const file of added) {
    const hash = contentHashOf(file.content)
    if (known.has(hash) || texts.has(hash)) continue
    texts.set(hash, file.content)
    files.push({ name: file.name, hash, keccak: keccakOf(file.content) })
    const metadata = metadataOf(file)
    if (metadata === undefined) continue
    const id = verificationIdOf(hash)
    given[id] = { metadata: hash, sources: sourcesOf(metadata) }
    found.set(id, found.get(id) ?? untried(id, metadata))
  }
  const here = new Set(files.map(({ keccak }) => keccak))
  const contracts = [...found.values()].map((contract) => withSources(contract, given[contract.verificationId], here))
  return { state: { ...session, files, given, contracts }, texts }
}

function untried(verificationId: string, { document, target }: GivenMetadata): SessionContract {
  const { version } = document['compiler'] as { readonly version?: unknown }
  const compilerVersion = typeof version === 'string' ? version : ''
  const files = { found: [], missing: [] }
  return { verificationId, compiledPath: target.path, name: target.name, compilerVersion, files, status: 'error' }
}

function sourcesOf({ document }: GivenMetadata): SessionSources['sources'] {
  const sources = document['sources']
  if (typeof sources !== 'object' || sources === null) return []
  return Object.entries(sources).map(([label, source]) => {
    const { content, keccak256: hash } = (source ?? {}) as { readonly content?: unknown; readonly keccak256?: unknown }
    return [label, typeof content === 'string' ? null : String(hash).toLowerCase()] as const
  })
}

function withSources(
  contract: SessionContract,
  given: SessionSources | undefined,
  here: ReadonlySet<string>,
): SessionContract {
  if (given === undefined) return contract
  const isHere = ([, keccak]: SessionSources['sources'][number]) => keccak === null || here.has(keccak)
  const labelsOf = (sources: SessionSources['sources']) => sources.map(([label]) => label)
  const found = labelsOf(given.sources.filter(isHere))
  const missing = labelsOf(given.sources.filter((source) => !isHere(source)))
  return { ...contract, files: { found, missing } }
}

/** As pages know it. */
export function sessionDocument({ contracts, unused, files, given }: SessionState) {
  const all = Object.values(given)
  const used = new Set(all.flatMap(({ metadata, sources }) => [metadata, ...sources.map(([, keccak]) => keccak)]))
  const idle = files.filter(({ hash, keccak }) => !used.has(hash) && !used.has(keccak)).map(({ name }) => name)
  return { contracts, unused: [...new Set([...unused, ...idle])] }
}

/** The names of all files of a session. */
export function filesOf(session: SessionState): string[] {
  const { contracts, unused, files } = session
  const fetched = contracts.filter(({ verificationId }) => session.given[verificationId] === undefined)
  return [...new Set([...files.map(({ name }) => name), ...fetched.flatMap((each) => each.files.found), ...unused])]
}

function keccakOf(text: string): string {
  return `0x${keccak256(Buffer.from(text)).toString('hex')}`
}
