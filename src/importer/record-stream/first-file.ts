import { LedgerError } from '#src/domain/errors.ts'
import { listAfterMarker } from '#src/importer/record/file-name.ts'
import type { UnsignedFile } from '#src/importer/source/candidates.ts'
import { canAgree, type Trust } from '#src/importer/verify/trust.ts'

export interface FirstFileOptions {
  /** A fixed set has no later look, so nothing of it is left out. */
  readonly once: boolean
  /** How long the first file of a log is waited for, milliseconds. */
  readonly waitMs: number
  readonly now: () => number
}

/**
 * Whether a log may begin behind a file. Later on a file that continues the chain proves that nothing is missing; the first
 * one continues nothing, so what lies before it and enough nodes have would be left out for good. It is waited for as any
 * other file, up to a limit: nodes could otherwise keep a log from ever beginning.
 */
export class FirstFile {
  readonly #options: FirstFileOptions
  #waitingSince: number | undefined
  #leftOut: LedgerError | undefined

  constructor(options: FirstFileOptions) {
    this.#options = options
  }

  /** What a log that has begun lacks at its beginning, to be told as long as the importer runs. */
  get leftOut(): LedgerError | undefined {
    return this.#leftOut
  }

  /** Whether to go on behind a file that is not accepted yet, or not signed. */
  mayLeaveOut({ stem, holders }: Pick<UnsignedFile, 'stem' | 'holders'>, trust: Trust, cause?: LedgerError): boolean {
    const { once, waitMs, now } = this.#options
    // What too few nodes have is of no network.
    if (!canAgree(trust, holders)) return !once
    this.#waitingSince ??= now()
    if (once || now() - this.#waitingSince < waitMs) return false
    this.#leftOut ??= leftOut(stem, waitMs, cause)
    return true
  }

  /** A log that an earlier run has begun: the source may have a file before its first one that nobody said to leave out. */
  compare(firstName: string, files: readonly UnsignedFile[], trust: Trust): void {
    const first = listAfterMarker(firstName)
    const before = files.find(({ stem, holders }) => stem < first && canAgree(trust, holders))
    if (before) this.#leftOut = beginsLater(before.stem, firstName)
  }

  /** Throws where the source begins with files that enough nodes have, and none has signed yet. */
  assertNoneBefore(unsigned: readonly UnsignedFile[], firstStem: string | undefined, trust: Trust): void {
    const before = unsigned.filter(({ stem }) => firstStem !== undefined && stem < firstStem)
    const first = before.find((file) => canAgree(trust, file.holders) && !this.mayLeaveOut(file, trust))
    if (first) throw notSigned(first)
  }
}

function notSigned({ stem, holders }: UnsignedFile): LedgerError {
  const file = stem.slice(0, -1)
  return new LedgerError(
    'consensus_missing',
    `${file}: ${holders.length} nodes have this file, with which the source begins, but no signature of it is there. Bring or wait for the signatures, or begin behind it with --start-date`,
    { file, have: 0n },
  )
}

function leftOut(stem: string, waitMs: number, cause: LedgerError | undefined): LedgerError {
  const file = stem.slice(0, -1)
  const seconds = Math.round(waitMs / 1_000)
  return new LedgerError(
    'consensus_missing',
    `The log begins behind ${file}, which was not signed by enough nodes within ${seconds} s; once its signatures are there, run "ledger-history import republish --reason 'earlier history'"`,
    { file },
    cause,
  )
}

function beginsLater(stem: string, firstName: string): LedgerError {
  const file = stem.slice(0, -1)
  return new LedgerError(
    'consensus_missing',
    `The log begins with ${firstName}, but the source has ${file} before it; take it in with "ledger-history import republish --reason 'earlier history'", or say that it is left out with --start-date`,
    { file },
  )
}
