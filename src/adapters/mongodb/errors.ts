import { type ErrorCode, LedgerError } from '#src/domain/errors.ts'

/** What the server says of a login that it refuses. */
const refusedLogin = new Set([13, 18, 8000])
const diskFull = new Set([14031])
/** The server will answer the same next time: bad values and options, unknown commands, a write concern that it cannot satisfy. */
const unsupported = new Set([2, 9, 20, 59, 72, 79, 100, 115, 238, 303])
const duplicateKey = 11000

/** Drivers' errors are known by name, so that the driver itself is loaded only where it is used. */
interface DriverError extends Error {
  readonly code?: unknown
  readonly writeErrors?: unknown
  /** Of a bulk write: what else became of it. */
  readonly result?: { getWriteConcernError?(): unknown }
  /** Why no server could be chosen. */
  readonly reason?: { readonly servers?: ReadonlyMap<string, { readonly error: unknown }> }
}

function isDriverError(error: unknown): error is DriverError {
  return error instanceof Error && error.name.startsWith('Mongo')
}

/** Errors that only a mistake of ours can cause. */
const programmerErrors = new Set([
  'MongoInvalidArgumentError',
  'MongoMissingDependencyError',
  'MongoUnexpectedServerResponseError',
])

/** Runs a call of the driver and translates what it throws; `where` names database and server without secrets. */
export async function translated<T>(where: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw translate(where, error)
  }
}

/** What the driver passes on as it is when a connection ends while it writes, or when nobody tells it where the servers are. */
const socketErrors = new Set([
  'ENOTFOUND',
  'ENODATA',
  'ESERVFAIL',
  'ETIMEOUT',
  'EAI_AGAIN',
  'EPIPE',
  'ECONNRESET',
  'ECONNREFUSED',
  'ETIMEDOUT',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
])

const fileErrors = new Set(['ENOENT', 'EACCES', 'EISDIR'])
const certificateCodes = /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_|ERR_SSL_|ERR_OSSL_|HOSTNAME_MISMATCH)/

function isSocketError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && socketErrors.has(String(error.code))
}

/** The files named in the address are read when the first connection is made. */
function isMissingFile(error: unknown): error is Error {
  return error instanceof Error && 'path' in error && 'code' in error && fileErrors.has(String(error.code))
}

/** Whether it is the certificates for which each of the servers cannot be reached. */
function lacksCertificates({ reason }: DriverError): boolean {
  const errors = [...(reason?.servers?.values() ?? [])].map(({ error }) => error)
  return errors.length > 0 && errors.every((error) => certificateCodes.test(innermostCode(error)))
}

function innermostCode(error: unknown): string {
  if (!(error instanceof Error)) return ''
  return error.cause === undefined ? String((error as DriverError).code) : innermostCode(error.cause)
}

function translate(where: string, error: unknown): unknown {
  if (isSocketError(error))
    return new LedgerError('store_unavailable', `${where} is not available: ${error.message}`, { where }, error)
  if (isMissingFile(error))
    return new LedgerError('config_invalid', `A file for TLS to MongoDB cannot be read: ${error.message}`, {}, error)
  if (!isDriverError(error) || programmerErrors.has(error.name)) return error
  if (lacksCertificates(error)) {
    return new LedgerError(
      'config_invalid',
      `The TLS connection to ${where} cannot be made; check the certificates (${error.message})`,
      { where },
      error,
    )
  }
  if (error.name === 'MongoParseError') {
    return new LedgerError(
      'config_invalid',
      `The address of the MongoDB server cannot be used: ${error.message}`,
      {},
      error,
    )
  }
  if (error.name === 'MongoCompatibilityError')
    return new LedgerError('store_misconfigured', `${where} cannot do what is needed: ${error.message}`, {}, error)
  const code = typeof error.code === 'number' ? error.code : undefined
  const [errorCode, text] = explain(where, code, error.message)
  return new LedgerError(errorCode, text, { where, ...(code !== undefined && { serverCode: code }) }, error)
}

function explain(where: string, code: number | undefined, reason: string): [ErrorCode, string] {
  if (code !== undefined) {
    if (refusedLogin.has(code)) {
      return [
        'config_invalid',
        `${where} refuses the login: ${reason}; check user, password, authSource and the user's roles`,
      ]
    }
    if (diskFull.has(code)) return ['disk_full', `The disk of ${where} is full; free space there and start again`]
    if (unsupported.has(code)) return ['store_misconfigured', `${where} cannot do what is needed: ${reason}`]
  }
  return ['store_unavailable', `${where} is not available: ${reason}`]
}

/**
 * Places in the batch that were refused because the key exists; undefined when anything else went wrong. The driver names
 * only the refused ones, also when what it wrote besides is not known to a majority.
 */
export function duplicatesIn(error: unknown): number[] | undefined {
  if (!isDriverError(error) || error.code !== duplicateKey) return undefined
  if (error.result?.getWriteConcernError?.() !== undefined) return undefined
  if (error.writeErrors === undefined) return [0]
  const errors = (Array.isArray(error.writeErrors) ? error.writeErrors : [error.writeErrors]) as {
    code: number
    index: number
  }[]
  return errors.every(({ code }) => code === duplicateKey) ? errors.map(({ index }) => index) : undefined
}
