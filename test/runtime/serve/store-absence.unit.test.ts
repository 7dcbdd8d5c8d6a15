import { expect, it, vi } from 'vitest'
import { LedgerError } from '#src/domain/errors.ts'
import { silentLogger } from '#src/ports/logger.ts'
import { StoreAbsence } from '#src/runtime/serve/store-absence.ts'

const failed = new LedgerError('unavailable', 'a read failed')

it('says once for each reason why a store is still away, and serves when it answers', async () => {
  const logged: unknown[] = []
  const log = (fields: object, message: string) => void logged.push([message, fields])
  const answers = ['no route', 'no route', 'still starting', undefined]
  const ask = async () => {
    const reason = answers.shift()
    if (reason !== undefined) throw new Error(reason)
  }
  const absence = new StoreAbsence({ ask, logger: { ...silentLogger, warn: log, info: log }, pollMs: 1 })
  await absence.find(failed)
  expect(absence.error).toBe(failed)
  await vi.waitUntil(() => absence.error === undefined)
  expect(logged).toEqual([
    ['read store is away, refusing requests', { code: 'unavailable', reason: 'a read failed' }],
    ['read store is still away', { reason: 'no route' }],
    ['read store is still away', { reason: 'still starting' }],
    ['read store answers, serving requests', {}],
  ])
})

it('asks anew where no answer comes', async () => {
  const ask = vi.fn<() => Promise<void>>().mockReturnValue(new Promise(() => {}))
  const warn = vi.fn<(fields: object, message: string) => void>()
  const absence = new StoreAbsence({ ask, logger: { ...silentLogger, warn }, pollMs: 1, answerMaxMs: 5 })
  await absence.find(failed)
  expect(absence.error).toBe(failed)
  await vi.waitUntil(() => ask.mock.calls.length > 2)
  expect(warn.mock.lastCall).toEqual([
    { reason: 'The read store has not answered within 5 ms' },
    'read store is still away',
  ])
  ask.mockResolvedValue(undefined)
  await vi.waitUntil(() => absence.error === undefined)
})

it('a store that answers is not away, whatever one request met', async () => {
  const absence = new StoreAbsence({ ask: async () => {}, logger: silentLogger })
  await absence.find(failed)
  expect(absence.error).toBeUndefined()
})
