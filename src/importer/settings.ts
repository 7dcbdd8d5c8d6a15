import type { LedgerError } from '#src/domain/errors.ts'
import type { SemanticVersion } from '#src/domain/semantic-version.ts'
import type { UnprovedPart } from '#src/importer/block/unproved.ts'
import type { BlockSupply } from '#src/importer/block-sources/block-supply.ts'
import type { ProofChecker } from '#src/importer/block-stream/prove-block.ts'
import type { Stream, StreamChoice } from '#src/importer/cutover/cutover.ts'
import type { PathType } from '#src/importer/source/node-folders.ts'
import type { RegisteredBlockNodes } from '#src/importer/state/registered-block-nodes.ts'
import { type ConsensusRatio, defaultConsensusRatio } from '#src/importer/verify/consensus.ts'
import type { StakeMode } from '#src/importer/verify/stakes.ts'
import type { Clock } from '#src/ports/clock.ts'
import type { Logger } from '#src/ports/logger.ts'
import type { MessageLog } from '#src/ports/message-log.ts'
import type { ReadStore } from '#src/ports/read-store.ts'
import type { StreamSource } from '#src/ports/stream-source.ts'
import type { Ledger } from '#src/tss/ledger.ts'

export interface ImporterSettings {
  /** Name of the network; a log belongs to one. Also the first part of paths in the layout by node id. */
  readonly network: string
  /** Contents of file 0.0.102 to begin with; needed where the log is empty, not looked at otherwise. */
  readonly addressBook?: Uint8Array | undefined
  readonly shard: bigint
  readonly realm: bigint
  /** What to read: record files, blocks, or record files until the network writes blocks. */
  readonly stream: Stream | 'cutover'
  /** How long nothing new may come before the other stream is tried, milliseconds. */
  readonly cutoverThresholdMs: number
  /** From this version of the ledger's API on blocks are expected. */
  readonly cutoverVersion: SemanticVersion
  /** From this version on record files are read as blocks wrap them; undefined: never. */
  readonly wrappedFrom?: SemanticVersion | undefined
  /** Blocks between their source and the log, and roughly the bytes that they may take. */
  readonly blocksInFlightMax: number
  readonly blockBytesInFlightMax: number
  /** What blocks say without a signature that covers it, and is published all the same. */
  readonly acceptUnproved: ReadonlySet<UnprovedPart>
  readonly pathType: PathType
  /** In front of every path in the bucket. */
  readonly pathPrefix: string
  /** Stop at the end of the source, and at the first failure. */
  readonly once: boolean
  /** Take only files whose instant (ns) is later. */
  readonly startTime?: bigint | undefined
  /** Stop for good at the first file whose instant (ns) is later; leave out later transactions. */
  readonly endTime?: bigint | undefined
  /** Number of the very first block where files carry none; of blocks the one to begin with. */
  readonly startBlockNumber: bigint
  readonly consensusRatio: ConsensusRatio
  readonly stakeMode: StakeMode
  /** One key for all nodes (hex of a DER SubjectPublicKeyInfo): for test networks. */
  readonly publicKey?: string | undefined
  /** all: verify and record every signature found; enough: only as many as the required stake needs. */
  readonly signatureChecks: 'all' | 'enough'
  /** Sidecar records to import: 1 state change, 2 action, 3 bytecode. Empty: sidecars are not fetched. */
  readonly sidecarTypes: ReadonlySet<number>
  /** Keep the bytes of every transaction and record in its event. */
  readonly keepRawBytes: boolean
  /** How long the signatures of the first file of a log are waited for, milliseconds; in a fixed set without end. */
  readonly firstFileWaitMs: number
  /** How long to wait for new files, milliseconds. */
  readonly pollIntervalMs: number
  /** AUTO layout: how often a node without files by account is looked for by node id, milliseconds. */
  readonly refreshIntervalMs: number
  /** Files listed at a time. */
  readonly listFilesMax: number
  /** Files fetched ahead of the one being published. */
  readonly readAheadFilesMax: number
  /** Roughly the bytes (unpacked) that files fetched ahead may take. */
  readonly readAheadBytesMax: number
  /** Bounds of one append when catching up. */
  readonly appendBlocksMax: number
  readonly appendEventsMax: number
  readonly appendBytesMax: number
  readonly signatureBytesMax: number
  readonly fileBytesMax: number
  /** The importer's state is made durable after so many blocks or milliseconds, whichever comes first. */
  readonly checkpointBlocks: number
  readonly checkpointMs: number
}

