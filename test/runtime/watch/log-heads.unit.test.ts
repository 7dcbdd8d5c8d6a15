import { expect, it } from 'vitest'
import type { MessageLog } from '#src/ports/message-log.ts'
import { LogHeads } from '#src/runtime/watch/log-heads.ts'

const head = { sequence: 7, time: 1n }
const log = { head: async () => head, close: async () => undefined } as unknown as MessageLog

it('forgets a log that never answered, or cannot be closed, without waiting for it or failing of it', async () => {
  const hanging = Promise.withResolvers<MessageLog>()
  let closed = 0
  const broken = { ...log, close: () => Promise.reject(new Error('gone')) } as MessageLog
  const logs = [hanging.promise, Promise.resolve(broken), Promise.resolve(log)]
  const heads = new LogHeads({ openLog: (generation) => logs[generation]!, now: () => 0, timeoutMs: 5 })
  expect((await heads.ask(0)).problem).toMatch(/^The log has not answered within 5 ms/)
  expect((await heads.ask(1)).head).toEqual(head)
  heads.keepOnly(new Set([2]))
  expect((await heads.ask(2)).head).toEqual(head)
  expect(heads.known(1).head).toBeUndefined()
  await heads.close()
  // One that opens late is closed all the same.
  const close = async (): Promise<void> => {
    closed += 1
  }
  hanging.resolve({ ...log, close } as MessageLog)
  await expect.poll(() => closed).toBe(1)
})
