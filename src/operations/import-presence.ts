/** What an importer says of itself. Times are ISO 8601 by its own clock. */
export interface ImportPresence {
  readonly generation: number
  /** Newest sequence that it has appended or found. */
  readonly head: number
  /** Number of the newest block as text; null before the first. */
  readonly latestBlock: string | null
  /** Blocks known to be missing within the log, as text; absent before the first block is known. */
  readonly gapBlocks?: string
  /** Another process imports, and this one takes over when it is gone. */
  readonly standby?: boolean
  /** What keeps it from going on right now, or what its log lacks at the beginning. */
  readonly problem?: string
  /** Code of what keeps it from going on. */
  readonly problemCode?: string
  /** Absent before the first look at a source. */
  readonly stream?: StreamPresence
  /** Those that it would ask, the first one first, at most `blockNodesToldMax`; absent where none is known. */
  readonly blockNodes?: readonly BlockNodePresence[]
}

/** Kinds of places that history is read from: record files, block nodes, or files of blocks. */
export const sourceKinds = ['files', 'nodes', 'bucket'] as const
export type SourceKind = (typeof sourceKinds)[number]

export const streamNames = ['records', 'blocks'] as const
export type StreamName = (typeof streamNames)[number]

/** Which form of a network's output is read, where from, and why. */
export interface StreamPresence {
  /** As it is set; `cutover` follows the network from record files to blocks. */
  readonly setting: StreamName | 'cutover'
  readonly stream: StreamName
  readonly source: SourceKind
  /** Where that is, for people. */
  readonly from: string
  readonly since: string
  readonly why: string
  /** What would change it; absent where nothing does. */
  readonly waitsFor?: string
  /** Since when nothing new came; absent while that is not longer than it should be. */
  readonly quietSince?: string
}

/** A block node as the importer sees it. */
export interface BlockNodePresence {
  /** `host:port` of where it streams. */
  readonly name: string
  readonly origin: 'configured' | 'discovered'
  /** Number under which the ledger has it, as text. */
  readonly registeredNodeId?: string
  readonly priority: number
  readonly tls: boolean
  readonly streaming: boolean
  /** Absent while it is asked like any other. */
  readonly setAsideUntil?: string
  /** From the time of a block to its arrival; absent where nothing recent is known. */
  readonly latencyMs?: number
  /** The newest block that it gave, as text. */
  readonly lastBlock?: string
  /** By reason, since it is known. */
  readonly errors: Readonly<Record<string, number>>
  readonly oddities: Readonly<Record<string, number>>
  readonly lastError?: { readonly message: string; readonly at: string }
}

/** Whoever registers a node on the ledger adds to them; more are followed, and not told. */
export const blockNodesToldMax = 50