export const importerDefaults = {
  shard: 0n,
  realm: 0n,
  stream: 'records',
  cutoverThresholdMs: 16_000,
  cutoverVersion: { major: 0, minor: 79, patch: 0 },
  blocksInFlightMax: 64,
  blockBytesInFlightMax: 32 * 1024 * 1024,
  acceptUnproved: new Set<UnprovedPart>(),
  pathType: 'AUTO',
  pathPrefix: '',
  once: false,
  startBlockNumber: 0n,
  consensusRatio: defaultConsensusRatio,
  stakeMode: 'STAKE_IN_ADDRESS_BOOK',
  signatureChecks: 'all',
  sidecarTypes: new Set<number>(),
  keepRawBytes: false,
  firstFileWaitMs: 60_000,
  pollIntervalMs: 500,
  refreshIntervalMs: 10_000,
  listFilesMax: 64,
  readAheadFilesMax: 32,
  readAheadBytesMax: 4 * 1024 * 1024,
  appendBlocksMax: 64,
  appendEventsMax: 16_000,
  appendBytesMax: 4 * 1024 * 1024,
  signatureBytesMax: 64 * 1024,
  fileBytesMax: 64 * 1024 * 1024,
  checkpointBlocks: 64,
  checkpointMs: 5_000,
} as const satisfies Omit<ImporterSettings, 'network'>

/** Where blocks come from, and what proves them. */
export interface BlockInput {
  readonly supply: BlockSupply
  readonly checker: ProofChecker
  /** Who signs for the network where the log does not say so; undefined: the first block has to. */
  readonly ledger: Ledger | undefined
  /** Told of the block nodes that the ledger knows, whenever they change. */
  readonly onRegistered?: ((nodes: RegisteredBlockNodes) => void) | undefined
}

export interface ImportProgress {
  /** Imported by this run. */
  readonly blocks: number
  readonly transactions: number
  /** Files read, as stored. */
  readonly bytes: number
  readonly latestBlock: bigint | undefined
  /** Consensus time (ns) of the newest transaction. */
  readonly latestTime: bigint | undefined
  /** Newest sequence of the log. */
  readonly head: number
  /** Blocks known to be missing within the log. */
  readonly gapBlocks: bigint
  /** Files that this run has before it, known only for a fixed set. */
  readonly filesTotal: number | undefined
  /** Which stream is read, and why. */
  readonly stream: StreamChoice | undefined
  /** Since when nothing new came, milliseconds since the epoch; undefined while that is not longer than it should be. */
  readonly quietSince: number | undefined
  /** What keeps the import from going on right now. */
  readonly problem: LedgerError | undefined
  /** That the source has files before the log's first one, which nobody said to leave out. */
  readonly beginsLate: LedgerError | undefined
}

export interface ImportSummary {
  readonly blocks: number
  readonly transactions: number
  readonly bytes: number
  readonly firstBlock: bigint | undefined
  readonly lastBlock: bigint | undefined
  readonly lastTime: bigint | undefined
  /** How often each kind of problem was coped with, by error code. */
  readonly warnings: Readonly<Record<string, number>>
  readonly durationMs: number
}

export interface ImporterOptions {
  /** Of record files. */
  readonly source: StreamSource
  /** Needed where blocks are read. */
  readonly blocks?: BlockInput | undefined
  readonly log: MessageLog
  readonly store: ReadStore
  /** Generation of the log, from 1 (the default); the store keeps a state for each. */
  readonly generation?: number | undefined
  /** What subscribers call this log, where it serves: one that said before that another does takes that back. */
  readonly servesAs?: string | undefined
  readonly settings: Partial<ImporterSettings> & Pick<ImporterSettings, 'network'>
  readonly logger: Logger
  readonly clock: Clock
  readonly signal?: AbortSignal | undefined
  /** Called once the right to append is there: what comes after does not fail for reasons of the start. */
  readonly onOpen?: (() => void) | undefined
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined
}
