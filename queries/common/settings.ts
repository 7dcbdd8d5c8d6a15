import { type ContractCallSettings, defaultCallSettings } from '#queries/contract-calls/settings.ts'
import { unreleasedRanges } from '#src/domain/unreleased-accounts.ts'

/** What shapes an answer besides the request: the same for every request of a process, except in conformance runs. */
export interface QuerySettings {
  /** Shard and realm of ids that are given without them. */
  readonly shard: bigint
  readonly realm: bigint
  /** Of the network, as the EVM knows it (EIP-155): that of transactions that name none. */
  readonly chainId: bigint
  /** Rows per page when the request names no limit. */
  readonly pageSizeDefault: number
  /** Larger limits are cut down to this. */
  readonly pageSizeMax: number
  /** Most values that one query parameter may be given. */
  readonly maxRepeatedParameters: number
  /** Look for transactions in a bounded window only, `links.next` leading on to the rest. */
  readonly bindTimestampRange: boolean
  /** Length of that window in nanoseconds. */
  readonly timeRangeMaxNs: bigint
  /** Whether the account filter also finds accounts that occur in NFT transfers only. */
  readonly nftOnlyMatches: boolean
  /** Numbers of the accounts whose balances are not released, from and to. */
  readonly unreleasedAccounts: readonly (readonly [from: number, to: number])[]
  /** Most tokens that an account shows in a list of accounts, and where it is the only one. */
  readonly tokensPerListedAccount: number
  readonly tokensPerAccount: number
  /** A request that searches longer than this is given up with 503; milliseconds. */
  readonly requestTimeoutMs: number
  readonly contractCalls: ContractCallSettings
}

export const defaultQuerySettings: QuerySettings = {
  shard: 0n,
  realm: 0n,
  chainId: 0x128n,
  pageSizeDefault: 25,
  pageSizeMax: 100,
  maxRepeatedParameters: 100,
  bindTimestampRange: false,
  timeRangeMaxNs: 5_184_000_000_000_000n,
  nftOnlyMatches: false,
  unreleasedAccounts: unreleasedRanges,
  tokensPerListedAccount: 50,
  tokensPerAccount: 1_000,
  requestTimeoutMs: 20_000,
  contractCalls: defaultCallSettings,
}
