import { unpackDigits } from '#projections/contract-logs/packing/digits.ts'
import { resultRow } from '#projections/contract-results/packing/result.ts'
import type { ResultRow } from '#projections/contract-results/schema.ts'
import type { FoundLog } from '#queries/contract-logs/log-fields.ts'
import { success } from '#src/events/success.ts'

/** What a log does not tell of the transaction that it was made for. */
export interface SyntheticFacts {
  readonly nonce: number
  readonly result: number
  readonly bloom: Uint8Array | null
}

const asListed: SyntheticFacts = { nonce: 0, result: success, bloom: null }

/**
 * The result that EVM tools are to see of a transaction that never ran in the EVM, from the leading one of the logs that were made
 * for it: its payer sent it to the token.
 */
export function syntheticRow(leading: FoundLog, { nonce, result, bloom } = asListed): ResultRow {
  const { transactionHash: hash } = unpackDigits(leading.digits)
  const { consensusTimestamp: time, contractId: contract, payer, transactionIndex } = leading
  const known = { time, contract, payer, nonce, transactionIndex, result, bloom, sender: payer, senderAlias: null }
  return resultRow({ ...known, hash: hash === null ? null : Buffer.from(hash, 'hex'), ...withoutExecution }, undefined)
}

/** Nothing ran: it took no gas, and there is nothing that it could have returned. */
const withoutExecution = {
  amount: null,
  gasLimit: 0n,
  gasUsed: null,
  gasConsumed: null,
  parameters: new Uint8Array(),
  callResult: new Uint8Array(),
  error: null,
  created: [],
  failedInitcode: null,
  stateChanges: null,
}
