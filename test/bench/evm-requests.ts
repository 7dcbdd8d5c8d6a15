import { longZeroOf } from '#src/evm/addresses.ts'

/** PUSH1 1; then, as long as more than 20,000 gas are left: PUSH1 3, MUL, PUSH1 7, ADD; 36 gas and 10 steps a round. */
const computing = '60015b60030260070' + '15a614e2010600257' + '00'
const holderCount = 4_000
const firstHolder = 1_000_000n

/** What calls of contracts are measured on. */
export const evmBench = {
  computing,
  /** Number of the token. */
  token: 3_001,
  holders: Array.from({ length: holderCount }, (_, at) => longZeroOf(firstHolder + BigInt(at))),
  /** 10,000 rounds. */
  tracedGas: 21_000 + 20_000 + 10_000 * 36,
}
