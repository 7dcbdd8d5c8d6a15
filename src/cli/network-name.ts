import { existsSync, readdirSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import type { Config } from '#src/config/schema.ts'

const knownBuckets: Readonly<Record<string, string>> = {
  'hedera-mainnet-streams': 'mainnet',
  'hedera-testnet-streams-2024-02': 'testnet',
  'hedera-preview-testnet-streams': 'previewnet',
  'hedera-demo-streams': 'demo',
}

/**
 * The network that a source carries: the configured name, else `simulated`, the network of a known bucket, the folder
 * `<network>/<shard>/<node id>` of the node id layout, or the name of the source folder or bucket itself.
 */
export function networkNameOf({ network, source }: Pick<Config, 'network' | 'source'>): string {
  if (network !== null) return network
  const { location, pathPrefix } = source
  if (location === 'simulated') return 'simulated'
  if (location.startsWith('s3://')) {
    const bucket = location.slice('s3://'.length).replace(/\/.*$/, '')
    return knownBuckets[bucket] ?? bucket
  }
  const folder = resolve(location)
  return networkFolderOf(pathPrefix === null ? folder : join(folder, pathPrefix)) ?? basename(folder)
}

function networkFolderOf(folder: string): string | undefined {
  if (!existsSync(folder)) return undefined
  const networks = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'recordstreams')
    .filter(({ name }) => numberedFolders(join(folder, name)).some((shard) => numberedFolders(shard).length > 0))
  return networks.length === 1 ? networks[0]?.name : undefined
}

function numberedFolders(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && /^\d+$/.test(entry.name))
    .map(({ name }) => join(folder, name))
}
