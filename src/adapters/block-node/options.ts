export interface BlockNodeOptions {
  /** Bytes of one message, packed or unpacked; a node's largest messages have to fit. */
  readonly messageBytesMax: number
  /** Bytes of a block, unpacked. */
  readonly blockBytesMax: number
  /** Items of a block. */
  readonly blockItemsMax: number
  /** Milliseconds until a question about the status is answered. */
  readonly statusTimeoutMs: number
  /** Milliseconds from asking for a block until all of it is there; for a stream this includes waiting for its making. */
  readonly blockTimeoutMs: number
  /** Milliseconds until a connection speaks HTTP/2. */
  readonly connectTimeoutMs: number
  /** Bytes that a node may send ahead of being read, for each call. */
  readonly windowBytes: number
  /** While something is asked, a connection without a sign of life for so long, and a third of that more, counts as lost. */
  readonly keepaliveMs: number
  /** Certificates (PEM) to trust instead of the system's. */
  readonly rootCertificates?: Buffer | undefined
}

const mebibyte = 1024 * 1024

export const blockNodeDefaults = {
  messageBytesMax: 36 * mebibyte,
  blockBytesMax: 128 * mebibyte,
  blockItemsMax: 800_000,
  statusTimeoutMs: 400,
  blockTimeoutMs: 30_000,
  connectTimeoutMs: 5_000,
  windowBytes: mebibyte / 2,
  keepaliveMs: 30_000,
} as const satisfies BlockNodeOptions
