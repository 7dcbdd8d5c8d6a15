import { isLedgerError, LedgerError } from '#src/domain/errors.ts'

/**
 * What an answer is made of fails for itself alone: whatever is wrong with it is told as that it cannot be had now, and the one
 * before is given in its place where there is one.
 */
export async function rendered<T>(render: () => Promise<T>): Promise<T> {
  try {
    return await render()
  } catch (error) {
    if (isLedgerError(error)) throw error
    throw new LedgerError('unavailable', 'The status page cannot be shown as it is', { isBroken: true }, error)
  }
}
