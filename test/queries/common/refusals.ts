import { textsOf } from '#queries/common/errors.ts'
import { isLedgerError } from '#src/domain/errors.ts'

/** What a request is refused with; empty where it is not. */
export function messages(run: () => unknown): string[] {
  try {
    run()
  } catch (error) {
    if (isLedgerError(error, 'invalid_parameter')) return textsOf(error)
    throw error
  }
  return []
}
