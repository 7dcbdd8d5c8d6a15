import { LedgerError } from '#src/domain/errors.ts'

/** What stands in the log's file is not what was written. `where`: the first and the last event that cannot be had. */
export function logDamaged(
  file: string,
  reason: string,
  where: { readonly first?: number; readonly last?: number } = {},
  cause?: unknown,
): LedgerError {
  return new LedgerError(
    'log_damaged',
    `The log ${file} is damaged: ${reason}; ${logRepair}`,
    { file, ...where },
    cause,
  )
}

/** Of everything that cannot be repaired in place, since the log is the truth. */
export const logRepair =
  'restore it from a copy, or write a new generation of it with "ledger-history import republish", see docs/how-to/repair-the-log.md'
