import { outOfGas, succeeded } from '#src/evm/frame-results.ts'
import { markedUpGasFor, tinycents } from '#src/evm/gas-price.ts'
import { plainService } from '#src/evm/services/plain-service.ts'
import { wordBytes } from '#src/evm/services/service.ts'

const price = tinycents(0.001)
/** Where nothing may change there is no transaction to be paid. */
const staticPrice = tinycents(0.0001)

/** The seed is what the block drew, the same for all calls at it. */
export const pseudoRandomService = plainService(
  'pseudo random service',
  new Map([
    [
      'd83bf9a1',
      {
        named: 'getPseudorandomSeed()',
        returns: '(bytes32)',
        run: async (message, { ledger }) => {
          const [{ hash }, prices] = await Promise.all([ledger.block(), ledger.prices()])
          const gas = markedUpGasFor(message.isStatic ? staticPrice : price, prices)
          if (message.gasLimit < gas) return outOfGas(message)
          return succeeded(message, gas, hash.subarray(0, wordBytes))
        },
      },
    ],
  ]),
)
