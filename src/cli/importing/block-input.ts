import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { loadBlockNodeClient } from '#src/adapters/block-node/open-block-node.ts'
import { blockNodeDefaults } from '#src/adapters/block-node/options.ts'
import type { DataFolder } from '#src/cli/data-folder.ts'
import { findLedgerPublication } from '#src/cli/importing/ledger-publication.ts'
import { type AskingOptions, openLocation } from '#src/cli/importing/stream-source.ts'
import { publicNetworks } from '#src/cli/public-networks.ts'
import type { Config } from '#src/config/schema.ts'
import type { NamedBlockNode } from '#src/config/sections/blocks.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { BlockNodes } from '#src/importer/block-nodes/block-nodes.ts'
import type { BlockNodeState } from '#src/importer/block-nodes/followed-node.ts'
import type { KnownBlockNode } from '#src/importer/block-nodes/known-block-node.ts'
import { BlockSources, type SupplyKind } from '#src/importer/block-sources/block-sources.ts'
import { BucketBlocks } from '#src/importer/block-sources/bucket-blocks.ts'
import { ProofPool } from '#src/importer/proof/proof-pool.ts'
import type { BlockInput } from '#src/importer/settings.ts'
import type { RegisteredBlockNode } from '#src/importer/state/registered-block-nodes.ts'
import type { OpenBlockNode } from '#src/ports/block-node.ts'
import { systemClock } from '#src/ports/clock.ts'
import type { Logger } from '#src/ports/logger.ts'
import type { StreamSource } from '#src/ports/stream-source.ts'

const mebibyte = 1024 * 1024

export interface BlockInputOptions {
  readonly config: Config
  readonly folder: Pick<DataFolder, 'network'>
  readonly network: string
  readonly logger: Logger
}

/** Where blocks come from and what proves them, as it is configured. */
export interface OpenBlockInput extends BlockInput {
  /** The block nodes, the one that would be asked first at first. */
  states(): readonly BlockNodeState[]
  /** The kind of source that was asked last. */
  readonly current: SupplyKind | undefined
  /** Where files of blocks are, for people; undefined where there are none. */
  readonly bucket: string | undefined
  close(): Promise<void>
}

/** Nothing of it is asked before it is needed. */
export async function openBlockInput(options: BlockInputOptions): Promise<OpenBlockInput> {
  const { config, logger } = options
  const { blocks } = config
  const bucketSource = await openBlockBucket(options)
  const nodes = await openBlockNodes(options)
  const sources = new BlockSources({
    type: blocks.from,
    nodes,
    bucket: bucketSource && bucketBlocks(bucketSource, options),
    failuresMax: blocks.failuresMax,
    retryDelayMs: blocks.readmitMs,
    now: systemClock.now,
  })
  const pool = new ProofPool({ logger })
  return {
    supply: sources,
    checker: pool,
    ledger: findLedgerPublication(options),
    onRegistered: ({ all }) => nodes.use(knownNodes(config, all)),
    states: () => nodes.states(),
    get current() {
      return sources.current
    },
    bucket: bucketSource?.description,
    close: async () => {
      await Promise.all([nodes.close(), pool.close(), bucketSource?.close()])
    },
  }
}

/** The block nodes that are named, and those that the ledger has registered. */
export function knownNodes(
  { blocks }: Pick<Config, 'blocks'>,
  registered: readonly RegisteredBlockNode[],
): KnownBlockNode[] {
  const discovered = blocks.discover ? registered.map(discoveredNode) : []
  return [...blocks.nodes.map(configuredNode), ...discovered]
}

function configuredNode({ host, port, tls, statusPort, priority }: NamedBlockNode): KnownBlockNode {
  const stream = { host, port, tls }
  const status = { host, port: statusPort ?? port, tls }
  return { endpoints: { status, stream }, priority, origin: 'configured' }
}

function discoveredNode({ host, port, tls, registeredNodeId }: RegisteredBlockNode): KnownBlockNode {
  const endpoint = { host, port, tls }
  return { endpoints: { status: endpoint, stream: endpoint }, priority: 0, origin: 'discovered', registeredNodeId }
}

/** As configured, without those that the ledger knows. */
async function openBlockNodes({ config, logger }: BlockInputOptions): Promise<BlockNodes> {
  const open = await openBlockNodeClient(config)
  const { failuresMax, readmitMs } = config.blocks
  const settings = { failuresMax, readmitDelayMs: readmitMs }
  const nodes = new BlockNodes({ open, clock: systemClock, logger, settings })
  nodes.use(knownNodes(config, []))
  return nodes
}

/** Opens nodes with the limits that are configured. */
export function openBlockNodeClient(
  { blocks }: Pick<Config, 'blocks'>,
  statusTimeoutMs = blocks.statusTimeoutMs,
): Promise<OpenBlockNode> {
  return loadBlockNodeClient({
    ...blockNodeDefaults,
    messageBytesMax: blocks.messageMaxMiB * mebibyte,
    blockBytesMax: blocks.blockMaxMiB * mebibyte,
    statusTimeoutMs,
    blockTimeoutMs: blocks.blockTimeoutMs,
    connectTimeoutMs: blocks.connectTimeoutMs,
    rootCertificates: blocks.rootCertificates === null ? undefined : readCertificates(blocks.rootCertificates),
  })
}

/** The bucket or folder of blocks; undefined where none is named and none is known. */
export async function openBlockBucket(
  { config, folder, network }: BlockInputOptions,
  asking?: AskingOptions,
): Promise<StreamSource | undefined> {
  const location = blockLocation(config, folder, network)
  return location === undefined ? undefined : openLocation(location, config, '--block-source', asking)
}

function blockLocation(
  { blocks, source }: Config,
  folder: Pick<DataFolder, 'network'>,
  network: string,
): string | undefined {
  if (blocks.location !== null) return blocks.location
  if (source.location === 'simulated') return folder.network
  const bucket = publicNetworks[network]?.blockBucket
  if (bucket !== undefined) return `s3://${bucket}`
  // A folder that holds a copy of a network may hold both forms of its output.
  return source.location === 'none' || source.location.startsWith('s3://') ? undefined : source.location
}

export function bucketBlocks(source: StreamSource, { config, network }: BlockInputOptions): BucketBlocks {
  const { blocks } = config
  return new BucketBlocks({
    source,
    network,
    folder: blocks.folder ?? undefined,
    blockBytesMax: blocks.blockMaxMiB * mebibyte,
    aheadMax: blocks.aheadMax,
    now: systemClock.now,
  })
}

function readCertificates(file: string): Buffer {
  try {
    return readFileSync(resolve(file))
  } catch (error) {
    throw new LedgerError(
      'config_invalid',
      `The certificates ${file} cannot be read; check the path given with --blocks-root-certificates`,
      { file },
      error,
    )
  }
}
