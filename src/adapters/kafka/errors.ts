import type { KafkaConnectionOptions } from '#src/adapters/kafka/options.ts'
import { isLedgerError, LedgerError } from '#src/domain/errors.ts'

/** What kafkajs throws, as far as we look: errors are wrapped in errors, and told apart by name, type or code. */
interface DriverError {
  readonly name?: string
  readonly message?: string
  readonly type?: string
  readonly code?: string | number
  readonly cause?: unknown
  readonly errors?: readonly unknown[]
}

const chainLengthMax = 10
const impossibleTypes = new Set(['INVALID_CONFIG', 'INVALID_TOPIC_EXCEPTION', 'POLICY_VIOLATION'])
const certificateCodes = /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_|ERR_SSL_|ERR_OSSL_|HOSTNAME_MISMATCH)/

/** The error and those that caused it, outermost first. */
function chainOf(error: unknown): DriverError[] {
  const chain: DriverError[] = []
  for (let next = error; next instanceof Error && chain.length < chainLengthMax; ) {
    chain.push(next as DriverError)
    // Some requests are answered with a list; ours are about one thing each, so its first entry is the reason.
    next = next.cause ?? (next as DriverError).errors?.[0]
  }
  return chain
}

/** Whether the broker answered with one of these types of error. */
export function hasType(error: unknown, ...types: readonly string[]): boolean {
  return chainOf(error).some(({ type }) => type !== undefined && types.includes(type))
}

/** Whether another writer has the right to write now. */
export function isFenced(error: unknown): boolean {
  // To the versions of the requests that we use, brokers name no other type for it.
  return hasType(error, 'INVALID_PRODUCER_EPOCH')
}

/** Every failure of the driver as one of ours: settings that can't work need a person, all else may pass. */
export function translated(error: unknown, options: KafkaConnectionOptions, doing: string): LedgerError {
  if (isLedgerError(error)) return error
  const chain = chainOf(error)
  const innermost = chain[chain.length - 1]
  const reason = innermost?.message ?? String(error)
  const wrong = settingsProblem(chain, options)
  const where = options.brokers.join(', ')
  if (wrong) return new LedgerError('config_invalid', `${wrong} (${reason})`, { brokers: where }, error)
  const message = `Kafka at ${where} failed ${doing}: ${reason}`
  return new LedgerError('log_unavailable', message, { brokers: where, type: innermost?.type }, error)
}

function settingsProblem(chain: readonly DriverError[], options: KafkaConnectionOptions): string | undefined {
  const where = options.brokers.join(', ')
  for (const { name, type, code } of chain) {
    if (name === 'KafkaJSSASLAuthenticationError' || type === 'SASL_AUTHENTICATION_FAILED') {
      const who = options.sasl
        ? `user ${options.sasl.username} with mechanism ${options.sasl.mechanism}`
        : 'us without a user'
      return `Kafka at ${where} does not let in ${who}; check the user, the password and the mechanism`
    }
    if (type?.endsWith('_AUTHORIZATION_FAILED'))
      return `Kafka at ${where} does not allow what is needed; check the user's rights`
    if (typeof code === 'string' && certificateCodes.test(code))
      return `The TLS connection to Kafka at ${where} cannot be made; check the certificates`
    if (type && impossibleTypes.has(type)) return `Kafka at ${where} cannot create a topic with these settings`
    if (type === 'INVALID_TRANSACTION_TIMEOUT')
      return `Kafka at ${where} allows no transaction timeout this long; make it shorter, or raise transaction.max.timeout.ms of the brokers`
    if (type === 'UNSUPPORTED_VERSION' || name === 'KafkaJSServerDoesNotSupportApiKey')
      return `Kafka at ${where} is too old; version 3.6 or later is needed`
  }
  return undefined
}
