import type { Position } from '#src/ports/message-log.ts'
import type { ListSettings } from '#src/ports/read-store.ts'

/** Runs of a level that become one of the next. */
export const fanOut = 8
/** Windows of a run of level 0. */
const windowsPerRun = 8
const defaultWindowEvents = 4_096
/** Bits of a term's hash that tell its bucket. */
const bucketBitsMax = 31
/** A merge is spread over this part of the time in which its output's successor comes together. */
const mergeShare = 4
const bucketsMin = 16

/** A list's declaration with what follows from it. */
export interface ListShape {
  readonly payloadBytes: number
  readonly windowEvents: number
  /** Of level 0; each level has eight times as many buckets. */
  readonly buckets: number
  readonly bucketBits: number
  readonly levelMax: number
  readonly directory: boolean
}

export function listShape({ payloadBytes, buckets, directory = false, ...rest }: ListSettings): ListShape {
  const { windowEvents = defaultWindowEvents } = rest
  const bucketBits = Math.log2(buckets)
  if (!Number.isInteger(bucketBits) || buckets < bucketsMin)
    throw new Error(`a list has ${buckets} buckets: not a power of two of at least ${bucketsMin}`)
  if (!Number.isInteger(payloadBytes) || payloadBytes < 0 || payloadBytes > 4)
    throw new Error(`a list has payloads of ${payloadBytes} bytes: not 0 to 4`)
  const levelMax = Math.floor((bucketBitsMax - bucketBits) / Math.log2(fanOut))
  return { payloadBytes, windowEvents, buckets, bucketBits, levelMax, directory }
}

/** Events of one run. */
export function runEvents({ windowEvents }: ListShape, level: number): number {
  return windowEvents * windowsPerRun * fanOut ** level
}

/** The run of level 0 that an event belongs to. */
export function runOf(shape: ListShape, sequence: Position): number {
  return Math.floor((sequence - 1) / runEvents(shape, 0))
}

/** Runs that follow each other in one slot are so far apart that nobody reads the first when the second comes. */
function slotOf(level: number, run: number): number {
  return run % (level === 0 ? 32 : 16)
}

/** The bucket of a term, by its hash of 32 bits. Bucket b of a level becomes 8b to 8b+7 of the next. */
export function bucketOf({ bucketBits }: ListShape, level: number, hash: number): number {
  return hash >>> (32 - bucketBits - 3 * level)
}

const slotFactor = 2 ** bucketBitsMax
const levelFactor = 32 * slotFactor

/** Key of a bucket of a run; exact, since levels are fewer than 10. */
export function placeOf(level: number, run: number, bucket: number): number {
  return level * levelFactor + slotOf(level, run) * slotFactor + bucket
}

/** Behind all levels. */
const lateLevel = 15

/** Key of the entries of events that were folded after their turn, by the bucket of level 0; their run is 0. */
export function latePlaceOf(bucket: number): number {
  return lateLevel * levelFactor + bucket
}

/** Events after the end of a run until it is whole: level 0 at once, others when the merges below and their own are done. */
function completionDelay(shape: ListShape, level: number): number {
  let delay = 0
  for (let each = 1; each <= level; each++) delay += runEvents(shape, each) / mergeShare
  return delay
}

/** How many runs of a level are whole at a position; of level 0 the one in the making counts. */
function runsAt(shape: ListShape, level: number, position: Position): number {
  if (level === 0) return Math.ceil(position / runEvents(shape, 0))
  if (level > shape.levelMax) return 0
  return Math.max(0, Math.floor((position - completionDelay(shape, level)) / runEvents(shape, level)))
}

export interface LiveRuns {
  readonly level: number
  /** The oldest run, and the one after the newest. */
  readonly from: number
  readonly to: number
}

/** What a reader bounded by a position reads, from the newest events to the oldest: each event is in exactly one run. */
export function liveRuns(shape: ListShape, position: Position): LiveRuns[] {
  const live: LiveRuns[] = []
  for (let level = 0; level <= shape.levelMax; level++) {
    const to = runsAt(shape, level, position)
    const from = runsAt(shape, level + 1, position) * fanOut
    if (from < to) live.push({ level, from, to })
  }
  return live
}

export interface MergeStep {
  /** Of the output. */
  readonly level: number
  readonly run: number
  /** Buckets of the inputs, one level below. */
  readonly from: number
  readonly to: number
}

/** What is due at the end of a window, told by its last sequence alone. */
export function mergesDue(shape: ListShape, windowEnd: Position): MergeStep[] {
  const due: MergeStep[] = []
  for (let level = 1; level <= shape.levelMax; level++) {
    const size = runEvents(shape, level)
    const since = windowEnd - completionDelay(shape, level - 1)
    const run = Math.floor((since - 1) / size) - 1
    if (run < 0) break
    const step = (since - (run + 1) * size) / shape.windowEvents - 1
    const steps = size / mergeShare / shape.windowEvents
    if (step >= steps) continue
    const perStep = (shape.buckets * fanOut ** (level - 1)) / steps
    due.push({ level, run, from: step * perStep, to: (step + 1) * perStep })
  }
  return due
}
