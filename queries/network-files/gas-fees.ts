import { boundOrderParameter, boundTimestampParameter } from '#queries/common/bound-parameters.ts'
import { lastValue } from '#queries/common/parameters.ts'
import type { Answer, QueryRequest } from '#queries/common/route.ts'
import { defineRoute } from '#queries/common/route.ts'
import { lastWindow } from '#queries/common/time-window.ts'
import { gasFeesSchema } from '#queries/network-files/body-schema.ts'
import { exchangeRatesFile } from '#queries/network-files/exchange-rate.ts'
import { findFile } from '#queries/network-files/find-file.ts'
import { type NetworkFilesContext, networkFilesReads } from '#queries/network-files/reads.ts'
import { functionalities } from '#src/domain/functionalities.ts'
import { formatLedgerTime, nanosPerSecond } from '#src/domain/ledger-time.ts'
import { type ExchangeRate, readExchangeRates } from '#src/domain/network-files/exchange-rates.ts'
import { type GasPrice, readGasPrices } from '#src/domain/network-files/gas-prices.ts'

const feeScheduleFile = 111n

const parameters = { order: boundOrderParameter('asc'), timestamp: boundTimestampParameter() }

export const gasFeesRoute = defineRoute({
  path: '/network/fees',
  summary: 'List what gas costs by kind of transaction',
  tag: 'network',
  family: 'B',
  parameters,
  maxAge: 60,
  body: gasFeesSchema,
  statuses: { 404: 'No fee schedule or no exchange rate is known of that time' },
  answers: [{ reads: networkFilesReads, answer }],
})

async function answer({ filters }: QueryRequest<typeof parameters>, context: NetworkFilesContext): Promise<Answer> {
  const window = lastWindow(filters.timestamp)
  const schedule = await findFile(feeScheduleFile, window, context)
  const rates = await findFile(exchangeRatesFile, window, context)
  const reference = window.upper ?? schedule.time
  const { prices } = inForce(readGasPrices(schedule.contents), reference)
  const fees = gasFees(prices, inForce(readExchangeRates(rates.contents), reference))
  if (lastValue(filters.order) === 'desc') fees.reverse()
  const list = fees.map(({ gas, name }) => `{"gas":${gas},"transaction_type":"${name}"}`)
  return { body: `{"fees":[${list.join(',')}],"timestamp":"${formatLedgerTime(schedule.time)}"}` }
}

/** What a file says of a time (ns): the next once the present has expired. */
function inForce<T extends { readonly expires: bigint }>(
  { current, next }: { readonly current: T; readonly next: T },
  time: bigint,
): T {
  return time > current.expires * nanosPerSecond ? next : current
}

/** By number, the only kinds that are shown. */
const shownNames: ReadonlyMap<number, string> = new Map(
  (['ContractCall', 'ContractCreate', 'EthereumTransaction'] as const).map((name) => [functionalities[name], name]),
)

/** Tinybars for a unit of gas by name of the transaction, at least one. */
function gasFees(prices: readonly GasPrice[], { hbars, cents }: ExchangeRate): { name: string; gas: bigint }[] {
  if (cents === 0) return []
  const shown = prices.flatMap(({ functionality, price }) => {
    const name = shownNames.get(functionality)
    const gas = ((price / 1_000n) * BigInt(hbars)) / BigInt(cents)
    return name === undefined ? [] : [{ name, gas: gas < 1n ? 1n : gas }]
  })
  return shown.sort((a, b) => (a.name < b.name ? -1 : 1))
}
