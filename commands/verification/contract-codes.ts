import type { ChainCode } from '#src/verification/chain-code.ts'

/** How somebody names a contract: forty lower-case hex digits, or `shard.realm.num`. */
export type ContractReference =
  | { readonly kind: 'address'; readonly digits: string }
  | { readonly kind: 'entity'; readonly id: string }

/** A contract that the network has or had. */
export interface FoundContract {
  readonly chain: string
  /** `shard.realm.num`: what it is known by. */
  readonly entity: string
  /** Forty lower-case hex digits: its EVM address, else the long-zero one. */
  readonly address: string
  readonly code: ChainCode
  /** Consensus time as of which it was read: `seconds.nanos`. */
  readonly asOf: string
  /** `<shard.realm.num>@<time>` of the transaction that made it, where that is known. */
  readonly createdTimestamp: string | null
}

/** Where code of contracts comes from: our own read models. */
export interface ContractCodes {
  /** Rejects with the problem `contract_not_known` where there is none. Deleted ones are there. */
  find(chain: string, reference: ContractReference): Promise<FoundContract>
}
