/** A block as its source hands it over. Nothing of it is verified. */
export interface SourceBlock {
  /** That was asked for; what its header says may be another one. */
  readonly number: bigint
  /** As published: `0000000000000000007.blk.zstd`; `0000000000000000007.blk` where it was streamed. */
  readonly name: string
  /**
   * The bytes of a serialized Block, exactly as received, in pieces that lie one behind the other: each holds whole items, tag
   * and length of the field `items` included.
   */
  readonly pieces: readonly Buffer[]
  /** Bytes as stored, packed where it is; undefined when it was streamed. */
  readonly size: number | undefined
  /** What a person calls the source: `host:port` of a node, or the address of a bucket. */
  readonly origin: string
  /** Milliseconds since the epoch: when its header was there, and when its last byte was. */
  readonly headerAt: number
  readonly completeAt: number
}

/** Both ends belong to it. */
export interface BlockRange {
  readonly first: bigint
  readonly last: bigint
}

export interface BlockNodeEndpoint {
  readonly host: string
  readonly port: number
  readonly tls: boolean
}

/**
 * What went wrong with a node, `details.reason` of its errors: no connection that lasts till an answer; no whole answer in
 * time; a status that refuses; something that the protocol does not allow; more bytes or items than allowed; an end in the
 * middle.
 */
const blockNodeReasons = ['unreachable', 'timeout', 'refused', 'protocol', 'too_large', 'cut'] as const
export type BlockNodeReason = (typeof blockNodeReasons)[number]

/** What is odd about a stream and does no harm, as each block is proved anyway. */
export type StreamOddity =
  | 'empty_set'
  /** An end of a block without a block. */
  | 'end_without_block'
  /** An end that names another block than the header before it. */
  | 'end_of_other_block'
  /** The node said that it is done within a block, which is left out. */
  | 'done_within_block'

export interface SubscribeOptions {
  readonly from: bigint
  /** The last one wanted; undefined: without end. */
  readonly through?: bigint | undefined
  readonly signal?: AbortSignal | undefined
  readonly onOddity?: ((oddity: StreamOddity) => void) | undefined
}

/**
 * A server of blocks. It answers what it is asked and is believed nothing: whoever asks proves each block. Every failure rejects
 * with `source_unavailable` and the details `{ node, reason }`; texts of the node in it are shortened and made printable. Each
 * call ends within its own bounds of time and bytes, whatever the other side does. What a signal ended rejects with its reason.
 */
export interface BlockNode {
  /** `host:port`. */
  readonly name: string
  /** Which blocks it has, ascending; empty when it has none. */
  status(signal?: AbortSignal): Promise<readonly BlockRange[]>
  /**
   * Blocks in the order in which they arrive. The next message is read when the next block is asked for, so that who is slow
   * stalls the node and holds one block. Ends when the node says that it is done; leaving the loop ends the call.
   */
  subscribe(options: SubscribeOptions): AsyncIterable<SourceBlock>
  /** One block; undefined when the node says that it does not have it. */
  fetch(number: bigint, signal?: AbortSignal): Promise<SourceBlock | undefined>
  close(): Promise<void>
}

/** Opens a connection when it is first used. */
export type OpenBlockNode = (endpoints: BlockNodeEndpoints) => BlockNode

/** Where a node answers which of its services; often one endpoint answers both. */
export interface BlockNodeEndpoints {
  readonly status: BlockNodeEndpoint
  /** Streams, and single blocks. */
  readonly stream: BlockNodeEndpoint
}
