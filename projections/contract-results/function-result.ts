import type { ContractFunctionResult, TransactionRecorded } from '#schemas/events/types.ts'
import { responseCodeName } from '#src/domain/response-codes.ts'
import { transactionType } from '#src/domain/transaction-types.ts'
import { hasSucceeded } from '#src/events/success.ts'

/** Fields of a transaction that its contract result depends on. */
export const resultFacts = [
  'type',
  'successful',
  'result',
  'consensusTimestamp',
  'payerAccountId',
  'nonce',
  'transactionHash',
  'entityId',
  'entityEvmAddress',
  'record',
  'contractCall',
  'contractCreateInstance',
  'ethereumTransaction',
  'contractActions',
  'contractStateChanges',
  'contractBytecode',
] as const

export type ResultFacts = Pick<TransactionRecorded, (typeof resultFacts)[number]>

/** Results of Ethereum transactions that leave no contract result: the same transaction has, or will have, another one. */
const leavesNone: ReadonlySet<string> = new Set(['DUPLICATE_TRANSACTION', 'WRONG_NONCE'])

/**
 * Whether the transaction has a contract result: calls and creations always, others where the EVM gave something back, and
 * Ethereum transactions that failed before. Nearly all are passed over with a look at their type and record.
 */
export function hasContractResult(facts: ResultFacts, given: ContractFunctionResult | null): boolean {
  if (given !== null) return true
  switch (facts.type) {
    case transactionType.contractCall:
      return facts.contractCall !== null
    case transactionType.contractCreate:
      return facts.contractCreateInstance !== null
    case transactionType.ethereumTransaction:
      return (
        facts.ethereumTransaction !== null && !hasSucceeded(facts) && !leavesNone.has(responseCodeName(facts.result))
      )
    default:
      return false
  }
}
