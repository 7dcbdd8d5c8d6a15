import type { LogHead, Position } from '#src/ports/message-log.ts'
import type { Checkpoint } from '#src/ports/read-store.ts'
import { MeanRate } from '#src/runtime/watch/mean-rate.ts'

/** What log and store, or an instance's owner, tell of where it stands now. */
export interface Sighting {
  /** undefined while it cannot be told. */
  readonly position: Position | undefined
  /** Consensus time (ns) up to which it is folded; absent or 0 before the first block. */
  readonly time?: Checkpoint['time'] | undefined
  /** Newest event of its log; undefined while that cannot be told. */
  readonly head: LogHead | undefined
  /** Nobody expects it to move. */
  readonly paused: boolean
}

/** How far an instance is behind its log; null is what cannot be told. */
export interface Lag {
  readonly lagEvents: number | null
  /** Ledger time between the newest event of the log and the newest one folded; null also before the first block is folded. */
  readonly lagSeconds: number | null
  /** Since the position last moved while behind, as far as it was looked at; 0 at the head and while paused. */
  readonly stalledSeconds: number
  /** Over the last seconds; null at the first look. */
  readonly eventsPerSecond: number | null
  /** What is left at that rate; null where that is unknown, or nothing is left. */
  readonly etaSeconds: number | null
}

interface Movement {
  /** As last told; undefined before it ever was. */
  position: Position | undefined
  behind: boolean
  /** When it moved last, or was last seen where nobody expects it to move. */
  atMs: number
  looks: number
  readonly rate: MeanRate
}

/** Compares instances with the heads of their logs; what it saw before tells rates and standstills. */
export class LagMeter {
  readonly #movements = new Map<string, Movement>()
  readonly #now: () => number

  /** Milliseconds of a clock that only goes forwards. */
  constructor(now: () => number) {
    this.#now = now
  }

  measure(key: string, { position, time, head, paused }: Sighting): Lag {
    const nowMs = this.#now()
    const movement = this.#movements.get(key) ?? begin(nowMs)
    this.#movements.set(key, movement)
    const lagEvents = position === undefined || head === undefined ? null : Math.max(0, head.sequence - position)
    const hasMoved = position !== undefined && position !== movement.position
    // What cannot be told counts as standing still only where it was behind before.
    if (paused || hasMoved || lagEvents === 0 || !movement.behind) movement.atMs = nowMs
    if (lagEvents !== null) movement.behind = lagEvents > 0
    if (position !== undefined) {
      movement.position = position
      movement.looks += 1
      movement.rate.add(nowMs, position)
    }
    const eventsPerSecond = movement.looks > 1 ? movement.rate.perSecond(nowMs) : null
    return {
      lagEvents,
      lagSeconds: lagSecondsOf(lagEvents, time, head),
      stalledSeconds: Math.round(nowMs - movement.atMs) / 1_000,
      eventsPerSecond,
      etaSeconds: etaOf(lagEvents, eventsPerSecond),
    }
  }

  /** Forgets all others. */
  keepOnly(keys: ReadonlySet<string>): void {
    for (const key of this.#movements.keys()) if (!keys.has(key)) this.#movements.delete(key)
  }
}

/** What is left at a rate; null where that is unknown, or nothing is left. */
export function etaOf(lagEvents: number | null, eventsPerSecond: number | null): number | null {
  return lagEvents !== null && lagEvents > 0 && eventsPerSecond ? lagEvents / eventsPerSecond : null
}

function begin(atMs: number): Movement {
  return { position: undefined, behind: false, atMs, looks: 0, rate: new MeanRate() }
}

/** A time of 0 is that of nothing at all: the difference to it would be decades. */
function lagSecondsOf(lagEvents: number | null, time = 0n, head: LogHead | undefined): number | null {
  if (lagEvents === null || lagEvents === 0) return lagEvents
  if (time === 0n || !head?.time) return null
  return Math.max(0, Number((head.time - time) / 1_000_000n) / 1_000)
}
