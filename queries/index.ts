import { accountRoutes } from '#queries/accounts/routes.ts'
import { airdropRoutes } from '#queries/airdrops/routes.ts'
import { allowanceRoutes } from '#queries/allowances/routes.ts'
import { balanceRoutes } from '#queries/balances/routes.ts'
import { blockRoutes } from '#queries/blocks/routes.ts'
import { contractCallRoutes } from '#queries/contract-calls/routes.ts'
import { contractLogRoutes } from '#queries/contract-logs/routes.ts'
import { contractResultRoutes } from '#queries/contract-results/routes.ts'
import { contractRoutes } from '#queries/contracts/routes.ts'
import { hookRoutes } from '#queries/hooks/routes.ts'
import { networkRoutes } from '#queries/network/routes.ts'
import { networkFilesRoutes } from '#queries/network-files/routes.ts'
import { nftRoutes } from '#queries/nfts/routes.ts'
import { scheduleRoutes } from '#queries/schedules/routes.ts'
import { stakingRoutes } from '#queries/staking/routes.ts'
import { statusRoutes } from '#queries/status/routes.ts'
import { tokenRoutes } from '#queries/tokens/routes.ts'
import { topicRoutes } from '#queries/topics/routes.ts'
import { transactionRoutes } from '#queries/transactions/routes.ts'
import { codeReads, verifiedReads } from '#queries/verification/reads.ts'

/** Every endpoint of the history. */
export const apiRoutes = [
  ...accountRoutes,
  ...transactionRoutes,
  ...blockRoutes,
  ...balanceRoutes,
  ...stakingRoutes,
  ...hookRoutes,
  ...networkRoutes,
  ...topicRoutes,
  ...scheduleRoutes,
  ...networkFilesRoutes,
  ...contractLogRoutes,
  ...tokenRoutes,
  ...allowanceRoutes,
  ...airdropRoutes,
  ...nftRoutes,
  ...contractRoutes,
  ...contractCallRoutes,
  ...contractResultRoutes,
]

/** What a deployment answers: the history, and the status page. */
export const servedRoutes = [...apiRoutes, ...statusRoutes]

/** All that reads: the routes, and the verification of contracts, whose answers have a form of their own. */
export const servedReaders = [
  ...servedRoutes,
  { answers: [{ reads: verifiedReads }] },
  { answers: [{ reads: codeReads }] },
]
