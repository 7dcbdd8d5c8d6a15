import { setTimeout as sleep } from 'node:timers/promises'
import { hasType } from '#src/adapters/kafka/errors.ts'

/** What a broker answers while it is busy with what we wait for, or while a coordinator moves in. */
const passingTypes = [
  'CONCURRENT_TRANSACTIONS',
  'GROUP_LOAD_IN_PROGRESS',
  'GROUP_COORDINATOR_NOT_AVAILABLE',
  'NOT_COORDINATOR_FOR_GROUP',
  'LEADER_NOT_AVAILABLE',
] as const

const pauseFactor = 1.5

export interface PatienceOptions {
  /** Until when trying again is worth it, milliseconds from now. */
  readonly timeoutMs: number
  /** First and longest pause. */
  readonly pauseMinMs: number
  readonly pauseMaxMs: number
}

/** Tries again as long as the broker says that it is not ready yet. */
export async function patiently<T>(options: PatienceOptions, attempt: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + options.timeoutMs
  for (let pauseMs = options.pauseMinMs; ; pauseMs = Math.min(pauseMs * pauseFactor, options.pauseMaxMs)) {
    try {
      return await attempt()
    } catch (error) {
      if (!hasType(error, ...passingTypes) || performance.now() + pauseMs > deadline) throw error
    }
    await sleep(pauseMs)
  }
}
