import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { PresenceWatch, type PresentProcess } from '#src/operations/presence.ts'
import type { ControlStore } from '#src/ports/control-store.ts'

/** A last beat this close to our clock needs no second look. */
const recentMs = 10_000
const secondLookMsMax = 3_000

/**
 * The processes that live, also for who looks once only. The age of the last beat tells as long as the clocks agree; where it
 * does not, a second look tells whether the beat moves: a process of a machine whose clock is wrong lives all the same.
 */
export class LivingProcesses {
  readonly #watch: PresenceWatch
  /** As first seen. */
  #beats: ReadonlyMap<string, number> | undefined
  #silent: readonly PresentProcess[] = []

  constructor(control: ControlStore) {
    this.#watch = new PresenceWatch({ control, now: () => performance.now() })
  }

  async read(): Promise<PresentProcess[]> {
    let processes = await this.#watch.read()
    if (this.#beats === undefined) {
      this.#beats = new Map(processes.map(({ id, beat }) => [id, beat]))
      const doubtful = processes.filter((process) => !isRecent(process))
      if (doubtful.length > 0) {
        const intervalMs = Math.max(...doubtful.map((process) => process.intervalMs))
        await sleep(Math.min(secondLookMsMax, intervalMs * 1.5))
        processes = await this.#watch.read()
      }
    }
    const living = processes.filter((process) => process.alive && (isRecent(process) || this.#moved(process)))
    this.#silent = processes.filter((process) => !living.includes(process) && !isKnownToBeDead(process))
    return living
  }

  /** Those that have announced themselves but give no sign of life, as of the last look: they hang, or were killed elsewhere. */
  get silent(): readonly PresentProcess[] {
    return this.#silent
  }

  #moved({ id, beat }: PresentProcess): boolean {
    return this.#beats?.get(id) !== beat
  }
}

function isRecent({ beatAt }: PresentProcess): boolean {
  return Math.abs(Date.now() - Date.parse(beatAt)) < recentMs
}

/** Only of a process of this machine can that be told. */
function isKnownToBeDead({ host, pid }: PresentProcess): boolean {
  if (host !== hostname()) return false
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    // Not allowed to ask means that it is there.
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
