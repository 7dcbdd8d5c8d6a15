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

/** What the driver passes on as it is when a connection ends while it writes. */
const socketErrors = new Set([
  'EPIPE',
  'ECONNRESET',
  'ECONNREFUSED',
  'ETIMEDOUT',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
])

function isSocketError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && socketErrors.has(String(error.code))
}

function translate(where: string, error: unknown): unknown {
  if (isSocketError(error))
    return new LedgerError('store_unavailable', `${where} is not available: ${error.message}`, { where }, error)
  if (!isDriverError(error) || programmerErrors.has(error.name)) return error
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

/** Places in the batch that were refused because the key exists; undefined when anything else went wrong. */
export function duplicatesIn(error: unknown): number[] | undefined {
  if (!isDriverError(error) || error.code !== duplicateKey) return undefined
  if (error.writeErrors === undefined) return [0]
  const errors = (Array.isArray(error.writeErrors) ? error.writeErrors : [error.writeErrors]) as {
    code: number
    index: number
  }[]
  return errors.every(({ code }) => code === duplicateKey) ? errors.map(({ index }) => index) : undefined
}
