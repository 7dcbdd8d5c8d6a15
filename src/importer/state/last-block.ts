/** The last block of the log. */
export interface LastBlock {
  readonly name: string
  readonly number: bigint
  readonly numberProvisional: boolean
  readonly hash: Buffer
  /** Consensus time (ns) of its last transaction. */
  readonly time: bigint
}
