import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { networkOfBucket } from '#src/cli/public-networks.ts'
import type { Config } from '#src/config/schema.ts'
import { type ErrorCode, LedgerError } from '#src/domain/errors.ts'

type NamingConfig = Pick<Config, 'network' | 'source' | 'blocks'>

/**
 * The network that a source carries: the configured name, else `simulated`, the network of a known bucket, the folder
 * `<network>/<shard>/<node id>` of the node id layout or `<network>/block` of blocks, or the name of the source folder or bucket itself. Throws
 * `config_invalid` where the source is a folder that is not there, `source_unavailable` where it cannot be read: what it is called says nothing then.
 */
export function networkNameOf(config: NamingConfig): string {
  const name = findNetworkName(config)
  if (name !== undefined) return name
  throw new LedgerError('config_invalid', 'Blocks do not tell which network they are of; name it with --network')
}

/** The same; undefined where only blocks are read, which do not tell. */
export function findNetworkName({ network, source, blocks }: NamingConfig): string | undefined {
  const { location, pathPrefix } = source
  if (location === 'none') return network ?? networkOfBlocks(blocks.location)
  if (location === 'simulated') return network ?? 'simulated'
  if (location.startsWith('s3://')) return network ?? networkOfBucket(bucketOf(location)) ?? bucketOf(location)
  const folder = resolve(location)
  assertFolder(folder)
  return network ?? networkInside(folder, pathPrefix) ?? basename(folder)
}

function networkOfBlocks(location: string | null): string | undefined {
  return location?.startsWith('s3://') ? networkOfBucket(bucketOf(location)) : undefined
}

function bucketOf(location: string): string {
  return location.slice('s3://'.length).replace(/\/.*$/, '')
}

function assertFolder(folder: string): void {
  const found = statSync(folder, { throwIfNoEntry: false })
  if (!found) throw problemOf('config_invalid', folder, 'is not there')
  if (!found.isDirectory()) throw problemOf('config_invalid', folder, 'is not a folder')
}

function networkInside(folder: string, pathPrefix: string | null): string | undefined {
  try {
    return networkFolderOf(pathPrefix === null ? folder : join(folder, pathPrefix))
  } catch (error) {
    throw problemOf('source_unavailable', folder, `cannot be read (${(error as Error).message})`, error)
  }
}

function problemOf(code: ErrorCode, path: string, what: string, cause?: unknown): LedgerError {
  return new LedgerError(code, `The source folder ${path} ${what}; check the path given with --source`, { path }, cause)
}

function networkFolderOf(folder: string): string | undefined {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return undefined
  const networks = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'recordstreams')
    .filter(({ name }) => isNetworkFolder(join(folder, name)))
  return networks.length === 1 ? networks[0]?.name : undefined
}

function isNetworkFolder(folder: string): boolean {
  return existsSync(join(folder, 'block')) || numberedFolders(folder).some((shard) => numberedFolders(shard).length > 0)
}

function numberedFolders(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && /^\d+$/.test(entry.name))
    .map(({ name }) => join(folder, name))
}
