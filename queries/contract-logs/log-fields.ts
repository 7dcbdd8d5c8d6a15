import type { LogRow } from '#projections/contract-logs/schema.ts'

/** What an answer shows of a log. */
export const logFields = [
  'consensusTimestamp',
  'index',
  'contractId',
  'rootContractId',
  'topic0',
  'topic1',
  'topic2',
  'topic3',
  'data',
  'bloom',
  'transactionHash',
  'transactionIndex',
  'synthetic',
  'blockEnd',
] as const satisfies readonly (keyof LogRow)[]

export type FoundLog = Pick<LogRow, (typeof logFields)[number]>
