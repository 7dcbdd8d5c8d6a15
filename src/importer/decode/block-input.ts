export interface ItemInput {
  /** Serialized Transaction and TransactionRecord. */
  readonly transaction: Uint8Array
  readonly record: Uint8Array
  /** Which records do not have; 0 or absent where none was applied. */
  readonly congestionMultiplier?: bigint
  /** Missing in the stream, and added from a data set of corrections. */
  readonly isAmendment?: boolean
}

/** Of a block, whose bytes would else be held twice once its events are there. */
export interface LetGo {
  item(index: number): void
  sidecarRecords(): void
}

/** A block's items as received, to be decoded. */
export interface BlockInput {
  /** In order. */
  readonly items: readonly ItemInput[]
  /** Serialized TransactionSidecarRecords of all sidecar files. */
  readonly sidecarRecords: readonly Uint8Array[]
  readonly blockNumber: bigint | undefined
  /** Lets go of what was handed over and is not read again: of an item, and of what lies in `sidecarRecords`. */
  readonly letGo?: LetGo | undefined
  /** Keep transaction and record of every item in the event, not only where that is always done. */
  readonly keepRawBytes: boolean
  /** `mainnet`, also with a suffix (`mainnet-archive`), applies the corrections of that network's history. */
  readonly network?: string | undefined
}
