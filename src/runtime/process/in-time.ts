import { setTimeout as sleep } from 'node:timers/promises'
import { LedgerError } from '#src/domain/errors.ts'

/** What the work resolves to, or `unavailable` when that takes longer; the work itself goes on. */
export async function inTime<T>(work: Promise<T>, timeoutMs: number, what: string): Promise<T> {
  const ended = new AbortController()
  const late = async (): Promise<never> => {
    await sleep(timeoutMs, undefined, { signal: ended.signal })
    throw new LedgerError('unavailable', `${what} has not answered within ${timeoutMs} ms`)
  }
  try {
    return await Promise.race([work, late()])
  } finally {
    ended.abort()
  }
}
