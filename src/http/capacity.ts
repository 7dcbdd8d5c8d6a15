import { Gate } from '#src/http/gate.ts'
import type { HttpSettings } from '#src/http/settings.ts'
import { Turns } from '#src/http/turns.ts'

/** What the requests of a process share: its thread, and how many of them may hold many rows. */
export interface Capacity {
  readonly turns: Turns
  /** Requests that have read more than most pages need. All that would wait may: what they hold meanwhile is little. */
  readonly large: Gate
  /** Requests that have read more than any page needs. */
  readonly searches: Gate
}

export function capacityOf(settings: HttpSettings): Capacity {
  const { largeAtOnceMax, requestsAtOnceMax, searchesAtOnceMax, searchesWaitingMax } = settings
  return {
    turns: new Turns(),
    large: new Gate({ atOnceMax: largeAtOnceMax, waitingMax: requestsAtOnceMax }),
    searches: new Gate({ atOnceMax: searchesAtOnceMax, waitingMax: searchesWaitingMax }),
  }
}
