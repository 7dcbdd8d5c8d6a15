import { setImmediate as breathe } from 'node:timers/promises'
import type { MessageLog, Position, StoredRecord } from '#src/ports/message-log.ts'
import type { EventFilter } from '#src/topics/event-filter.ts'
import type { DecodedRecord } from '#src/topics/event-view.ts'

export interface TailOptions {
  readonly log: MessageLog
  readonly filter: EventFilter
  /** First sequence to look at; undefined: the last `countMax` events that fit. */
  readonly from: Position | undefined
  /** Most events to deliver; with `follow` and without `from` only those that are there already count. */
  readonly countMax: number
  /** Wait for more at the end. */
  readonly follow: boolean
  readonly signal: AbortSignal
}

const readCountMax = 1_000
const readBytesMax = 4 << 20
/** Events that the first look back covers; each further one covers so many times more. */
const firstWindow = 1_000
const windowGrowth = 8

/** The events that fit, in order. Holds no more than one batch, and while looking back the last `countMax` that fit. */
export async function* tailTopic(options: TailOptions): AsyncGenerator<DecodedRecord, void, undefined> {
  const { from, countMax, follow, signal } = options
  if (from !== undefined) {
    yield* forwards(options, from - 1, countMax, follow)
    return
  }
  const { found, head } = await lastFitting(options)
  yield* found
  if (follow && !signal.aborted) yield* forwards(options, head, Number.POSITIVE_INFINITY, true)
}

async function* forwards(
  { log, filter, signal }: TailOptions,
  after: Position,
  countMax: number,
  follow: boolean,
): AsyncGenerator<DecodedRecord, void, undefined> {
  let count = 0
  for await (const record of recordsOf(log, after, follow, signal)) {
    const decoded = filter(record)
    if (!decoded) continue
    yield decoded
    if (++count >= countMax) return
  }
}

/** Looks back from the head over ever more events, until enough fit or the log begins. */
async function lastFitting(options: TailOptions): Promise<{ found: DecodedRecord[]; head: Position }> {
  const { log, filter, countMax, signal } = options
  const head = (await log.head()).sequence
  for (let window = Math.max(firstWindow, countMax); ; window *= windowGrowth) {
    const found: DecodedRecord[] = []
    const after = Math.max(0, head - window)
    for await (const record of recordsOf(log, after, false, signal)) {
      if (record.sequence > head) break
      const decoded = filter(record)
      if (decoded) found.push(decoded)
      if (found.length > countMax) found.shift()
    }
    if (found.length === countMax || after === 0 || signal.aborted) return { found, head }
  }
}

async function* recordsOf(
  log: MessageLog,
  after: Position,
  follow: boolean,
  signal: AbortSignal,
): AsyncGenerator<StoredRecord, void, undefined> {
  for await (const { records } of log.read({ after, countMax: readCountMax, bytesMax: readBytesMax, follow, signal })) {
    for (const record of records) {
      if (signal.aborted) return
      yield record
    }
    // An embedded log reads without ever waiting: signals, and an output that has gone, must be heard all the same.
    await breathe()
  }
}
