/** That the time for an operation is over. */
export class DeadlinePassed extends Error {}

/**
 * Runs an operation with a signal that ends it at the caller's signal or after the time; then it rejects with the reason,
 * which is a `DeadlinePassed` for the time.
 */
export async function withDeadline<T>(
  milliseconds: number,
  signal: AbortSignal | undefined,
  operation: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const end = () => controller.abort(signal?.reason)
  const timer = setTimeout(
    () => controller.abort(new DeadlinePassed(`not answered wholly within ${milliseconds} ms`)),
    milliseconds,
  )
  signal?.addEventListener('abort', end, { once: true })
  if (signal?.aborted) end()
  try {
    return await operation(controller.signal)
  } catch (error) {
    throw controller.signal.aborted ? controller.signal.reason : error
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', end)
  }
}
