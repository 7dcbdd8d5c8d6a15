import type { ContractExecutionSnapshotted } from '#schemas/events/types.ts'
import type { CaseRow, CaseRows } from '#test/conformance/case-file.ts'
import * as read from '#test/conformance/row-values.ts'
import { type Statement, statement } from '#test/conformance/state/statement.ts'

type Execution = ContractExecutionSnapshotted

/** Tables `contract_result`, `ethereum_transaction`, `contract_action` and `contract_state_change`: a statement for each time. */
export function contractExecutionStatements(rows: CaseRows): Statement[] {
  const results = byTime(rows['contract_result'])
  const ethereum = byTime(rows['ethereum_transaction'])
  const actions = byTime(rows['contract_action'])
  const changes = byTime(rows['contract_state_change'])
  const times = new Set([results, ethereum, actions, changes].flatMap((each) => [...each.keys()]))
  return [...times].map((asOf) => {
    const [result] = results.get(asOf) ?? []
    const [transaction] = ethereum.get(asOf) ?? []
    return statement('ContractExecutionSnapshotted', 'contract-execution', {
      asOf,
      result: result ? resultOf(result) : null,
      ethereum: transaction ? ethereumOf(transaction) : null,
      actions: (actions.get(asOf) ?? []).map(actionOf),
      stateChanges: (changes.get(asOf) ?? []).map(changeOf),
    })
  })
}

function byTime(rows: readonly CaseRow[] = []): Map<bigint, CaseRow[]> {
  return Map.groupBy(rows, (row) => read.int64(row, 'consensus_timestamp'))
}

function resultOf(row: CaseRow): NonNullable<Execution['result']> {
  return {
    contractId: read.int64OrNull(row, 'contract_id'),
    senderId: read.int64OrNull(row, 'sender_id'),
    payerAccountId: read.int64(row, 'payer_account_id'),
    transactionNonce: read.int32(row, 'transaction_nonce'),
    transactionIndex: read.int32OrNull(row, 'transaction_index'),
    transactionHash: read.bytesOrNull(row, 'transaction_hash'),
    transactionResult: read.int32(row, 'transaction_result'),
    amount: read.int64OrNull(row, 'amount'),
    gasLimit: read.int64OrNull(row, 'gas_limit'),
    gasUsed: read.int64OrNull(row, 'gas_used'),
    gasConsumed: read.int64OrNull(row, 'gas_consumed'),
    functionParameters: read.bytes(row, 'function_parameters'),
    callResult: read.bytesOrNull(row, 'call_result'),
    bloom: read.bytesOrNull(row, 'bloom'),
    errorMessage: read.textOrNull(row, 'error_message'),
    createdContractIds: read.textsOf(row, 'created_contract_ids').map(BigInt),
    failedInitcode: read.bytesOrNull(row, 'failed_initcode'),
  }
}

function ethereumOf(row: CaseRow): NonNullable<Execution['ethereum']> {
  return {
    type: read.int32(row, 'type'),
    chainId: read.bytesOrNull(row, 'chain_id'),
    nonce: read.int64OrNull(row, 'nonce'),
    gasPrice: read.bytesOrNull(row, 'gas_price'),
    maxFeePerGas: read.bytesOrNull(row, 'max_fee_per_gas'),
    maxPriorityFeePerGas: read.bytesOrNull(row, 'max_priority_fee_per_gas'),
    gasLimit: read.int64(row, 'gas_limit'),
    toAddress: read.bytesOrNull(row, 'to_address'),
    value: read.bytesOrNull(row, 'value'),
    callData: read.bytesOrNull(row, 'call_data'),
    callDataId: read.int64OrNull(row, 'call_data_id'),
    accessList: read.bytesOrNull(row, 'access_list'),
    authorizationList:
      row['authorization_list'] === null ? null : read.rowsOf(row, 'authorization_list').map(authorizationOf),
    recoveryId: read.int32OrNull(row, 'recovery_id'),
    signatureR: read.bytesOrNull(row, 'signature_r'),
    signatureS: read.bytesOrNull(row, 'signature_s'),
    signatureV: read.bytesOrNull(row, 'signature_v'),
  }
}

function authorizationOf(row: CaseRow) {
  return {
    // Half a byte more than there are says nothing.
    chainId: read.text(row, 'chain_id').length % 2 === 0 ? read.bytes(row, 'chain_id') : Buffer.alloc(0),
    address: read.bytes(row, 'address'),
    nonce: read.int64(row, 'nonce'),
    yParity: read.int32(row, 'y_parity'),
    r: read.bytes(row, 'r'),
    s: read.bytes(row, 's'),
  }
}

function actionOf(row: CaseRow): Execution['actions'][number] {
  return {
    index: read.int32(row, 'index'),
    callDepth: read.int32(row, 'call_depth'),
    callType: read.int32(row, 'call_type'),
    callOperationType: read.int32(row, 'call_operation_type'),
    caller: read.int64OrNull(row, 'caller'),
    callerIsContract: row['caller_type'] === 'CONTRACT',
    gas: read.int64(row, 'gas'),
    gasUsed: read.int64(row, 'gas_used'),
    input: read.bytesOrNull(row, 'input'),
    recipientAccount: read.int64OrNull(row, 'recipient_account'),
    recipientContract: read.int64OrNull(row, 'recipient_contract'),
    recipientAddress: read.bytesOrNull(row, 'recipient_address'),
    resultData: read.bytesOrNull(row, 'result_data'),
    resultDataType: read.int32(row, 'result_data_type'),
    value: read.int64(row, 'value'),
  }
}

function changeOf(row: CaseRow): Execution['stateChanges'][number] {
  return {
    contractId: read.int64(row, 'contract_id'),
    slot: read.bytes(row, 'slot'),
    valueRead: read.bytes(row, 'value_read'),
    valueWritten: read.bytesOrNull(row, 'value_written'),
    migration: read.flag(row, 'migration'),
  }
}
