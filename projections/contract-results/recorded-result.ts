import { evmHashOf } from '#projections/contract-logs/contract-result.ts'
import type { ResultFacts } from '#projections/contract-results/function-result.ts'
import { failedInitcode, gasConsumed } from '#projections/contract-results/gas.ts'
import { encodeStateChanges } from '#projections/contract-results/packing/lists.ts'
import type { ContractResult } from '#projections/contract-results/packing/result.ts'
import { slotChanges } from '#projections/contracts/slots.ts'
import { contractIdOf, type FindName, idOf } from '#projections/entity-ids/resolve.ts'
import type { AccountID, ContractFunctionResult } from '#schemas/events/types.ts'
import type { EthereumTransaction } from '#src/domain/ethereum-transaction.ts'
import { transactionType } from '#src/domain/transaction-types.ts'
import { accountNumber } from '#src/events/ids.ts'

/** What a result is made of besides the transaction. */
export interface ResultParts {
  /** What the EVM gave back; null when it failed before. */
  readonly given: ContractFunctionResult | null
  /** Of an Ethereum transaction, where its bytes can be read. */
  readonly ethereum: EthereumTransaction | undefined
  readonly find: FindName
  /** Version of the ledger's API; undefined before the first block. */
  readonly version: number | undefined
}

export function recordedResult(facts: ResultFacts, parts: ResultParts): ContractResult {
  const { given, find, version } = parts
  const { consensusTimestamp: time, payerAccountId: payer } = facts
  const asked = askedFor(facts, parts)
  const { contract, created } = contractsOf(facts, given, find)
  return {
    time,
    contract,
    ...senderOf(given?.senderId ?? null, payer),
    payer,
    nonce: facts.nonce,
    transactionIndex: null,
    hash: evmHashOf(facts),
    result: facts.result,
    ...asked,
    ...(given === null ? failedBefore(facts) : givenBack(given)),
    created,
    gasConsumed: gasConsumed(facts, given, asked.parameters, version),
    failedInitcode: failedInitcode(facts),
    stateChanges: encodeStateChanges(slotChanges(facts.contractStateChanges)),
  }
}

/** Whoever sent the message: the payer where the result tells nobody. */
function senderOf(id: AccountID | null, payer: bigint): Pick<ContractResult, 'sender' | 'senderAlias'> {
  if (id?.alias?.length) return { sender: null, senderAlias: id.alias }
  return { sender: accountNumber(id) || payer, senderAlias: null }
}

/** The contracts that a result names: the one that it is of, and those that were created. */
function contractsOf(facts: ResultFacts, given: ContractFunctionResult | null, find: FindName) {
  const { consensusTimestamp: time } = facts
  const created = given?.createdContractIDs.map((id) => contractIdOf(id, find, time)) ?? []
  return { contract: contractOf(facts, given, find), created: created.filter((id) => id !== null) }
}

/** Calls and creations are about the entity of their body, all else about what the EVM says; 0 where that is nobody. */
function contractOf(facts: ResultFacts, given: ContractFunctionResult | null, find: FindName): bigint {
  const { type, consensusTimestamp: time, entityId: id, entityEvmAddress: address } = facts
  const isOwn = type === transactionType.contractCall || type === transactionType.contractCreate
  return (isOwn ? idOf({ id, address }, find, time) : contractIdOf(given?.contractID ?? null, find, time)) ?? 0n
}

type Asked = Pick<ContractResult, 'amount' | 'gasLimit' | 'parameters'>

/** What the user asked for: of Ethereum transactions and all others the network tells it with the result. */
function askedFor(
  { type, contractCall, contractCreateInstance }: ResultFacts,
  { given, ethereum }: ResultParts,
): Asked {
  if (type === transactionType.contractCall && contractCall !== null) {
    const { amount, gas, functionParameters } = contractCall
    return { amount, gasLimit: gas, parameters: functionParameters }
  }
  if (type === transactionType.contractCreate && contractCreateInstance !== null) {
    const { initialBalance, gas, constructorParameters } = contractCreateInstance
    return { amount: initialBalance, gasLimit: gas, parameters: constructorParameters }
  }
  if (given !== null) return { amount: given.amount, gasLimit: given.gas, parameters: given.functionParameters }
  return { amount: null, gasLimit: ethereum?.gasLimit ?? 0n, parameters: ethereum?.callData ?? Buffer.alloc(0) }
}

type GivenBack = Pick<ContractResult, 'gasUsed' | 'callResult' | 'bloom' | 'error'>

function givenBack(given: ContractFunctionResult): GivenBack {
  return {
    gasUsed: given.gasUsed,
    callResult: given.contractCallResult,
    bloom: given.bloom,
    error: given.errorMessage,
  }
}

/** Nothing is known of what never ran; of an Ethereum transaction it is known that it returned nothing. */
function failedBefore({ type }: ResultFacts): GivenBack {
  const isEthereum = type === transactionType.ethereumTransaction
  return {
    gasUsed: isEthereum ? 0n : null,
    callResult: isEthereum ? Buffer.alloc(0) : null,
    bloom: null,
    error: null,
  }
}
