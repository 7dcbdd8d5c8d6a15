import { type ErrorCode, isLedgerError, type LedgerError } from '#src/domain/errors.ts'

const fileProblems: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'source_unavailable',
  'file_name_invalid',
  'file_malformed',
  'file_missing',
  'signature_malformed',
  'signature_invalid',
  'consensus_missing',
  'hash_mismatch',
  'chain_broken',
  'sidecar_mismatch',
  'proof_invalid',
])

/** Whether trying again later can help: the files or the source are at fault, not the log, the store or ourselves. */
export function isFileProblem(error: unknown): error is LedgerError {
  return isLedgerError(error) && fileProblems.has(error.code)
}
