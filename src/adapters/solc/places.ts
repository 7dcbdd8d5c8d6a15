import type { CompilerLimits } from '#src/adapters/solc/limits.ts'
import { LedgerError } from '#src/domain/errors.ts'

export interface Places {
  /** How many wait. */
  readonly waiting: number
  /** Resolves with what gives the place back. Rejects with `overloaded` where too many wait, and with the signal's reason. */
  enter(signal: AbortSignal): Promise<() => void>
}

/** So many at once, so many who wait in the order they came, and no more. */
export function createPlaces({ atOnce, waiting: waitingMax }: Pick<CompilerLimits, 'atOnce' | 'waiting'>): Places {
  let free = atOnce
  const queue = new Set<() => void>()

  const leave = (): void => {
    const [next] = queue
    if (next === undefined) free++
    else next()
  }

  return {
    get waiting() {
      return queue.size
    },
    enter: async (signal) => {
      signal.throwIfAborted()
      if (free > 0) {
        free--
        return leave
      }
      if (queue.size >= waitingMax)
        throw new LedgerError('overloaded', `${waitingMax} compilations wait already; try again in a minute`)
      await new Promise<void>((resolve, reject) => {
        const giveUp = () => {
          queue.delete(enter)
          reject(signal.reason)
        }
        const enter = () => {
          queue.delete(enter)
          signal.removeEventListener('abort', giveUp)
          resolve()
        }
        queue.add(enter)
        signal.addEventListener('abort', giveUp, { once: true })
      })
      return leave
    },
  }
}
