/**
 * Wraps a read so that it runs at most once at a time. Who calls while it runs gets the next run's result, which began
 * after the call, so that nobody sees an older state than without sharing; where it fails they fail with it, since another try would
 * take them twice as long as whoever asks alone.
 */
export function createSharedCall<T>(call: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  let next: Promise<T> | undefined
  const run = (): Promise<T> => {
    const current = call().finally(() => {
      if (running === current) running = undefined
    })
    running = current
    return current
  }
  const runNext = (): Promise<T> => {
    next = undefined
    return run()
  }
  const failNext = (error: unknown): never => {
    next = undefined
    throw error
  }
  return () => {
    if (running === undefined) return run()
    next ??= running.then(runNext, failNext)
    return next
  }
}
