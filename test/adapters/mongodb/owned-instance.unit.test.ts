import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Connection } from '#src/adapters/mongodb/connection.ts'
import type { InstanceDocument } from '#src/adapters/mongodb/instance.ts'
import { OwnedInstance } from '#src/adapters/mongodb/owned-instance.ts'
import { silentLogger } from '#src/ports/logger.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const document = {
  _id: 'any@1',
  epoch: 3n,
  life: 1n,
  owner: { token: 'mine' },
  dropping: [],
} as unknown as InstanceDocument

/** A server that answers nothing for so long, and then says that it did not. */
function silentServer(timeoutMs: number) {
  let calls = 0
  const connection = {
    settings: { heartbeatMs: 1_000 },
    logger: silentLogger,
    run: () => {
      calls++
      return new Promise((_, reject) => setTimeout(() => reject(new Error('away')), timeoutMs))
    },
  } as unknown as Connection
  return { connection, calls: () => calls }
}

it('a commit in an outage waits for one sign of life at most, not for all that were missed', async () => {
  const { connection } = silentServer(10_000)
  const owned = new OwnedInstance(connection, { name: 'any', version: 1, collections: {} }, document)
  await vi.advanceTimersByTimeAsync(60_000)
  const began = Date.now()
  const moving = owned.move({ state: 'done' }).catch(() => Date.now() - began)
  await vi.advanceTimersByTimeAsync(600_000)
  expect(await moving).toBeLessThanOrEqual(20_000)
  const releasing = owned.release()
  await vi.advanceTimersByTimeAsync(10_000)
  await releasing
})
