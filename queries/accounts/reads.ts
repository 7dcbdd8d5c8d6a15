import { balancesSchema } from '#projections/balances/schema.ts'
import { type EntityRow, entitiesSchema } from '#projections/entities/schema.ts'
import { stakingSchema } from '#projections/staking/schema.ts'
import type { QueryContext } from '#queries/common/route.ts'
import { transactionReads } from '#queries/transactions/reads.ts'

/** What the list of accounts reads from. */
export const accountReads = { entities: entitiesSchema, balances: balancesSchema, staking: stakingSchema }

/** One account comes with its transactions. */
export const accountDetailReads = { ...accountReads, ...transactionReads }

export type AccountContext = QueryContext<typeof accountReads>
export type AccountDetailContext = QueryContext<typeof accountDetailReads>

/** What is shown of an entity, and decides whether it is: of all that is known of one it is two thirds. */
export const accountFields = [
  'id',
  'type',
  'from',
  'createdTimestamp',
  'deleted',
  'key',
  'alias',
  'evmAddress',
  'memo',
  'expirationTimestamp',
  'autoRenewPeriod',
  'receiverSigRequired',
  'maxAutomaticTokenAssociations',
  'stakedAccountId',
  'stakedNodeId',
  'declineReward',
  'stakePeriodStart',
  'ethereumNonce',
  'delegationAddress',
] as const satisfies readonly (keyof EntityRow)[]

export type AccountRow = Pick<EntityRow, (typeof accountFields)[number]>
