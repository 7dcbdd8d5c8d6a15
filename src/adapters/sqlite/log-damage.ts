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
    { file, reason, ...where },
    cause,
  )
}

/** Of everything that cannot be repaired in place, since the log is the truth. */
const logRepair =
  'restore it from a copy, or write a new generation of it with "ledger-history import republish", see docs/how-to/repair-the-log.md'

/** What stands among the decisions is not what was written. They can be made from nothing else. */
export function decisionsDamaged(file: string, reason: string, cause?: unknown): LedgerError {
  const message = `The decisions in ${file} are damaged: ${reason}; restore the file from a copy`
  const told = `The decisions are damaged: ${reason}; they have to be restored from a copy`
  return new LedgerError('decisions_damaged', message, { file, told }, cause)
}
