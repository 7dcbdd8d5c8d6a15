import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import { createShutdown, sameRequestMs } from '#src/runtime/process/lifecycle.ts'

function given() {
  const source = new EventEmitter()
  const seen: string[] = []
  let nowMs = 0
  const shutdown = createShutdown({
    source,
    now: () => nowMs,
    onStop: (signal) => seen.push(`stop ${signal}`),
    onForce: (signal) => seen.push(`force ${signal}`),
  })
  return { shutdown, seen, send: (signal: string) => source.emit(signal), wait: (ms: number) => (nowMs += ms), source }
}

describe('shutdown', () => {
  it('aborts at the first signal and forces at a second, later one', () => {
    const { shutdown, seen, send, wait } = given()
    send('SIGINT')
    expect(shutdown.signal.aborted).toBe(true)
    wait(sameRequestMs)
    send('SIGINT')
    expect(seen).toEqual(['stop SIGINT', 'force SIGINT'])
  })

  it('takes signals of one moment as one, since Ctrl-C arrives from terminal and launcher', () => {
    const { seen, send, wait } = given()
    send('SIGINT')
    wait(sameRequestMs - 1)
    send('SIGTERM')
    expect(seen).toEqual(['stop SIGINT'])
  })

  it('listens no longer once released', () => {
    const { shutdown, source } = given()
    shutdown.release()
    expect(source.listenerCount('SIGINT') + source.listenerCount('SIGTERM')).toBe(0)
  })
})
