import { decodeEthereumTransaction } from '#src/domain/ethereum-transaction.ts'
import { type Fail, FieldReader } from '#src/domain/field-reader.ts'
import { transactionType } from '#src/domain/transaction-types.ts'
import type { EvmResult, InternalCall } from '#src/importer/block/records/evm/evm-result.ts'
import type { SignedBody } from '#src/importer/block/records/signed-body.ts'

const weibarsPerTinybar = 10_000_000_000n

/** What was asked of the EVM: the result tells it of calls that contracts make, the body of what a user does. */
export function askedFor(
  { internal, isCreate }: EvmResult,
  body: SignedBody,
  fail: Fail,
  uploaded?: Buffer,
): InternalCall | undefined {
  if (internal) return internal
  if (body.type === transactionType.contractCall)
    return fieldsOf(body.content, { gas: 2, amount: 3, parameters: 4 }, fail)
  if (body.type === transactionType.contractCreate) return fieldsOf(body.content, { gas: 4, amount: 5 }, fail)
  if (body.type !== transactionType.ethereumTransaction) return undefined
  return askedByEthereum(body.content, isCreate, fail, uploaded)
}

interface Places {
  readonly gas: number
  readonly amount: number
  readonly parameters?: number
}

function fieldsOf(content: Buffer, places: Places, fail: Fail): InternalCall {
  const fields = new FieldReader(content, fail)
  let gas = 0n
  let amount = 0n
  let parameters: Buffer | undefined
  while (fields.next()) {
    if (fields.field === places.gas) gas = fields.int64()
    else if (fields.field === places.amount) amount = fields.int64()
    else if (fields.field === places.parameters) parameters = fields.bytes()
  }
  return { gas, amount, parameters }
}

/** Of a creation the data is its code, which is no parameter. */
function askedByEthereum(content: Buffer, isCreate: boolean, fail: Fail, uploaded?: Buffer): InternalCall | undefined {
  const fields = new FieldReader(content, fail)
  let data = content.subarray(0, 0)
  while (fields.next()) if (fields.field === 1) data = fields.bytes()
  const transaction = decodeEthereumTransaction(data)
  if (transaction === undefined) return undefined
  const { gasLimit: gas, value, callData } = transaction
  const weibars = value.length === 0 ? 0n : BigInt(`0x${value.toString('hex')}`)
  return {
    gas,
    amount: BigInt.asIntN(64, weibars / weibarsPerTinybar),
    parameters: isCreate ? undefined : (uploaded ?? callData),
  }
}
