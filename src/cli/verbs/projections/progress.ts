import type { VerbContext } from '#src/cli/run-verb.ts'
import { formatDuration, formatProgress, formatRate } from '#src/runtime/watch/status.ts'

/** Shortest time between two log lines of one instance, where no line can be rewritten. */
const loggedIntervalMs = 5_000

export interface InstanceProgress {
  readonly position: number
  readonly head: number
  readonly eventsPerSecond: number
  readonly etaSeconds: number | undefined
}

/** `transactions v3  41.2%  1,204,000 / 2,922,000  38k/s  eta 45s` */
export function formatInstanceProgress(label: string, progress: InstanceProgress): string {
  const { etaSeconds, eventsPerSecond } = progress
  const eta = etaSeconds === undefined ? '' : `  eta ${formatDuration(etaSeconds)}`
  return `${label}  ${formatProgress(progress)}  ${formatRate(eventsPerSecond)}/s${eta}`
}

/**
 * Shows where several instances stand: in the status line of a terminal, else as a log line of each, at most every five
 * seconds.
 */
export class ProgressDisplay {
  readonly #verb: Pick<VerbContext, 'terminal' | 'logger'>
  readonly #lines = new Map<string, string>()
  readonly #loggedAtMs = new Map<string, number>()

  constructor(verb: Pick<VerbContext, 'terminal' | 'logger'>) {
    this.#verb = verb
  }

  show(label: string, text: string, fields: Readonly<Record<string, unknown>>): void {
    const { terminal, logger } = this.#verb
    this.#lines.set(label, text)
    if (terminal.isLive) {
      terminal.setStatus([...this.#lines.values()].join('  |  '))
      return
    }
    const nowMs = performance.now()
    if (nowMs - (this.#loggedAtMs.get(label) ?? Number.NEGATIVE_INFINITY) < loggedIntervalMs) return
    this.#loggedAtMs.set(label, nowMs)
    logger.info({ ...fields, progress: text }, 'progress')
  }

  end(label: string): void {
    this.#lines.delete(label)
    this.#verb.terminal.setStatus([...this.#lines.values()].join('  |  '))
  }
}
