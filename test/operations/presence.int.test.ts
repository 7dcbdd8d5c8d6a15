import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSqliteControlStore } from '#src/adapters/sqlite/control-store.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { type AnnounceOptions, announcePresence, PresenceWatch, readPresence } from '#src/operations/presence.ts'
import type { ControlStore } from '#src/ports/control-store.ts'
import { silentLogger } from '#src/ports/logger.ts'

describe('presence', () => {
  let control: ControlStore
  let stop: AbortController
  beforeEach(() => {
    control = openSqliteControlStore({ folder: ':memory:' })
    stop = new AbortController()
  })
  afterEach(async () => {
    stop.abort()
    await control.close()
  })

  const announce = (options: Partial<AnnounceOptions> = {}) =>
    announcePresence({
      control,
      role: 'serve',
      codeVersion: '1.2.3',
      host: 'somewhere',
      pid: 7,
      figures: () => ({ serves: { blocks: '1' } }),
      intervalMs: 2,
      signal: stop.signal,
      logger: silentLogger,
      ...options,
    })
  const beatOf = async (id: string) => (await readPresence(control, 0)).find((process) => process.id === id)?.beat ?? 0

  it('shows who a process is and what it does, beats, and is gone at the end', async () => {
    const { id, ended } = announce()
    await expect.poll(() => beatOf(id)).toBeGreaterThan(3)
    const [process] = await readPresence(control, Date.now())
    expect(process).toMatchObject({
      id,
      role: 'serve',
      codeVersion: '1.2.3',
      host: 'somewhere',
      pid: 7,
      serves: { blocks: '1' },
    })
    stop.abort()
    await ended
    expect(await readPresence(control, 0)).toEqual([])
  })

  it('says at once what has changed when it is asked to', async () => {
    let serves = { blocks: '1' }
    const { beat } = announce({ figures: () => ({ serves }), intervalMs: 60_000 })
    await beat()
    serves = { blocks: '2' }
    await beat()
    expect((await readPresence(control, 0))[0]?.serves).toEqual({ blocks: '2' })
  })

  it('counts as alive by its age as long as few beats are missing', async () => {
    const nowMs = 1_000_000
    const { beat } = announce({ now: () => nowMs, intervalMs: 1_000 })
    await beat()
    const isAlive = async (atMs: number) => (await readPresence(control, atMs))[0]?.alive
    expect(await isAlive(nowMs + 5_000)).toBe(true)
    expect(await isAlive(nowMs + 5_001)).toBe(false)
  })

  it('is judged by our own clock where its clock is wrong: dead only when its beat stands still', async () => {
    let nowMs = 0
    const watch = new PresenceWatch({ control, now: () => nowMs })
    const { beat } = announce({ now: () => 0, intervalMs: 1_000 })
    const isAlive = async () => (await watch.read())[0]?.alive
    await beat()
    expect(await isAlive()).toBe(true)
    nowMs += 4_000
    await beat()
    expect(await isAlive()).toBe(true)
    nowMs += 5_000
    expect(await isAlive()).toBe(true)
    nowMs += 1
    expect(await isAlive()).toBe(false)
    await beat()
    expect(await isAlive()).toBe(true)
  })

  it('warns once while the store is away, goes on, and shows itself again afterwards', async () => {
    let away = false
    const warned: string[] = []
    let refused = 0
    const flaky: ControlStore = {
      get: (name) => control.get(name),
      list: (prefix) => control.list(prefix),
      remove: (name) => control.remove(name),
      close: () => control.close(),
      put: async (name, text, revision) => {
        if (!away) return control.put(name, text, revision)
        refused += 1
        // It was written, but nobody heard so.
        await control.put(name, text, revision)
        throw new LedgerError('store_unavailable', 'The control store is away')
      },
    }
    const logger = { ...silentLogger, warn: (_fields: object, message: string) => warned.push(message) }
    const { id } = announce({ control: flaky, logger })
    await expect.poll(() => beatOf(id)).toBeGreaterThan(0)
    away = true
    await expect.poll(() => refused).toBeGreaterThan(3)
    expect(warned).toHaveLength(1)
    away = false
    const before = await beatOf(id)
    await expect.poll(() => beatOf(id)).toBeGreaterThan(before + 3)
    expect(warned).toHaveLength(1)
  })

  it('ends without another wait for a store that is away', async () => {
    const asked: string[] = []
    const refuse = async (what: string): Promise<never> => {
      asked.push(what)
      throw new LedgerError('store_unavailable', 'The control store is away')
    }
    const gone: ControlStore = {
      get: () => refuse('get'),
      list: () => refuse('list'),
      put: () => refuse('put'),
      remove: () => refuse('remove'),
      close: async () => undefined,
    }
    const { ended } = announce({ control: gone, intervalMs: 60_000 })
    await expect.poll(() => asked).toEqual(['put'])
    stop.abort()
    await ended
    expect(asked).toEqual(['put'])
  })

  it('comes back when somebody took it for dead', async () => {
    const { id } = announce()
    await expect.poll(() => beatOf(id)).toBeGreaterThan(0)
    await control.remove(`process/${id}`)
    await expect.poll(() => beatOf(id)).toBeGreaterThan(0)
  })

  it('removes what processes left that were killed long ago, and passes over what it cannot read', async () => {
    const nowMs = Date.now()
    const left = (id: string, agoMs: number) =>
      control.put(`process/${id}`, JSON.stringify({ id, beat: 3, beatAt: new Date(nowMs - agoMs).toISOString() }), 0)
    await left('old', 3_600_001)
    await left('recent', 3_000_000)
    await control.put('process/strange', '{]', 0)
    const { id } = announce({ now: () => nowMs })
    const ids = async () => (await readPresence(control, nowMs)).map((process) => process.id).sort()
    await expect.poll(ids).toEqual([id, 'recent'].sort())
  })
})
