/**
 * The closed catalogue of operational errors: code, what the caller does about it, and the status where it reaches
 * HTTP. `stop`: a person is needed. `retry`: try again later. `reject`: the input is wrong.
 */
export const errorCatalogue = {
  invalid_parameter: { disposition: 'reject', status: 400 },
  invalid_credentials: { disposition: 'reject', status: 401 },
  not_found: { disposition: 'reject', status: 404 },
  method_not_allowed: { disposition: 'reject', status: 405 },
  not_acceptable: { disposition: 'reject', status: 406 },
  media_type_unsupported: { disposition: 'reject', status: 415 },
  throttled: { disposition: 'reject', status: 429 },
  fact_unknown: { disposition: 'reject', status: 501 },
  client_gone: { disposition: 'reject', status: 499 },
  not_implemented: { disposition: 'reject', status: 501 },
  unavailable: { disposition: 'retry', status: 503 },
  overloaded: { disposition: 'retry', status: 503 },
  filling: { disposition: 'retry', status: 503 },
  rows_unusable: { disposition: 'stop', status: 503 },
  config_invalid: { disposition: 'stop', status: 500 },
  port_taken: { disposition: 'stop', status: 500 },
  data_folder_unusable: { disposition: 'stop', status: 500 },
  data_folder_newer: { disposition: 'stop', status: 500 },
  data_folder_other_network: { disposition: 'stop', status: 500 },
  disk_full: { disposition: 'retry', status: 503 },
  log_writer_busy: { disposition: 'retry', status: 503 },
  log_writer_fenced: { disposition: 'stop', status: 500 },
  log_gap: { disposition: 'stop', status: 500 },
  log_unavailable: { disposition: 'retry', status: 503 },
  store_unavailable: { disposition: 'retry', status: 503 },
  checkpoint_moved: { disposition: 'stop', status: 500 },
  checkpoint_ahead: { disposition: 'stop', status: 500 },
  owner_fenced: { disposition: 'stop', status: 500 },
  schema_unknown: { disposition: 'stop', status: 500 },
  fold_failed: { disposition: 'stop', status: 500 },
  source_unavailable: { disposition: 'retry', status: 503 },
  source_quiet: { disposition: 'retry', status: 503 },
  source_empty: { disposition: 'stop', status: 500 },
  address_book_invalid: { disposition: 'stop', status: 500 },
  file_name_invalid: { disposition: 'stop', status: 500 },
  file_malformed: { disposition: 'stop', status: 500 },
  signature_malformed: { disposition: 'stop', status: 500 },
  signature_invalid: { disposition: 'stop', status: 500 },
  consensus_missing: { disposition: 'stop', status: 500 },
  hash_mismatch: { disposition: 'stop', status: 500 },
  chain_broken: { disposition: 'stop', status: 500 },
  sidecar_mismatch: { disposition: 'stop', status: 500 },
  proof_invalid: { disposition: 'stop', status: 500 },
  ledger_untrusted: { disposition: 'stop', status: 500 },
  file_missing: { disposition: 'retry', status: 503 },
  data_folder_busy: { disposition: 'retry', status: 503 },
  backup_unusable: { disposition: 'stop', status: 500 },
  owner_busy: { disposition: 'retry', status: 503 },
  operation_refused: { disposition: 'stop', status: 500 },
  version_unknown: { disposition: 'stop', status: 500 },
  not_followed: { disposition: 'retry', status: 503 },
  rows_differ: { disposition: 'stop', status: 500 },
  log_misconfigured: { disposition: 'stop', status: 500 },
  log_damaged: { disposition: 'stop', status: 500 },
  log_lost: { disposition: 'stop', status: 500 },
  plan_lost: { disposition: 'stop', status: 500 },
  log_differs: { disposition: 'stop', status: 500 },
  store_misconfigured: { disposition: 'stop', status: 500 },
  store_damaged: { disposition: 'stop', status: 503 },
  schema_incompatible: { disposition: 'stop', status: 500 },
  registry_unavailable: { disposition: 'retry', status: 503 },
  decisions_unavailable: { disposition: 'retry', status: 503 },
  decisions_damaged: { disposition: 'stop', status: 503 },
  decisions_lost: { disposition: 'stop', status: 503 },
  decisions_misconfigured: { disposition: 'stop', status: 500 },
  command_refused: { disposition: 'reject', status: 422 },
  revision_conflict: { disposition: 'retry', status: 409 },
  compiler_missing: { disposition: 'reject', status: 400 },
  compiler_damaged: { disposition: 'stop', status: 500 },
  compilation_limit: { disposition: 'reject', status: 400 },
  compilation_failed: { disposition: 'reject', status: 400 },
  interrupted: { disposition: 'retry', status: 503 },
} as const

export type ErrorCode = keyof typeof errorCatalogue

/** An operational error. Callers switch on `code`, never on the text; `details` carries what a log line or a test needs. */
export class LedgerError extends Error {
  readonly code: ErrorCode
  readonly details: Readonly<Record<string, unknown>>

  constructor(code: ErrorCode, message: string, details: Readonly<Record<string, unknown>> = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'LedgerError'
    this.code = code
    this.details = details
  }
}

export function isLedgerError(error: unknown, code?: ErrorCode): error is LedgerError {
  return error instanceof LedgerError && (code === undefined || error.code === code)
}

/** Exit codes that supervisors understand: 1 needs a person, 75 try again later, 78 what was configured cannot be run. */
export function exitCodeOf(error: unknown): number {
  if (!isLedgerError(error)) return 1
  if (error.code === 'config_invalid') return 78
  return errorCatalogue[error.code].disposition === 'retry' ? 75 : 1
}
