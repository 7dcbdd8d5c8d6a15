import { isLedgerError } from '#src/domain/errors.ts'

/** One thing that the move to block streams needs, as it was found. */
export interface Check {
  readonly name: string
  /** unknown: it cannot be told now. */
  readonly status: 'ok' | 'fails' | 'unknown'
  /** What was found. */
  readonly value: string
  /** What to do; null where nothing is, or the value says it. */
  readonly step: string | null
  /** Of what cannot be read: the error's reason in one word. */
  readonly reason?: string
}

export function ok(name: string, value: string): Check {
  return { name, status: 'ok', value, step: null }
}

export function unknown(name: string, value: string, step: string): Check {
  return { name, status: 'unknown', value, step }
}

export function fails(name: string, value: string, step: string | null): Check {
  return { name, status: 'fails', value, step }
}

/** An operational error, whose sentence says what to do. Anything else is a mistake of ours and goes on. */
export function failedOf(name: string, error: unknown): Check {
  if (!isLedgerError(error)) throw error
  const { reason } = error.details
  return { ...fails(name, error.message, null), ...(typeof reason === 'string' ? { reason } : {}) }
}
