import type { TransactionRecorded } from '#schemas/events/types.ts'
import { transactionType } from '#src/domain/transaction-types.ts'
import { contractNumber } from '#src/events/ids.ts'

export const creationFields = ['type', 'entityId', 'record', 'cryptoCreateAccount', 'contractCreateInstance'] as const

export type CreationFacts = Pick<TransactionRecorded, (typeof creationFields)[number]>

const none: readonly bigint[] = []

/** Accounts and contracts that begin with a transaction. Facts that came without their body say nothing of it. */
export function createdAccounts(facts: CreationFacts, successful: boolean): readonly bigint[] {
  const { type, entityId, record, cryptoCreateAccount, contractCreateInstance } = facts
  if (!successful) return none
  const own =
    (type === transactionType.cryptoCreate && cryptoCreateAccount !== null) ||
    (type === transactionType.contractCreate && contractCreateInstance !== null)
  const result = record?.contractCreateResult ?? record?.contractCallResult
  if (!result) return own && entityId !== null ? [entityId] : none
  const contracts = result.createdContractIDs.map(contractNumber).filter((id) => id !== 0n)
  return own && entityId !== null ? [...new Set([entityId, ...contracts])] : contracts
}
