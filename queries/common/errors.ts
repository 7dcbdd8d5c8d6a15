import { LedgerError } from '#src/domain/errors.ts'

/** One entry of an error body. `detail` appears only where the contract says so. */
export interface ErrorMessage {
  readonly message: string
  readonly detail?: string
  /** Bytes as hex, where contracts are run. */
  readonly data?: string
}

/** The error body that all history endpoints share. */
export function errorBody(messages: readonly ErrorMessage[]): string {
  return JSON.stringify({ _status: { messages } })
}

/** A request that is wrong: one message per offending value. */
export function invalidParameters(
  messages: readonly string[],
  /** The texts stand in `message` also in the dialect that has them in `detail`. */
  { asMessage = false, detail }: { readonly asMessage?: boolean; readonly detail?: string } = {},
): LedgerError {
  return new LedgerError('invalid_parameter', messages[0] ?? 'Invalid parameter', { messages, asMessage, detail })
}

export function invalidParameter(name: string): LedgerError {
  return invalidParameters([`Invalid parameter: ${name}`])
}

export function notFound(message = 'Not found'): LedgerError {
  return new LedgerError('not_found', message)
}

/** The texts that an error of the catalogue shows to a client; its own unless it lists several. */
export function textsOf(error: LedgerError): string[] {
  const listed = error.details['messages']
  return Array.isArray(listed) ? listed.map(String) : [error.message]
}
