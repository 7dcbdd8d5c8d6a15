import type { MessageLog, Position } from '#src/ports/message-log.ts'

/** A log that finds an event by time itself, as Kafka does. */
export interface TimeIndexed {
  /** Sequence of the first event at or after a time in nanoseconds; undefined when there is none yet. */
  findSequenceAt(time: bigint): Promise<Position | undefined>
}

/**
 * The sequence of the first event at or after a consensus time in nanoseconds; one above the head when there is none.
 * Consensus time never falls along the log, so halving finds it where the log has no index: some forty reads in the longest log.
 */
export async function firstSequenceAt(log: MessageLog, time: bigint, signal?: AbortSignal): Promise<Position> {
  let to = (await log.head()).sequence + 1
  if (isTimeIndexed(log)) return (await log.findSequenceAt(time)) ?? to
  let from = 1
  while (from < to && !signal?.aborted) {
    const middle = Math.floor((from + to) / 2)
    const found = await timeOf(log, middle, signal)
    if (found === undefined || found >= time) to = middle
    else from = middle + 1
  }
  return from
}

async function timeOf(log: MessageLog, sequence: Position, signal?: AbortSignal): Promise<bigint | undefined> {
  const options = { after: sequence - 1, countMax: 1, bytesMax: 1, follow: false, ...(signal ? { signal } : {}) }
  for await (const { records } of log.read(options)) return records[0]?.time
  return undefined
}

function isTimeIndexed(log: MessageLog): log is MessageLog & TimeIndexed {
  return 'findSequenceAt' in log
}
