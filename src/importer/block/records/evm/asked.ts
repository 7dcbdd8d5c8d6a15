import { decodeEthereumTransaction } from '#src/domain/ethereum-transaction.ts'
import type { Fail } from '#src/domain/field-reader.ts'
import { transactionType } from '#src/domain/transaction-types.ts'
import type { EvmResult, InternalCall } from '#src/importer/block/records/evm/evm-result.ts'
import { fieldValue } from '#src/importer/block/records/field-values.ts'
import type { SignedBody } from '#src/importer/block/records/signed-body.ts'

const weibarsPerTinybar = 10_000_000_000n

/**
 * What was asked of the EVM, as far as records say it: the result tells it of calls that contracts make, an Ethereum transaction of itself. Of
 * all others the body says it alone. `uploaded`: call data that came as a file.
 */
export function askedFor(
  { internal }: EvmResult,
  { type, content }: SignedBody,
  fail: Fail,
  uploaded?: Buffer,
): InternalCall | undefined {
  if (internal || type !== transactionType.ethereumTransaction) return internal
  const transaction = decodeEthereumTransaction(fieldValue(content, 1, fail) ?? content.subarray(0, 0))
  if (transaction === undefined) return undefined
  const { gasLimit: gas, value, callData } = transaction
  const weibars = value.length === 0 ? 0n : BigInt(`0x${value.toString('hex')}`)
  return { gas, amount: BigInt.asIntN(64, weibars / weibarsPerTinybar), parameters: uploaded ?? callData }
}
