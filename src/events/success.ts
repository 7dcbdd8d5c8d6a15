import type { TransactionRecorded } from '#schemas/events/types.ts'
import { isSuccessCode } from '#src/domain/response-codes.ts'

/** Whether a transaction changed state beyond its fees: by its result alone where its parent is not known. */
export function hasSucceeded({ successful, result }: Pick<TransactionRecorded, 'successful' | 'result'>): boolean {
  return successful ?? isSuccessCode(result)
}

/** FAIL_INVALID: movements of tokens in its record happened all the same. Origin: corrections of the main network. */
export const failInvalid = 23

/** Whether a transaction's movements of tokens happened. */
export function hasMovedTokens(facts: Pick<TransactionRecorded, 'successful' | 'result'>): boolean {
  return facts.result === failInvalid || hasSucceeded(facts)
}

/** SUCCESS. */
export const success = 22

/** WRONG_NONCE: as if the Ethereum transaction had never been sent. */
export const wrongNonce = 312
