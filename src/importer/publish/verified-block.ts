import type { BlockRecorded } from '#schemas/events/types.ts'
import type { SemanticVersion } from '#src/domain/semantic-version.ts'
import type { ItemInput, LetGo } from '#src/importer/decode/block-input.ts'
import type { EventDraft } from '#src/importer/publish/event-draft.ts'
import type { RecordFile } from '#src/importer/record/record-file.ts'
import type { VerifiedFile } from '#src/importer/verify/verify-file.ts'

/** What follows from a block's transactions and from its place in the log. */
type Derived = 'number' | 'numberProvisional' | 'count' | 'gasUsed' | 'logsBloom'

/** A block that is proved and continues the log, whatever it was read from. */
export interface VerifiedBlock {
  /** The file or block and its source, for errors. */
  readonly what: string
  /** All else that its event says. */
  readonly facts: Omit<BlockRecorded, Derived>
  /** That it carries; undefined where it has to be counted. */
  readonly number: bigint | undefined
  readonly items: readonly ItemInput[]
  /** Serialized TransactionSidecarRecords. */
  readonly sidecarRecords: readonly Uint8Array[]
  /** Absent where the items lie in one piece of memory. */
  readonly letGo?: LetGo
  /** What was true before its first transaction, and no transaction tells. */
  readonly opening?: readonly EventDraft[]
}

/** A record file that was read as a file. */
export function blockOfFile({ file, signedBy, sourceNodeId, sidecarRecords }: VerifiedFile): VerifiedBlock {
  return {
    what: `${file.name} of node ${sourceNodeId}`,
    facts: { ...recordFileFacts(file), signedBy: [...signedBy], sourceNodeId },
    number: file.blockNumber,
    items: file.items,
    sidecarRecords,
  }
}

/** What the event of a record file says, however the file came. */
export function recordFileFacts(file: RecordFile): Omit<BlockRecorded, Derived> {
  return {
    name: file.name,
    hash: file.chainHash,
    previousHash: file.previousHash,
    fileHash: file.fileHash,
    metadataHash: file.metadataHash ?? null,
    version: file.version,
    digestAlgorithm: 0,
    consensusStart: file.consensusStart,
    consensusEnd: file.consensusEnd,
    size: file.size,
    // Record files give one version for both.
    ...versionFields(file.hapiVersion, file.hapiVersion),
    sidecarCount: file.sidecars.length,
    signedBy: [],
    sourceNodeId: null,
    roundStart: null,
    roundEnd: null,
    previousRoot: null,
    blockRoot: null,
    proof: null,
    source: null,
  }
}

/** Versions of the ledger's API and of the software of its nodes. */
export function versionFields(hapi: SemanticVersion | undefined, software: SemanticVersion | undefined) {
  return {
    hapiVersionMajor: hapi?.major ?? null,
    hapiVersionMinor: hapi?.minor ?? null,
    hapiVersionPatch: hapi?.patch ?? null,
    softwareVersionMajor: software?.major ?? null,
    softwareVersionMinor: software?.minor ?? null,
    softwareVersionPatch: software?.patch ?? null,
  }
}
