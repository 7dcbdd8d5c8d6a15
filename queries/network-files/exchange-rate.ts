import { timestampParameterOfB } from '#queries/common/parameters-of-b.ts'
import { lastWindow } from '#queries/common/range.ts'
import { defineRoute } from '#queries/common/route.ts'
import { exchangeRateSchema } from '#queries/network-files/body-schema.ts'
import { findFile } from '#queries/network-files/find-file.ts'
import { networkFilesReads } from '#queries/network-files/reads.ts'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'
import { type ExchangeRate, readExchangeRates } from '#src/domain/network-files/exchange-rates.ts'

export const exchangeRatesFile = 112n

const parameters = { timestamp: timestampParameterOfB() }

export const exchangeRateRoute = defineRoute({
  path: '/network/exchangerate',
  summary: 'Get the exchange rates of hbar, the present and the next one',
  tag: 'network',
  dialect: 'B',
  parameters,
  maxAge: 60,
  body: exchangeRateSchema,
  statuses: { 404: 'No rates are known of that time' },
  reads: networkFilesReads,
  answer: async ({ filters }, context) => {
    const { time, contents } = await findFile(exchangeRatesFile, lastWindow(filters.timestamp), context)
    const { current, next } = readExchangeRates(contents)
    return {
      body: `{"current_rate":${renderRate(current)},"next_rate":${renderRate(next)},"timestamp":"${formatLedgerTime(time)}"}`,
    }
  },
})

function renderRate({ hbars, cents, expires }: ExchangeRate): string {
  return `{"cent_equivalent":${cents},"expiration_time":${expires},"hbar_equivalent":${hbars}}`
}
