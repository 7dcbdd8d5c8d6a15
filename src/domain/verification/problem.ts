/**
 * Why a verification comes to nothing: names that clients switch on, and the status of the answer. A mismatch is an answer, not
 * a fault, wherever the endpoint has a place for it.
 */
const verificationProblems = {
  chain_not_supported: 400,
  chain_not_followed: 400,
  invalid_address: 400,
  contract_not_known: 404,
  contract_not_deployed: 404,
  explorer_not_configured: 400,
  explorer_network_error: 502,
  explorer_http_error: 502,
  explorer_rate_limit: 429,
  explorer_api_error: 502,
  explorer_not_verified: 404,
  explorer_malformed_answer: 400,
  language_not_supported: 400,
  invalid_input: 400,
  invalid_compiler_version: 400,
  contract_not_found_in_compiler_output: 400,
  contract_ambiguous: 400,
  compiler_missing: 400,
  compiler_damaged: 503,
  compiler_error: 400,
  no_compiler_output: 400,
  compilation_limit: 400,
  compilation_failed: 400,
  compiled_bytecode_is_zero: 400,
  no_match: 422,
  bytecode_length_mismatch: 422,
  extra_file_input_bug: 422,
  overloaded: 503,
  too_many_requests: 429,
  /** Not wrong at all: it takes longer than a request waits. */
  still_running: 202,
  internal: 500,
} as const

export type VerificationProblemCode = keyof typeof verificationProblems

export interface ProblemDetails {
  readonly retryAfterSeconds?: number
  /** JSON. */
  readonly [name: string]: unknown
}

/** Its message may be told to anybody: no key, no address of our own machines. */
export class VerificationProblem extends Error {
  readonly code: VerificationProblemCode
  readonly details: ProblemDetails

  constructor(code: VerificationProblemCode, message: string, details: ProblemDetails = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'VerificationProblem'
    this.code = code
    this.details = details
  }

  get status(): number {
    return verificationProblems[this.code]
  }
}

export function isVerificationProblem(error: unknown, code?: VerificationProblemCode): error is VerificationProblem {
  return error instanceof VerificationProblem && (code === undefined || error.code === code)
}

export function isProblemCode(text: string): text is VerificationProblemCode {
  return Object.hasOwn(verificationProblems, text)
}
