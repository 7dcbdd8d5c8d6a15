import type { FastifyInstance } from 'fastify'

/** How requests learn that the server closes. */
export interface Closing {
  /** Aborted when the server begins to close: nothing is waited for any more. */
  readonly begun: AbortSignal
  /** Aborted when the time to finish is over: searches are given up. */
  readonly over: AbortSignal
}

/** How often connections are looked for whose last answer was sent meanwhile. */
const sweepMs = 20

/**
 * Lets the requests of a closing server finish for `graceMs`, then cuts the connections that are left: one that never
 * sends the rest of its request must not keep the process alive.
 */
export function closeInTime(app: FastifyInstance, graceMs: number): Closing {
  const begun = new AbortController()
  const over = new AbortController()
  app.addHook('preClose', async () => {
    begun.abort()
    if (!app.server.listening) return
    const sweep = setInterval(() => app.server.closeIdleConnections(), sweepMs).unref()
    const end = setTimeout(() => {
      over.abort()
      app.server.closeAllConnections()
    }, graceMs).unref()
    app.server.once('close', () => {
      clearInterval(sweep)
      clearTimeout(end)
    })
  })
  return { begun: begun.signal, over: over.signal }
}
