import { contractIdOf, type FindName, idOf } from '#projections/entity-ids/resolve.ts'
import type { ContractFunctionResult, TransactionRecorded } from '#schemas/events/types.ts'
import { keccak256 } from '#src/domain/keccak.ts'
import { transactionType } from '#src/domain/transaction-types.ts'
import { wrongNonce } from '#src/events/success.ts'

type ResultFacts = Pick<
  TransactionRecorded,
  'type' | 'consensusTimestamp' | 'entityId' | 'entityEvmAddress' | 'record' | 'transactionHash' | 'ethereumTransaction'
>

/** What the EVM gave back, where the record says anything of it. Of two results the creation's counts. */
export function functionResultOf(record: TransactionRecorded['record']): ContractFunctionResult | null {
  if (record === null) return null
  const { contractCreateResult: creation, contractCallResult: call } = record
  if (creation !== null && !isUnset(creation)) return creation
  return call !== null && !isUnset(call) ? call : null
}

/** A message that is there with nothing in it says as much as none. */
function isUnset(result: ContractFunctionResult): boolean {
  const { contractID, contractCallResult, errorMessage, bloom, logInfo, createdContractIDs, functionParameters } =
    result
  return (
    contractID === null &&
    result.gasUsed === 0n &&
    contractCallResult.length === 0 &&
    errorMessage === '' &&
    bloom.length === 0 &&
    logInfo.length === 0 &&
    createdContractIDs.length === 0 &&
    functionParameters.length === 0 &&
    result.evmAddress === null &&
    result.gas === 0n &&
    result.amount === 0n &&
    result.senderId === null &&
    result.contractNonces.length === 0 &&
    result.signerNonce === null
  )
}

/** The contracts that a transaction with a result names; 0 for what is nobody's. */
export interface ResultContracts {
  readonly resultContract: bigint | null
  readonly callContract: bigint
  readonly receiptContract: bigint
}

export const noContracts: ResultContracts = { resultContract: null, callContract: 0n, receiptContract: 0n }

export function contractsOf(facts: ResultFacts, result: ContractFunctionResult, find: FindName): ResultContracts {
  const { type, consensusTimestamp: time, entityId: id, entityEvmAddress: address, record } = facts
  const ofResult = contractIdOf(result.contractID, find, time) ?? 0n
  const isOwn = type === transactionType.contractCall || type === transactionType.contractCreate
  const receiptContract = contractIdOf(record?.receipt?.contractID ?? null, find, time) ?? 0n
  const isCreation = result === record?.contractCreateResult
  return {
    resultContract: isOwn ? (idOf({ id, address }, find, time) ?? 0n) : ofResult,
    callContract: isCreation && ofResult === 0n ? receiptContract : ofResult,
    receiptContract,
  }
}

const evmTypes: ReadonlySet<number> = new Set([
  transactionType.contractCall,
  transactionType.contractCreate,
  transactionType.ethereumTransaction,
])

/** Whether a transaction with a result is one of those that the EVM counts: what has another nonce than it should never was. */
export function takesPlace({ type, result }: Pick<TransactionRecorded, 'type' | 'result'>): boolean {
  return evmTypes.has(type) && result !== wrongNonce
}

const hashBytes = 32

/** A transaction's hash as the EVM knows it: of an Ethereum transaction its own, of others the first part of the ledger's. */
export function evmHashOf(facts: ResultFacts): Buffer | null {
  const { type, record, ethereumTransaction: body, transactionHash } = facts
  if (type !== transactionType.ethereumTransaction) return transactionHash?.subarray(0, hashBytes) ?? null
  if (record !== null && record.ethereumHash.length > 0) return record.ethereumHash
  // With its call data in a file, the bytes that were hashed are not those of the body.
  return body === null || body.callData !== null ? null : keccak256(body.ethereumData)
}
