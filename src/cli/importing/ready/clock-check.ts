import { type Check, fails, ok, unknown } from '#src/cli/importing/ready/check.ts'
import { lastBlockOf, type ReadyContext } from '#src/cli/importing/ready/ready-context.ts'
import { findBlockHeader } from '#src/domain/block-header.ts'
import type { SourceBlock } from '#src/ports/block-node.ts'

const name = 'clock'
/** Buckets refuse signed requests from 15 minutes on; lags and latencies are wrong by as much as the clock is. */
const skewMsMax = 5_000
/** An older block says nothing of the clock. */
const freshMsMax = 60_000
const step = 'set the clock of this machine, and keep it so with NTP'

/** Whether the clock is right, as far as a bucket or a fresh block tells. */
export function checkClock(context: Pick<ReadyContext, 'found' | 'facts'>, now = Date.now()): Check {
  const { found } = context
  const [time] = found.times.map(({ service, here }) => here - service).sort((a, b) => Math.abs(a) - Math.abs(b))
  if (time !== undefined) {
    const value = `${skewText(time)} by the answers of the bucket`
    return Math.abs(time) <= skewMsMax ? ok(name, value) : fails(name, value, step)
  }
  const newest = Math.max(...found.blocks.flatMap((block) => timeOf(block) ?? []), timeOfLog(context))
  if (!Number.isFinite(newest)) return unknown(name, 'nobody who was asked tells the time', step)
  const age = now - newest
  const value = `the newest block is ${(age / 1_000).toFixed(1)} s old by it`
  if (age < -skewMsMax) return fails(name, value, step)
  return age <= freshMsMax ? ok(name, value) : unknown(name, value, `${step}; a newer block would tell whether it is`)
}

function skewText(milliseconds: number): string {
  const seconds = Math.abs(milliseconds) / 1_000
  if (seconds < 1) return 'right'
  return `${seconds.toFixed(0)} s ${milliseconds > 0 ? 'fast' : 'slow'}`
}

/** Of the newest transaction, in milliseconds since the epoch. */
function timeOfLog(context: Pick<ReadyContext, 'facts'>): number {
  const last = lastBlockOf(context)
  return last === undefined ? Number.NEGATIVE_INFINITY : Number(last.time / 1_000_000n)
}

/** Milliseconds since the epoch of its header. */
function timeOf({ pieces }: SourceBlock): number | undefined {
  const time = pieces[0] && findBlockHeader(pieces[0])?.time
  return time === undefined ? undefined : Number(time / 1_000_000n)
}
