/** Where stop requests come from; `process` is one. */
export interface SignalSource {
  on(event: NodeJS.Signals, listener: () => void): unknown
  off(event: NodeJS.Signals, listener: () => void): unknown
}

export interface ShutdownOptions {
  readonly source: SignalSource
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number
  /** The first request: say that the process stops. */
  readonly onStop: (signal: NodeJS.Signals) => void
  /** A later request: end at once. */
  readonly onForce: (signal: NodeJS.Signals) => void
}

export interface Shutdown {
  readonly signal: AbortSignal
  /** Stops for a reason other than a signal. */
  request(): void
  /** Stops listening. */
  release(): void
}

/** Signals of one moment are one request: Ctrl-C reaches a child from the terminal, npm and the launcher alike. */
export const sameRequestMs = 1_000

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Turns the first stop signal into an aborted AbortSignal and a second, later one into `onForce`. */
export function createShutdown({ source, now, onStop, onForce }: ShutdownOptions): Shutdown {
  const controller = new AbortController()
  let requestedAt: number | undefined
  const listeners = stopSignals.map((name) => {
    const listener = (): void => {
      if (requestedAt === undefined) {
        requestedAt = now()
        onStop(name)
        controller.abort()
      } else if (now() - requestedAt >= sameRequestMs) {
        onForce(name)
      }
    }
    source.on(name, listener)
    return { name, listener }
  })
  return {
    signal: controller.signal,
    request: () => controller.abort(),
    release: () => {
      for (const { name, listener } of listeners) source.off(name, listener)
    },
  }
}
