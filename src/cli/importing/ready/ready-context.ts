import type { ServiceTime } from '#src/adapters/s3/s3-source.ts'
import type { NodeAnswer } from '#src/cli/importing/asked-nodes.ts'
import type { LogFacts } from '#src/cli/importing/log-facts.ts'
import { streamOf } from '#src/cli/importing/stream-choice.ts'
import type { Config } from '#src/config/schema.ts'
import type { ImporterSettings } from '#src/importer/settings.ts'
import { blockStreamVersion, type LastBlock } from '#src/importer/state/last-block.ts'
import type { PresentProcess } from '#src/operations/presence.ts'
import type { SourceBlock } from '#src/ports/block-node.ts'
import type { Logger } from '#src/ports/logger.ts'

/** What the checks work on, and what they find for each other. */
export interface ReadyContext {
  readonly config: Config
  readonly network: string
  /** Where a simulated network writes. */
  readonly folder: { readonly network: string }
  /** What is read of the network. */
  readonly stream: ImporterSettings['stream']
  /** Undefined where nothing was imported yet. */
  readonly facts: LogFacts | undefined
  readonly logger: Logger
  readonly signal: AbortSignal
  readonly found: Findings
}

export interface Findings {
  /** Of buckets that were asked. */
  readonly times: ServiceTime[]
  /** That were read from a source, in full. */
  readonly blocks: SourceBlock[]
  /** That answered, and have what is next. */
  readonly nodes: NodeAnswer[]
  /** Whether a bucket of blocks was found that can be read, and has some. */
  bucketReads: boolean
}

export function lastBlockOf({ facts }: Pick<ReadyContext, 'facts'>): LastBlock | undefined {
  return facts?.state.lastBlock
}

/** The block that an import would ask for; undefined where record files that nobody has read yet come before it. */
export function nextNumber({ config, facts, stream }: ReadyContext): bigint | undefined {
  const last = lastBlockOf({ facts })
  if (last) return last.number + 1n
  return stream === 'blocks' ? BigInt(config.import.startBlockNumber ?? 0) : undefined
}

/**
 * What is read of a network: as set here, else as the importer that runs was started with, else what is known of the network. Throws
 * `config_invalid` where settings do not go together.
 */
export function streamInUse(config: Config, network: string, facts: LogFacts | undefined): ImporterSettings['stream'] {
  const [running] = workingImporters({ facts }).flatMap(({ imports }) => imports?.stream?.setting ?? [])
  return config.source.stream === 'auto' && running !== undefined ? running : streamOf(config, network)
}

/** Those that import now, without those that stand by. */
export function workingImporters({ facts }: Pick<ReadyContext, 'facts'>): readonly PresentProcess[] {
  return (facts?.importers ?? []).filter(({ imports }) => !imports?.standby)
}

/** Whether the log is behind the change from record files to blocks. */
export function hasMoved(context: Pick<ReadyContext, 'facts'>): boolean {
  const last = lastBlockOf(context)
  return last !== undefined && last.version >= blockStreamVersion
}
