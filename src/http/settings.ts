import type { QuerySettings } from '#queries/common/settings.ts'
import { defaultQuerySettings } from '#queries/common/settings.ts'

/** Someone who may ask for pages of another size, by HTTP Basic credentials. */
export interface ApiUser {
  readonly username: string
  readonly password: string
  readonly pageSizeMax: number
}

/** Someone who may write to the status page. */
export interface StatusToken {
  readonly name: string
  readonly role: 'operator' | 'automation'
  /** SHA-256 of the bearer token, in hexadecimal digits: the token itself is nowhere. */
  readonly sha256: string
  /** Instant from which on it is good for nothing, in ISO 8601; undefined: never. */
  readonly expires?: string | undefined
}

export interface HttpSettings extends QuerySettings {
  readonly users: readonly ApiUser[]
  /** Most bytes for the answers of all endpoints that are kept while their read models do not move; 0 keeps none. */
  readonly answerCacheBytesMax: number
  /** Longest wait for the time that a request names in `Ledger-Wait-For`; milliseconds. */
  readonly maxWaitMs: number
  /** Requests at once that wait for such a time, of one client and in all; further ones are refused with 503. */
  readonly waitsPerClientMax: number
  readonly waitsAtOnceMax: number
  /** Addresses and networks of proxies that say whose requests they pass on. */
  readonly trustedProxies: readonly string[]
  /** Requests answered at once; further ones are refused with 503 rather than queued. */
  readonly requestsAtOnceMax: number
  /** Requests with large bodies at once; further ones are refused with 503 before they are read. */
  readonly largeBodiesAtOnceMax: number
  /** Requests at once that read more rows than most pages need; further ones wait. */
  readonly largeAtOnceMax: number
  /** Searches that run at once, and that wait for one of these to end; further ones are refused with 503. */
  readonly searchesAtOnceMax: number
  readonly searchesWaitingMax: number
  /** A request that takes longer is logged; milliseconds. */
  readonly slowRequestMs: number
  /** How long requests may take to finish once the server closes; milliseconds. */
  readonly closeGraceMs: number
  /** Whether the documentation pages are served. */
  readonly docs: boolean
}

export const defaultHttpSettings: HttpSettings = {
  ...defaultQuerySettings,
  users: [],
  answerCacheBytesMax: 32 << 20,
  maxWaitMs: 10_000,
  waitsPerClientMax: 100,
  waitsAtOnceMax: 1_000,
  trustedProxies: [],
  requestsAtOnceMax: 2_000,
  largeBodiesAtOnceMax: 8,
  largeAtOnceMax: 32,
  searchesAtOnceMax: 4,
  searchesWaitingMax: 32,
  slowRequestMs: 1_000,
  closeGraceMs: 3_000,
  docs: true,
}
