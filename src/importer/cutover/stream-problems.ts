import { LedgerError } from '#src/domain/errors.ts'
import type { StreamChoice } from '#src/importer/cutover/cutover.ts'
import type { LastBlock } from '#src/importer/state/last-block.ts'

export interface QuietSource {
  /** Without anything new, milliseconds. */
  readonly quietMs: number
  /** Read now. */
  readonly choice: StreamChoice
  /** There is no other stream to try any more. */
  readonly isFinal: boolean
  /** Where from, for people. */
  readonly from: string
  /** What came of it. */
  readonly cause: LedgerError | undefined
}

const names = { records: 'record files', blocks: 'block streams' } as const

/** Nothing new comes, and it is not known whether the network has changed over or stands still. */
export function sourceQuiet({ quietMs, choice, isFinal, from, cause }: QuietSource): LedgerError {
  const seconds = Math.round(quietMs / 1_000)
  const name = names[choice.stream]
  const missing = isFinal
    ? 'no block'
    : choice.stream === 'blocks'
      ? 'no record file'
      : 'neither a record file nor a block'
  const outcome = cause ? `, in vain: ${cause.message}` : ''
  const step = isFinal
    ? '"ledger-history import nodes" shows the block nodes'
    : '"ledger-history import ready" tries all that the move to block streams needs'
  return new LedgerError(
    'source_quiet',
    `There has been ${missing} for ${seconds} s; ${name} are ${isFinal ? 'read' : 'tried'} from ${from}${outcome}. ${step}`,
    { stream: choice.stream, from },
    cause,
  )
}

/** Record files were asked for behind blocks: nothing ties them together. */
export function recordsAreOver({ number }: LastBlock): LedgerError {
  return new LedgerError(
    'config_invalid',
    `The log ends with block ${number} of the block stream, and record files cannot continue it; set --stream cutover or --stream blocks`,
    { number },
  )
}

/** A stream of blocks was asked for without anything to read them from. */
export function noBlockInput(): LedgerError {
  return new LedgerError(
    'config_invalid',
    'Blocks cannot be read: neither block nodes nor a bucket of blocks are set; name them with --block-nodes <host:port> or --block-source',
    {},
  )
}
