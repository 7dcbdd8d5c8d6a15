import { exchangeRateRoute } from '#queries/network-files/exchange-rate.ts'
import { feeEstimateRoute } from '#queries/network-files/fee-estimate.ts'
import { gasFeesRoute } from '#queries/network-files/gas-fees.ts'

export const networkFilesRoutes = [exchangeRateRoute, gasFeesRoute, feeEstimateRoute]
