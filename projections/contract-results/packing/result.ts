import { ethereumKindOf, type HeadFacts, renderHead, renderTail } from '#projections/contract-results/render.ts'
import type { EthereumRow, ResultRow } from '#projections/contract-results/schema.ts'
import { hexDigitsOf } from '#src/domain/hex-digits.ts'
import { bloomBytes } from '#src/domain/log-bloom.ts'

/** What a transaction did in the EVM. */
export interface ContractResult
  extends HeadFacts,
    Pick<
      ResultRow,
      'payer' | 'nonce' | 'transactionIndex' | 'result' | 'amount' | 'gasLimit' | 'error' | 'stateChanges'
    > {
  readonly parameters: Uint8Array
  /** null when it failed before execution, as the next one. */
  readonly callResult: Uint8Array | null
  readonly bloom: Uint8Array | null
  readonly failedInitcode: Uint8Array | null
}

/** As it is kept: with what does not change of how it is shown, since it is read more often than written. */
export function resultRow(result: ContractResult, ethereum: EthereumRow | undefined): ResultRow {
  const { parameters, callResult, bloom, failedInitcode } = result
  const [called = '', returned = '', bits = '', initcode = ''] = hexDigitsOf([
    parameters,
    callResult,
    bloom,
    failedInitcode,
  ])
  return {
    time: result.time,
    contract: result.contract,
    sender: result.sender,
    payer: result.payer,
    nonce: result.nonce,
    transactionIndex: result.transactionIndex,
    hash: result.hash,
    result: result.result,
    ethereum: ethereumKindOf(ethereum),
    amount: result.amount,
    gasLimit: result.gasLimit,
    error: result.error,
    parameters: called,
    callResult: callResult === null ? null : returned,
    bloom: bloom === null ? null : isNoFilter(bloom) ? '' : bits,
    failedInitcode: initcode === '' ? null : initcode,
    head: renderHead(result),
    tail: renderTail(result, ethereum, true),
    stateChanges: result.stateChanges,
  }
}

/** Of full length, and nothing but zeros. */
function isNoFilter(bloom: Uint8Array): boolean {
  return bloom.length === bloomBytes && bloom.every((byte) => byte === 0)
}
