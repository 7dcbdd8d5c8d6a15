/** Blocks that a simulated block node serves. */
export interface BlockStore {
  /** First and last block that there is; undefined while there is none. */
  range(): { readonly first: bigint; readonly last: bigint } | undefined
  /** A serialized Block, as its hash is over it; undefined when there is none of that number. */
  read(number: bigint): Uint8Array | undefined
  /** Resolves when a block was added, or when the signal is aborted. */
  changed(signal: AbortSignal): Promise<void>
}
