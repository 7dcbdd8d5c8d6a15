import type { LogRow } from '#projections/contract-logs/schema.ts'

/** What an answer shows of a log. */
export const logFields = [
  'consensusTimestamp',
  'index',
  'contractId',
  'rootContractId',
  'digits',
  'transactionIndex',
  'payer',
  'kind',
  'blockEnd',
] as const satisfies readonly (keyof LogRow)[]

export type FoundLog = Pick<LogRow, (typeof logFields)[number]>
