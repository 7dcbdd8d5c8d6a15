import { loadBlockNodeClient } from '#src/adapters/block-node/open-block-node.ts'
import { blockNodeDefaults } from '#src/adapters/block-node/options.ts'
import { openFolderSource } from '#src/adapters/folder/folder-source.ts'
import { parseVersion } from '#src/domain/semantic-version.ts'
import { BlockNodes } from '#src/importer/block-nodes/block-nodes.ts'
import { BlockSources } from '#src/importer/block-sources/block-sources.ts'
import { BucketBlocks } from '#src/importer/block-sources/bucket-blocks.ts'
import { ProofPool } from '#src/importer/proof/proof-pool.ts'
import type { BlockInput, ImporterSettings } from '#src/importer/settings.ts'
import { systemClock } from '#src/ports/clock.ts'
import { silentLogger } from '#src/ports/logger.ts'

/** How an importer reads blocks, in words that a command line can carry. */
export interface BlockReading {
  readonly stream: 'blocks' | 'cutover'
  readonly from: 'bucket' | 'nodes' | 'auto'
  /** Of block nodes on this machine. */
  readonly ports: readonly number[]
  /** Number of the last block: the import ends with it. */
  readonly through: string
  readonly wrappedFrom?: string
}

export interface OpenReading {
  readonly input: BlockInput
  readonly settings: Partial<ImporterSettings>
  close(): Promise<void>
}

const host = '127.0.0.1'
const blockBytesMax = 16 << 20
/** Short, so that a drill goes through many failures: of nodes that are killed, and of streams that are quiet. */
const timeouts = { statusTimeoutMs: 2_000, blockTimeoutMs: 5_000, connectTimeoutMs: 500 }
const cutoverThresholdMs = 150

/** Opens what `reading` says over a simulated network's folder. */
export async function openReading(reading: BlockReading, folder: string, network: string): Promise<OpenReading> {
  const { from, stream, ports, wrappedFrom } = reading
  const open = await loadBlockNodeClient({ ...blockNodeDefaults, ...timeouts })
  const settings = { failuresMax: 3, readmitDelayMs: 200 }
  const nodes = new BlockNodes({ open, clock: systemClock, logger: silentLogger, settings })
  nodes.use(
    ports.map((port) => {
      const endpoint = { host, port, tls: false }
      return { endpoints: { status: endpoint, stream: endpoint }, priority: 0, origin: 'configured' }
    }),
  )
  const source = openFolderSource({ folder })
  const bucket = new BucketBlocks({ source, network, folder: undefined, blockBytesMax, aheadMax: 4, now: Date.now })
  const checker = new ProofPool({ logger: silentLogger, threads: 1 })
  const supply = new BlockSources({ type: from, nodes, bucket, failuresMax: 2, retryDelayMs: 500, now: Date.now })
  return {
    input: { supply, checker, ledger: undefined },
    settings: {
      stream,
      once: false,
      pollIntervalMs: 20,
      cutoverThresholdMs,
      wrappedFrom: wrappedFrom === undefined ? undefined : parseVersion(wrappedFrom),
    },
    close: async () => {
      await Promise.all([nodes.close(), checker.close(), source.close()])
    },
  }
}
