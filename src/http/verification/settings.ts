/** How contract verification is offered. */
export interface VerificationHttpSettings {
  /** Everything is served below it as well as at the root; empty for the root alone. */
  readonly prefix: string
  /** The chain of the network that is followed, as decimal text. */
  readonly chainId: string
  /** Name of that network. */
  readonly network: string
  /** Origins of pages that may use sessions from elsewhere. */
  readonly origins: readonly string[]
  /** Whether cookies are for https alone. */
  readonly secureCookies: boolean
  /** Verifications that a client may ask for within a second; 0: any number. */
  readonly requestsPerSecond: number
  /** So long a request waits for its outcome; then it is told how to ask for it; ms. */
  readonly waitMs: number
  readonly sessionTtlMs: number
  readonly sessionBytesMax: number
  readonly trustedProxies: readonly string[]
}

/** Names of the networks that have a chain id of their own. */
const knownChains: Readonly<Record<string, string>> = {
  '295': 'Hedera mainnet',
  '296': 'Hedera testnet',
  '297': 'Hedera previewnet',
  '298': 'Hedera local network',
}

export function chainName(chain: string): string | undefined {
  return Object.hasOwn(knownChains, chain) ? knownChains[chain] : undefined
}

export const knownChainIds: readonly string[] = Object.keys(knownChains)
