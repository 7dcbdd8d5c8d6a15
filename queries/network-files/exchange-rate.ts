import { timestampParameterOfB } from '#queries/common/parameters-of-b.ts'
import { lastWindow } from '#queries/common/range.ts'
import { defineRoute } from '#queries/common/route.ts'
import { findFile } from '#queries/network-files/find-file.ts'
import { networkFilesReads } from '#queries/network-files/reads.ts'
import { exchangeRatesObject } from '#queries/network-files/render.ts'
import { readExchangeRates } from '#src/domain/network-files/exchange-rates.ts'

export const exchangeRatesFile = 112n

const parameters = { timestamp: timestampParameterOfB() }

export const exchangeRateRoute = defineRoute({
  path: '/network/exchangerate',
  summary: 'Get the exchange rates of hbar, the present and the next one',
  tag: 'network',
  dialect: 'B',
  parameters,
  maxAge: 60,
  body: exchangeRatesObject.schema,
  statuses: { 404: 'No rates are known of that time' },
  reads: networkFilesReads,
  answer: async ({ filters }, context) => {
    const { time, contents } = await findFile(exchangeRatesFile, lastWindow(filters.timestamp), context)
    return { body: exchangeRatesObject.render({ time, ...readExchangeRates(contents) }) }
  },
})
