import { type Fail, FieldReader } from '#src/domain/field-reader.ts'
import type { BlockTransaction } from '#src/importer/block/records/block-transaction.ts'
import { fieldValue } from '#src/importer/block/records/field-values.ts'
import { type MessageId, readId } from '#src/importer/block/records/ids.ts'
import { output, outputOf } from '#src/importer/block/records/outputs.ts'

/** An EvmTransactionResult; what a record repeats as serialized values. */
export interface EvmResult {
  readonly isCreate: boolean
  readonly isEthereum: boolean
  /** Serialized AccountID. */
  readonly sender: Buffer | undefined
  readonly contractId: Buffer | undefined
  readonly contract: MessageId | undefined
  readonly resultData: Buffer | undefined
  readonly errorMessage: Buffer | undefined
  /** A uint64 as its two's complement, like the others. */
  readonly gasUsed: bigint
  /** What a contract asked for; absent where a user did. */
  readonly internal: InternalCall | undefined
  /** Serialized HookId. */
  readonly executedHook: Buffer | undefined
  /** Serialized ContractNonceInfos. */
  readonly nonces: readonly Buffer[]
  /** Serialized Int64Value. */
  readonly signerNonce: Buffer | undefined
}

export interface InternalCall {
  readonly gas: bigint
  readonly amount: bigint
  readonly parameters: Buffer | undefined
}

/** What the EVM gave back; undefined where the transaction has nothing of it. */
export function evmResultOf(transaction: BlockTransaction, fail: Fail): EvmResult | undefined {
  if (transaction.outputs.length === 0) return undefined
  const ethereum = outputOf(transaction, output.ethereum, fail)
  if (ethereum) {
    const call = fieldValue(ethereum, 1, fail)
    const create = fieldValue(ethereum, 2, fail)
    const message = call ?? create
    return message && readResult(message, { isCreate: call === undefined, isEthereum: true }, fail)
  }
  const call = outputOf(transaction, output.contractCall, fail)
  const create = call ?? outputOf(transaction, output.contractCreate, fail)
  const message = create && fieldValue(create, 1, fail)
  return message && readResult(message, { isCreate: call === undefined, isEthereum: false }, fail)
}

type Kind = Pick<EvmResult, 'isCreate' | 'isEthereum'>
type Writable<T> = { -readonly [Name in keyof T]: T[Name] }

function readResult(message: Buffer, kind: Kind, fail: Fail): EvmResult {
  const nonces: Buffer[] = []
  const result: Writable<EvmResult> = {
    ...kind,
    sender: undefined,
    contractId: undefined,
    contract: undefined,
    resultData: undefined,
    errorMessage: undefined,
    gasUsed: 0n,
    internal: undefined,
    executedHook: undefined,
    nonces,
    signerNonce: undefined,
  }
  const fields = new FieldReader(message, fail)
  while (fields.next()) {
    const { field } = fields
    if (field === 1) result.sender = fields.bytes()
    else if (field === 2) result.contractId = fields.bytes()
    else if (field === 3) result.resultData = fields.bytes()
    else if (field === 4) result.errorMessage = fields.bytes()
    else if (field === 5) result.gasUsed = fields.int64()
    else if (field === 6) result.internal = readInternal(fields.message())
    else if (field === 7) result.executedHook = fields.bytes()
    else if (field === 8) nonces.push(fields.bytes())
    else if (field === 9) result.signerNonce = fields.bytes()
  }
  result.contract = readId(result.contractId, fail)
  return result
}

function readInternal(fields: FieldReader): InternalCall {
  let gas = 0n
  let amount = 0n
  let parameters: Buffer | undefined
  while (fields.next()) {
    if (fields.field === 1) gas = fields.int64()
    else if (fields.field === 2) amount = fields.int64()
    else if (fields.field === 3) parameters = fields.bytes()
  }
  return { gas, amount, parameters }
}
