import { encodeAuthorizations, encodeStateChanges } from '#projections/contract-results/packing/lists.ts'
import type { ContractResult } from '#projections/contract-results/packing/result.ts'
import type { ActionRow, EthereumRow } from '#projections/contract-results/schema.ts'
import type { ContractExecutionSnapshotted } from '#schemas/events/types.ts'
import { paddedWord } from '#src/domain/evm-words.ts'
import { orNull } from '#src/events/ids.ts'

type Snapshot = ContractExecutionSnapshotted

export function resultOfSnapshot(
  time: bigint,
  result: NonNullable<Snapshot['result']>,
  changes: Snapshot['stateChanges'],
): ContractResult {
  return {
    time,
    contract: result.contractId ?? 0n,
    sender: result.senderId,
    senderAlias: null,
    payer: result.payerAccountId,
    nonce: result.transactionNonce,
    transactionIndex: result.transactionIndex,
    hash: result.transactionHash,
    result: result.transactionResult,
    amount: result.amount,
    gasLimit: result.gasLimit,
    gasUsed: result.gasUsed,
    gasConsumed: result.gasConsumed,
    parameters: result.functionParameters,
    callResult: result.callResult,
    bloom: result.bloom,
    error: result.errorMessage,
    created: result.createdContractIds,
    failedInitcode: result.failedInitcode,
    stateChanges: encodeStateChanges(
      changes.map(({ contractId: contract, slot, ...values }) => ({ contract, slot: paddedWord(slot), ...values })),
    ),
  }
}

export function ethereumRowOfSnapshot(
  time: bigint,
  { authorizationList, ...transaction }: NonNullable<Snapshot['ethereum']>,
): EthereumRow {
  return { time, ...transaction, authorizations: encodeAuthorizations(authorizationList) }
}

export function actionRowOfSnapshot(time: bigint, action: Snapshot['actions'][number]): ActionRow {
  const {
    callDepth: depth,
    callOperationType: operation,
    callerIsContract,
    resultDataType: resultType,
    ...same
  } = action
  const { recipientAccount, recipientContract, ...others } = same
  return {
    time,
    depth,
    operation,
    callerIsContract: callerIsContract ? 1 : 0,
    resultType,
    recipientAccount: recipientAccount && orNull(recipientAccount),
    recipientContract: recipientContract && orNull(recipientContract),
    ...others,
  }
}
