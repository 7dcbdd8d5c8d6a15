import { setTimeout } from 'node:timers/promises'
import type { RowReader } from '#src/ports/read-store.ts'

/** So long that whatever is asked for at once is asked for before the first answer. */
const answerMs = 40

/**
 * Counts what is read, as a server far away would see it: reads that wait for no other travel together, and are one trip. Nothing is known
 * without asking.
 */
export class CountedReads {
  reads = 0
  trips = 0
  #answered = 0

  begin(): void {
    this.reads = 0
    this.trips = 0
    this.#answered = 0
  }

  of(reader: RowReader): RowReader {
    return new Proxy(reader, {
      get: (target, name) => {
        if (name === 'newestTime') return undefined
        const member: unknown = Reflect.get(target, name)
        if (typeof member !== 'function') return member
        const bound = member.bind(target) as (...of: unknown[]) => Promise<unknown>
        return name === 'get' || name === 'find' ? (...of: unknown[]) => this.#count(() => bound(...of)) : bound
      },
    })
  }

  async #count<T>(read: () => Promise<T>): Promise<T> {
    const trip = this.#answered + 1
    this.reads += 1
    this.trips = Math.max(this.trips, trip)
    const found = await read()
    await setTimeout(answerMs)
    this.#answered = Math.max(this.#answered, trip)
    return found
  }
}
