import { createHash } from 'node:crypto'

/** SHA-256 of a text in UTF-8, as hex digits: what it is known by. */
export type ContentHash = string

export function contentHashOf(text: string): ContentHash {
  return createHash('sha256').update(text).digest('hex')
}

/**
 * Texts by their hash, for what is too large for an event: an event that names a hash is written only after the text is here. What is
 * put is durable and never changes; put again, it is there once. Away, it rejects with `decisions_unavailable` or `store_unavailable`.
 */
export interface ContentStore {
  put(texts: readonly string[]): Promise<void>
  /** Those that are there, by hash. Rejects with `decisions_damaged` where one is not what its hash says. */
  get(hashes: readonly ContentHash[]): Promise<ReadonlyMap<ContentHash, string>>
  close(): Promise<void>
}
