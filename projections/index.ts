import { airdropsProjection } from '#projections/airdrops/projection.ts'
import { allowancesProjection } from '#projections/allowances/projection.ts'
import { balancesProjection } from '#projections/balances/projection.ts'
import { blocksProjection } from '#projections/blocks/projection.ts'
import { contractLogsProjection } from '#projections/contract-logs/projection.ts'
import { contractResultsProjection } from '#projections/contract-results/projection.ts'
import { contractsProjection } from '#projections/contracts/projection.ts'
import { entitiesProjection } from '#projections/entities/projection.ts'
import { hooksProjection } from '#projections/hooks/projection.ts'
import { networkProjection } from '#projections/network/projection.ts'
import { networkFilesProjection } from '#projections/network-files/projection.ts'
import { nftsProjection } from '#projections/nfts/projection.ts'
import { schedulesProjection } from '#projections/schedules/projection.ts'
import { stakingProjection } from '#projections/staking/projection.ts'
import { statusProjection } from '#projections/status/projection.ts'
import { tokensProjection } from '#projections/tokens/projection.ts'
import { topicsProjection } from '#projections/topics/projection.ts'
import { transactionsProjection } from '#projections/transactions/projection.ts'
import { verificationProjection } from '#projections/verification/projection.ts'
import type { AnyProjection } from '#src/runtime/fold/projection.ts'

/** Every read model of the ledger that this version of the code keeps. */
export const allProjections: readonly AnyProjection[] = [
  transactionsProjection,
  blocksProjection,
  hooksProjection,
  networkProjection,
  networkFilesProjection,
  entitiesProjection,
  balancesProjection,
  stakingProjection,
  topicsProjection,
  schedulesProjection,
  contractLogsProjection,
  tokensProjection,
  allowancesProjection,
  airdropsProjection,
  nftsProjection,
  contractsProjection,
  contractResultsProjection,
]

/** Every read model of the decisions. */
const decisionProjections: readonly AnyProjection[] = [statusProjection, verificationProjection]

/** What a deployment keeps: the read models of both. */
export const keptProjections: readonly AnyProjection[] = [...allProjections, ...decisionProjections]
