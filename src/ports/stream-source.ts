/** One object directly in a listed folder. */
export interface StreamObject {
  /** Name within the folder. */
  readonly name: string
  /** Bytes as stored. */
  readonly size: number
}

export interface ListOptions {
  /** Path of the folder below the source's root, with `/` between parts and none at the ends. */
  readonly folder: string
  /** Deliver names that sort behind this text, byte by byte; '' for all. */
  readonly after: string
  readonly countMax: number
  readonly signal?: AbortSignal | undefined
}

export interface FetchOptions {
  /** An object with more bytes is refused with `source_unavailable`, before or while it is read. */
  readonly bytesMax: number
  readonly signal?: AbortSignal | undefined
}

/**
 * Why a bucket cannot be asked, `details.reason` of its errors: who asks may not, or may not without a key; the key is not
 * accepted; there is no such bucket; its reader pays and nobody does; the clock here is wrong; another region; the rest is
 * the way there.
 */
const sourceReasons = [
  'denied',
  'anonymous',
  'credentials',
  'no_bucket',
  'requester_pays',
  'clock',
  'region',
  'unknown_host',
  'unreachable',
  'tls',
  'timeout',
  'busy',
  'other',
] as const
export type SourceReason = (typeof sourceReasons)[number]

/**
 * Where the network's files are: a bucket, or a folder that is laid out like one. It knows nothing about ledgers; which
 * folders there are and what is in the files is the importer's business.
 */
export interface StreamSource {
  /** What a person calls it: the path or the address of the bucket, without secrets. */
  readonly description: string
  /**
   * Objects directly in a folder, ascending by the bytes of their names, at most `countMax`; fewer only at the end. A folder
   * that does not exist is empty. Rejects with `source_unavailable` when the source cannot be asked.
   */
  list(options: ListOptions): Promise<readonly StreamObject[]>
  /** Names of the folders directly in a folder, '' being the root, at most `countMax`, ascending. Rejects as `list` does. */
  listFolders(folder: string, countMax: number, signal?: AbortSignal): Promise<readonly string[]>
  /** The bytes of an object; undefined when there is none. Rejects with `source_unavailable` when it cannot be asked. */
  fetch(path: string, options: FetchOptions): Promise<Uint8Array | undefined>
  /** Resolves when something may have changed, at the latest after the time given. Only a hint: callers look again anyway. */
  waitForChange(milliseconds: number, signal?: AbortSignal): Promise<void>
  close(): Promise<void>
}
