import type { TransactionRecorded } from '#schemas/events/types.ts'
import { isSuccessCode } from '#src/domain/response-codes.ts'

/** Whether a transaction changed state beyond its fees: by its result alone where its parent is not known. */
export function hasSucceeded({ successful, result }: Pick<TransactionRecorded, 'successful' | 'result'>): boolean {
  return successful ?? isSuccessCode(result)
}
