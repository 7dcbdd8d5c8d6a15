import { type ErrorCode, errorCatalogue, isLedgerError, LedgerError } from '#src/domain/errors.ts'
import type { ThreadError } from '#src/evm/threads/messages.ts'

export function sentError(error: unknown): ThreadError {
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  return { code: isLedgerError(error) ? error.code : undefined, message, stack }
}

export function receivedError({ code, message, stack }: ThreadError): Error {
  const isKnown = code !== undefined && code in errorCatalogue
  const error = isKnown ? new LedgerError(code as ErrorCode, message) : new Error(message)
  if (stack !== undefined) error.stack = stack
  return error
}
