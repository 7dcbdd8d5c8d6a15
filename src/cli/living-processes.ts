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
    return processes.filter((process) => process.alive && (isRecent(process) || this.#moved(process)))
  }

  #moved({ id, beat }: PresentProcess): boolean {
    return this.#beats?.get(id) !== beat
  }
}

function isRecent({ beatAt }: PresentProcess): boolean {
  return Math.abs(Date.now() - Date.parse(beatAt)) < recentMs
}
