import { createAddressFromString } from '@ethereumjs/util'
import { longZeroOf } from '#src/evm/addresses.ts'
import type { BlockFacts } from '#src/evm/ledger-state.ts'
import type { EvmRules } from '#src/evm/rules.ts'

const feeCollector = longZeroOf(98n)
const wordBytes = 32

/** What contracts see of the block that they run in. */
export function blockOf({ number, timestamp, hash }: BlockFacts, gasLimit: bigint, { seesRandom }: EvmRules) {
  return {
    header: {
      number,
      coinbase: createAddressFromString(feeCollector),
      timestamp,
      difficulty: 0n,
      prevRandao: seesRandom ? hash.subarray(0, wordBytes) : new Uint8Array(wordBytes),
      gasLimit,
      baseFeePerGas: 0n,
      getBlobGasPrice: () => 1n,
    },
  }
}
