import type { CallContext } from '#queries/contract-calls/reads.ts'
import { exchangeRatesFile } from '#queries/network-files/exchange-rate.ts'
import { lookForFile } from '#queries/network-files/find-file.ts'
import { callPriceAt, inForce, lookForGasSchedule } from '#queries/network-files/gas-schedule.ts'
import { readExchangeRates } from '#src/domain/network-files/exchange-rates.ts'
import type { PriceFacts } from '#src/evm/ledger-state.ts'

/** What networks begin with, where no file says otherwise. */
const defaultGasPrice = 852_000n
const defaultRate = { hbars: 1, cents: 12 }

/** What gas costs at a time (ns), and what an hbar is worth. */
export async function findPrices(time: bigint, context: CallContext): Promise<PriceFacts> {
  const window = { lower: 0n, upper: time }
  const [schedule, rates] = await Promise.all([
    lookForGasSchedule(window, context),
    lookForFile(exchangeRatesFile, window, context),
  ])
  const price = schedule && callPriceAt(schedule, time)
  const { hbars, cents } = rates === undefined ? defaultRate : inForce(readExchangeRates(rates.contents), time)
  return {
    gasPrice: price ?? defaultGasPrice,
    creation: schedule?.creationPrice,
    hbars: BigInt(hbars),
    cents: BigInt(cents),
  }
}
