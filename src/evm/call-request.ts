import type { AccessListEntry } from '#src/evm/access-lists.ts'
import type { HexAddress } from '#src/evm/addresses.ts'
import type { Authorization } from '#src/evm/authorizations.ts'
import type { BlockOverride, StateOverride } from '#src/evm/overrides.ts'
import type { EvmRules } from '#src/evm/rules.ts'

/** Call data, or code that creates a contract: no transaction has more, so nothing is run with it. */
export const dataBytesMax = 131_072

/** A call as it is asked for. Addresses are 0x and 40 lower-case hex digits. */
export interface CallRequest {
  readonly from: HexAddress | undefined
  /** Undefined creates a contract. */
  readonly to: HexAddress | undefined
  readonly data: Uint8Array
  readonly gas: bigint
  readonly gasPrice: bigint
  /** tinybar. */
  readonly value: bigint
  readonly accessList?: readonly AccessListEntry[]
  readonly authorizations?: readonly Authorization[]
  readonly overrides?: readonly StateOverride[]
  readonly block?: BlockOverride | undefined
}

export interface CallSettings {
  readonly rules: EvmRules
  readonly chainId: number
  /** Who says what a call pays, pays it with what is really there. */
  readonly validatePayerBalance: boolean
}

export interface CallResult {
  /** Name of the network's response. */
  readonly response: string
  /** What was returned; of a creation the code of the new contract. */
  readonly output: Uint8Array
  /** `data` of the message of a failure. */
  readonly data: string
  readonly detail: string
  readonly gasUsed: bigint
  /** The least gas with which it does the same; undefined where what it did may depend on its gas. */
  readonly gasNeeded?: bigint | undefined
  /** Responses of child transactions that failed, each once. */
  readonly failedChildren: readonly string[]
}
