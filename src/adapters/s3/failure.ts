import { DeadlinePassed } from '#src/adapters/deadline.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { printableText } from '#src/domain/printable-text.ts'
import type { SourceReason } from '#src/ports/stream-source.ts'

const keyFlags = '--source-s3-access-key and --source-s3-secret-key'
const nextSteps: Readonly<Record<SourceReason, string>> = {
  denied: `who asks may not read it: allow listing and reading, or give a key that may with ${keyFlags}`,
  anonymous: `it takes no requests without a key, which pays for them: give one with ${keyFlags}`,
  credentials: `the key is not accepted: check ${keyFlags}, or make a new one`,
  no_bucket: 'there is no bucket of this name there: check the name and --source-s3-endpoint',
  requester_pays:
    'its reader pays, and nobody is named who does: name the project with --source-s3-billing-project, which has to allow it',
  clock: 'the clock of this machine is wrong: set it, and keep it so with NTP',
  region: 'it is in another region: name that with --source-s3-region',
  unknown_host:
    'the name of the host is not known: check --source-s3-endpoint, --source-s3-region and the DNS of this machine',
  unreachable:
    'nobody answers there: check --source-s3-endpoint, the network, and whether a firewall or proxy is in the way',
  tls: 'who answers cannot prove who he is: check --source-s3-endpoint, the clock, and whether a proxy is in the way',
  timeout: 'it took too long: check the network, or allow more time with --source-s3-timeout-ms',
  busy: 'it has too much to do; it is asked again',
  other: 'check bucket, endpoint and credentials',
}

/** Codes by which services that speak the protocol refuse. */
const reasonOfCode: Readonly<Record<string, SourceReason>> = {
  AccessDenied: 'denied',
  AllAccessDisabled: 'denied',
  AccountProblem: 'denied',
  InvalidAccessKeyId: 'credentials',
  InvalidToken: 'credentials',
  ExpiredToken: 'credentials',
  TokenRefreshRequired: 'credentials',
  InvalidSecurity: 'credentials',
  NotSignedUp: 'credentials',
  SignatureDoesNotMatch: 'credentials',
  NoSuchBucket: 'no_bucket',
  InvalidBucketName: 'no_bucket',
  UserProjectMissing: 'requester_pays',
  UserProjectInvalid: 'requester_pays',
  UserProjectInconsistent: 'requester_pays',
  UserProjectAccountProblem: 'requester_pays',
  UserProjectAccessDenied: 'requester_pays',
  RequestTimeTooSkewed: 'clock',
  RequestExpired: 'clock',
  PermanentRedirect: 'region',
  TemporaryRedirect: 'region',
  AuthorizationHeaderMalformed: 'region',
  IllegalLocationConstraintException: 'region',
  SlowDown: 'busy',
  ServiceUnavailable: 'busy',
  InternalError: 'busy',
  ENOTFOUND: 'unknown_host',
  EAI_AGAIN: 'unknown_host',
  ECONNREFUSED: 'unreachable',
  ECONNRESET: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EPIPE: 'unreachable',
  ETIMEDOUT: 'timeout',
  TimeoutError: 'timeout',
}
const tlsCode = /^(?:ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|EPROTO$)/

interface SdkError extends Error {
  /** Of what Node says of a connection. */
  readonly code?: unknown
  readonly $metadata?: { readonly httpStatusCode?: number }
}

export interface Asked {
  /** Of the bucket. */
  readonly description: string
  readonly path: string
  readonly isSigned: boolean
}

/** The error of a bucket, with why as one word and what to do. */
export function bucketFailure({ description, path, isSigned }: Asked, cause: unknown): LedgerError {
  const { name, message } = cause as SdkError
  const reason = reasonOf(cause, isSigned)
  return new LedgerError(
    'source_unavailable',
    `${description}/${path} cannot be read (${printableText(`${name}: ${message}`)}); ${nextSteps[reason]}`,
    { source: description, path, status: statusOf(cause), reason },
    cause,
  )
}

function reasonOf(error: unknown, isSigned: boolean): SourceReason {
  if (error instanceof DeadlinePassed) return 'timeout'
  const { name, code, message } = error as SdkError
  const known = [String(code), name].map((each) => reasonOfCode[each]).find((reason) => reason !== undefined)
  const status = statusOf(error)
  // Google says so in the text of an access that it denies, too.
  if (/requester[ -]?pays/i.test(message)) return 'requester_pays'
  if (known === 'denied' || (known === undefined && (status === 401 || status === 403)))
    return isSigned ? 'denied' : 'anonymous'
  if (known !== undefined) return known
  if (tlsCode.test(String(code))) return 'tls'
  if (status === 301 || status === 307) return 'region'
  return status !== undefined && status >= 500 ? 'busy' : 'other'
}

function statusOf(error: unknown): number | undefined {
  return (error as SdkError).$metadata?.httpStatusCode
}

/** Whether there is no object of this name; a bucket that is not there is another matter. */
export function isMissingObject(error: unknown): boolean {
  const { name } = (error ?? {}) as SdkError
  return name === 'NoSuchKey' || (statusOf(error ?? {}) === 404 && name !== 'NoSuchBucket')
}
