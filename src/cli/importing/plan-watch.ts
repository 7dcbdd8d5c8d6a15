import type { Plan } from '#src/operations/plan.ts'
import { readPlan } from '#src/operations/plan-store.ts'
import { rest } from '#src/ports/clock.ts'
import type { ControlStore } from '#src/ports/control-store.ts'
import type { Logger } from '#src/ports/logger.ts'

export interface PlanWatchOptions {
  readonly control: ControlStore
  readonly logger: Logger
  readonly pollMs: number
}

export interface PlanWatch {
  /** Aborted once the plan is as awaited. */
  readonly signal: AbortSignal
  /** Stops looking. */
  stop(): Promise<void>
}

/** Looks at the plan again and again until it is as awaited. While the store is away nothing is known, so nothing happens. */
export function watchPlan(isReached: (plan: Plan) => boolean, options: PlanWatchOptions): PlanWatch {
  const reached = new AbortController()
  const stopped = new AbortController()
  const ended = look(isReached, options, reached, stopped.signal)
  return {
    signal: reached.signal,
    stop: async () => {
      stopped.abort()
      await ended
    },
  }
}

async function look(
  isReached: (plan: Plan) => boolean,
  { control, logger, pollMs }: PlanWatchOptions,
  reached: AbortController,
  stopped: AbortSignal,
): Promise<void> {
  let away = false
  while (!stopped.aborted && !reached.signal.aborted) {
    await rest(pollMs, stopped)
    try {
      if (isReached(await readPlan(control))) reached.abort()
      away = false
    } catch (error) {
      if (!away) logger.warn({ err: error }, 'the plan cannot be read, going on with the last one known')
      away = true
    }
  }
}
