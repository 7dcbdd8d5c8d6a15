import type { Message } from '@ethereumjs/evm'
import { hexOf } from '#src/domain/bytes.ts'
import { halted, outOfGas, succeeded } from '#src/evm/frame-results.ts'
import type { LedgerEvm } from '#src/evm/ledger-evm.ts'
import type { PriceFacts } from '#src/evm/ledger-state.ts'
import { plainService } from '#src/evm/services/plain-service.ts'
import { selectorBytes, wordBytes, wordOf } from '#src/evm/services/service.ts'

const gas = 100n
const maxWord = 2n ** 256n - 1n

/** Converts by the rate in force, rounded down. */
function converting(named: string, convert: (amount: bigint, prices: PriceFacts) => bigint) {
  return {
    named,
    returns: '(uint256)',
    run: async (message: Message, { ledger }: LedgerEvm) => {
      const amount = amountOf(message)
      if (amount === undefined) return halted(message, 'INVALID_OPERATION')
      if (message.gasLimit < gas) return outOfGas(message)
      const converted = convert(amount, await ledger.prices())
      return converted > maxWord ? halted(message, 'INVALID_OPERATION') : succeeded(message, gas, wordOf(converted))
    },
  }
}

function amountOf({ data }: Message): bigint | undefined {
  const end = selectorBytes + wordBytes
  return data.length < end ? undefined : BigInt(`0x${hexOf(data, selectorBytes, end)}`)
}

export const exchangeRateService = plainService(
  'exchange rate service',
  new Map([
    ['2e3cff6a', converting('tinycentsToTinybars(uint256)', (amount, { hbars, cents }) => (amount * hbars) / cents)],
    ['43a88229', converting('tinybarsToTinycents(uint256)', (amount, { hbars, cents }) => (amount * cents) / hbars)],
  ]),
)
