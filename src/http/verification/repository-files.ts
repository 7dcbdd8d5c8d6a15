import type { Verified } from '#queries/verification/find-verified.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { checksumAddress } from '#src/domain/verification/checksum-address.ts'
import { storedPaths } from '#src/domain/verification/stored-path.ts'
import type { ContentHash, ContentStore } from '#src/ports/content-store.ts'

export interface RepositoryFile {
  readonly name: string
  /** Below the repository: `contracts/full_match/<chain>/<address>/…`. */
  readonly path: string
  readonly content: string
}

export const matchFolders = { perfect: 'full_match', partial: 'partial_match' } as const

/** The files of a verified contract, in the layout that everybody's tools know. */
export async function repositoryFiles(
  contents: Pick<ContentStore, 'get'>,
  verified: Verified,
): Promise<RepositoryFile[]> {
  const { facts } = verified
  const { metadata, sources } = facts
  const texts = await getTexts(contents, [...(metadata === null ? [] : [metadata]), ...Object.values(sources)])
  const base = folderOf(verified)
  const file = (path: string, content: string): RepositoryFile => {
    return { name: path.slice(path.lastIndexOf('/') + 1), path: `${base}/${path}`, content }
  }
  const paths = storedPaths(Object.keys(sources))
  return [
    ...(metadata === null ? [] : [file('metadata.json', texts.get(metadata)!)]),
    ...[...paths].map(([label, path]) => file(`sources/${path}`, texts.get(sources[label]!)!)),
    ...factFiles(verified, paths).map(([path, content]) => file(path, content)),
  ]
}

function factFiles({ facts }: Verified, paths: ReadonlyMap<string, string>): [string, string][] {
  const { constructor_arguments, libraries, immutables } = facts
  const moved = [...paths].filter(([label, path]) => label !== path)
  const files: [string, string][] = []
  if (constructor_arguments !== null) files.push(['constructor-args.txt', constructor_arguments])
  if (libraries.length > 0) {
    const map = Object.fromEntries(libraries.map(({ placeholder, address }) => [placeholder, address]))
    files.push(['library-map.json', JSON.stringify(map)])
  }
  if (Object.keys(immutables).length > 0) files.push(['immutable-values.json', JSON.stringify(immutables)])
  if (moved.length > 0) files.push(['path-translation.json', JSON.stringify(Object.fromEntries(moved))])
  return files
}

function folderOf({ chain, address, match }: Verified): string {
  const folder = match === 'perfect' ? matchFolders.perfect : matchFolders.partial
  return `contracts/${folder}/${chain}/${checksumAddress(address)}`
}

/** Throws `decisions_damaged` where one is gone. */
export async function getTexts(
  contents: Pick<ContentStore, 'get'>,
  hashes: readonly ContentHash[],
): Promise<ReadonlyMap<ContentHash, string>> {
  const texts = await contents.get([...new Set(hashes)])
  const gone = hashes.find((hash) => !texts.has(hash))
  if (gone === undefined) return texts
  const message = `The text ${gone} of a verified contract is not there; restore the content store, or verify the contract again`
  throw new LedgerError('decisions_damaged', message, { hash: gone })
}
