import { isPageAddress, isShownInstant } from '#src/domain/status/shown-values.ts'

/**
 * Commands take nothing that cannot be shown, but earlier releases did: an event with such a value is set aside when it is
 * folded, so that no page fails of it each time that it is asked for.
 */
export function shownInstant(text: string): string {
  if (!isShownInstant(text)) throw new RangeError(`"${text}" is no instant that can be shown`)
  return text
}

/** Throws for one that this release does not know. */
export function shownZone(name: string): string {
  new Intl.DateTimeFormat('en', { timeZone: name })
  return name
}

/** An address that leads elsewhere than to a page is none. */
export function shownAddress(text: string): string {
  return isPageAddress(text) ? text : ''
}

interface Evidence {
  readonly metric: string
  readonly value: number | null
  readonly checked_at: string | null
  readonly position: number | null
}

export function shownEvidence<E extends Evidence>(evidence: E): E {
  const { metric, value, checked_at, position } = evidence
  const isWhole = typeof metric === 'string' && isNumber(value) && isNumber(position)
  if (!isWhole) throw new TypeError('the evidence has no metric, or its value or position is no number')
  if (checked_at !== null) shownInstant(checked_at)
  return evidence
}

function isNumber(value: unknown): boolean {
  return value === null || Number.isFinite(value)
}
