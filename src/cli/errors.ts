import { errorCatalogue, isLedgerError } from '#src/domain/errors.ts'
import { printableLines } from '#src/domain/printable-text.ts'

/** What a person reads when a verb fails: one sentence, plus the stack when `debug` is on. */
export function describeFailure(error: unknown, debug: boolean): string {
  const known = isLedgerError(error)
  const message = error instanceof Error ? error.message : String(error)
  const sentence = known
    ? message
    : `Unexpected error: ${message}; run again with --log-level debug for where it happened`
  const again = known && errorCatalogue[error.code].disposition === 'retry' ? ' (this may pass; try again later)' : ''
  const stack = debug && error instanceof Error && error.stack ? `\n${error.stack}${causeOf(error)}` : ''
  const code = known ? ` [${error.code}]` : ''
  return printableLines(`ledger-history: ${sentence}${again}${code}${stack}`)
}

function causeOf(error: Error): string {
  return error.cause instanceof Error && error.cause.stack ? `\ncaused by ${error.cause.stack}` : ''
}
