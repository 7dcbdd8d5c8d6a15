import { LedgerError } from '#src/domain/errors.ts'
import type { ServedModel } from '#src/runtime/serve/served-model.ts'

/** How far a read model is; the head is null while the log does not tell it. */
export interface FillingFigures {
  readonly position: number
  readonly head: number | null
}

/** Seconds after which to ask again: at least, while nothing is known, and at most. */
const retryAfter = { min: 1, unknown: 10, max: 300 }

interface Beginning {
  readonly position: number
  readonly atMs: number
}

/** How fast read models fill that are built for the first time, from what this process has seen of them. */
export class FillingRates {
  readonly #beginnings = new WeakMap<ServedModel, Beginning>()

  /** When to ask again, in seconds: when it may be filled, as far as that can be told. */
  retryAfterSeconds(model: ServedModel, { position, head }: FillingFigures, nowMs: number): number {
    if (head === null) return retryAfter.unknown
    const begun = this.#beginnings.get(model)
    if (begun === undefined) this.#beginnings.set(model, { position, atMs: nowMs })
    const perSecond = begun === undefined ? 0 : ((position - begun.position) / (nowMs - begun.atMs)) * 1_000
    if (!(perSecond > 0)) return retryAfter.unknown
    return Math.min(retryAfter.max, Math.max(retryAfter.min, Math.ceil((head - position) / perSecond)))
  }
}

/** What a request is told whose read model is built for the first time. */
export function fillingError(model: ServedModel, figures: FillingFigures, retryAfterSeconds: number): LedgerError {
  const details = { name: model.name, ...figures, retryAfterSeconds }
  return new LedgerError('filling', fillingText(model, figures), details)
}

export function fillingText({ name, id, lost }: ServedModel, { position, head }: FillingFigures): string {
  const share = head ? ` (${((100 * position) / head).toFixed(1)} %)` : ''
  const reached = `position ${position} of ${head ?? 'a log whose end is not known'}${share}`
  const why = lost ? 'again, since its rows were gone' : 'for the first time'
  return `${name} ${id} is built ${why}: ${reached}`
}
