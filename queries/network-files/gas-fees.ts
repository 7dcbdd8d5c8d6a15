import { lastValue } from '#queries/common/parameters.ts'
import { orderParameterOfB, timestampParameterOfB } from '#queries/common/parameters-of-b.ts'
import { lastWindow } from '#queries/common/range.ts'
import { defineRoute } from '#queries/common/route.ts'
import { exchangeRatesFile } from '#queries/network-files/exchange-rate.ts'
import { findFile, noFile } from '#queries/network-files/find-file.ts'
import { inForce, lookForGasSchedule, simpleFeesFile, tinybarsOf } from '#queries/network-files/gas-schedule.ts'
import { networkFilesReads } from '#queries/network-files/reads.ts'
import { gasFeesSchema } from '#queries/network-files/render.ts'
import { functionalities } from '#src/domain/functionalities.ts'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'
import { type ExchangeRate, readExchangeRates } from '#src/domain/network-files/exchange-rates.ts'
import { type GasPrice, gasKinds } from '#src/domain/network-files/gas-prices.ts'

const parameters = { order: orderParameterOfB('asc'), timestamp: timestampParameterOfB() }

export const gasFeesRoute = defineRoute({
  path: '/network/fees',
  summary: 'List what gas costs by kind of transaction',
  tag: 'network',
  dialect: 'B',
  parameters,
  maxAge: 60,
  body: gasFeesSchema,
  statuses: { 404: 'No fee schedule or no exchange rate is known of that time' },
  reads: networkFilesReads,
  answer: async ({ filters }, context) => {
    const window = lastWindow(filters.timestamp)
    const schedule = await lookForGasSchedule(window, context)
    if (schedule === undefined) throw noFile(simpleFeesFile, context)
    const rates = await findFile(exchangeRatesFile, window, context)
    const reference = window.hasUpper ? window.upper : schedule.time
    const fees = gasFees(schedule.pricesAt(reference), inForce(readExchangeRates(rates.contents), reference))
    if (lastValue(filters.order) === 'desc') fees.reverse()
    const list = fees.map(({ gas, name }) => `{"gas":${gas},"transaction_type":"${name}"}`)
    return { body: `{"fees":[${list.join(',')}],"timestamp":"${formatLedgerTime(schedule.time)}"}` }
  },
})

const shownNames: ReadonlyMap<number, string> = new Map(gasKinds.map((name) => [functionalities[name], name]))

/** Tinybars for a unit of gas by name of the transaction, at least one. */
function gasFees(prices: readonly GasPrice[], { hbars, cents }: ExchangeRate): { name: string; gas: bigint }[] {
  if (cents === 0) return []
  const shown = prices.flatMap(({ functionality, price }) => {
    const name = shownNames.get(functionality)
    return name === undefined ? [] : [{ name, gas: tinybarsOf(price, { hbars, cents }) }]
  })
  return shown.sort((a, b) => (a.name < b.name ? -1 : 1))
}
