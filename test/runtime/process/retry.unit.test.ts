import { describe, expect, it } from 'vitest'
import { type ErrorCode, LedgerError } from '#src/domain/errors.ts'
import { silentLogger } from '#src/ports/logger.ts'
import { retryWhileAway } from '#src/runtime/process/retry.ts'

const away = () => new LedgerError('store_unavailable', 'disk gone')

/** Runs attempts that fail with these errors, one after the other, then succeed. */
function given(
  errors: readonly Error[],
  { done = [] as readonly number[], stopWhenAway = false, atWork = [] as readonly ErrorCode[] } = {},
) {
  const stop = new AbortController()
  const pauses: unknown[] = []
  const problems: string[] = []
  const said: string[] = []
  let attempts = 0
  let progress = 0
  const attempt = async (): Promise<void> => {
    progress += done[attempts] ?? 0
    const error = errors[attempts++]
    if (error !== undefined) throw error
  }
  const run = () =>
    retryWhileAway(attempt, {
      signal: stop.signal,
      logger: {
        ...silentLogger,
        warn: (fields: object) => said.push((fields as { reason: string }).reason),
        debug: (fields: object) => pauses.push((fields as { retryDelayMs: number }).retryDelayMs),
      },
      progress: () => progress,
      alsoWaitAtWork: atWork,
      onAway: ({ message }) => {
        problems.push(message)
        if (stopWhenAway) stop.abort()
      },
      retryMinMs: 1,
      retryMaxMs: 4,
    })
  return { run, stop, pauses, problems, said, attempts: () => attempts }
}

describe('retryWhileAway', () => {
  it('warns once per reason, in a line without a stack', async () => {
    const { run, said } = given([away(), away(), new LedgerError('log_unavailable', 'locked'), away()])
    await run()
    expect(said).toEqual(['disk gone', 'locked', 'disk gone'])
  })

  it('tries again after pauses that double up to the longest, and tells why', async () => {
    const { run, pauses, problems } = given([away(), away(), new LedgerError('log_unavailable', 'locked'), away()])
    await run()
    expect(pauses).toEqual([1, 2, 4, 4])
    expect(problems).toEqual(['disk gone', 'disk gone', 'locked', 'disk gone'])
  })

  it('begins with the first pause again when an attempt got something done', async () => {
    const { run, pauses } = given([away(), away(), away(), away()], { done: [0, 0, 5, 0] })
    await run()
    expect(pauses).toEqual([1, 2, 1, 2])
  })

  it('rejects with any other failure', async () => {
    const { run, attempts } = given([away(), new LedgerError('log_writer_busy', 'another')])
    await expect(run()).rejects.toMatchObject({ code: 'log_writer_busy' })
    expect(attempts()).toBe(2)
  })

  it('rejects with a failure that comes after the stop, and ends a pause that the stop meets', async () => {
    const stopped = given([away()])
    stopped.stop.abort()
    await expect(stopped.run()).rejects.toMatchObject({ code: 'store_unavailable' })
    const paused = given([away(), new Error('not asked again')], { stopWhenAway: true })
    await paused.run()
    expect(paused.attempts()).toBe(1)
  })

  it('waits for some failures only once it has been at work', async () => {
    const unusable = () => new LedgerError('data_folder_unusable', 'no rights')
    const atFirst = given([unusable()], { atWork: ['data_folder_unusable'] })
    await expect(atFirst.run()).rejects.toThrow('no rights')
    const later = given([unusable(), unusable()], { done: [1], atWork: ['data_folder_unusable'] })
    await later.run()
    expect(later.attempts()).toBe(3)
    await expect(given([unusable()], { done: [1] }).run()).rejects.toThrow('no rights')
  })
})
