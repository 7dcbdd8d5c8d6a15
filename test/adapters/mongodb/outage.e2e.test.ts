import { afterEach, expect, it, vi } from 'vitest'
import { isLedgerError } from '#src/domain/errors.ts'
import { changingSchema, commitOf, expectedAt, foundIn } from '#test/adapters/mongodb/numbered-commits.ts'
import { TestDatabase } from '#test/adapters/mongodb/open-stores.ts'
import { describeWithOwn, type LocalService, startFerretDb } from '#test/support/own-services.ts'

/** Milliseconds that one call may take. */
const timeoutMs = 1_000

const isAway = (error: unknown) => isLedgerError(error, 'store_unavailable')

describeWithOwn(['ferretdb'], 'a MongoDB server that goes away', () => {
  let server: LocalService
  let database: TestDatabase
  afterEach(async () => {
    server.signal('SIGCONT')
    try {
      await database.dispose()
    } finally {
      await server.stop()
    }
  })
  const start = async () => {
    server = await startFerretDb()
    database = new TestDatabase({ uri: server.address })
    const { readStore, controlStore } = await database.open({ timeoutMs })
    const writer = await readStore.openWriter(changingSchema)
    await writer.commit(commitOf(changingSchema, 0, 10))
    await controlStore.put('plan', 'first', 0)
    return { readStore, controlStore, writer, reader: await readStore.openReader(changingSchema) }
  }
  const refusedInTime = async (call: () => Promise<unknown>) => {
    const started = performance.now()
    await expect(call()).rejects.toSatisfy(isAway)
    expect(performance.now() - started).toBeLessThan(timeoutMs * 10)
  }

  it('makes every call fail in time, and everything go on with it when it is back', async () => {
    const { readStore, controlStore, writer, reader } = await start()
    await server.kill()
    await refusedInTime(() => reader.checkpoint())
    await refusedInTime(() => reader.find({ collection: 'slots', index: ['slot'], limit: 1, select: ['slot'] }))
    await refusedInTime(() => controlStore.get('plan'))
    await refusedInTime(() => controlStore.put('plan', 'second', 1))
    await refusedInTime(() => writer.commit(commitOf(changingSchema, 10, 20)))
    await refusedInTime(() => readStore.openWriter({ ...changingSchema, build: 2 }))
    await server.restart()
    expect((await reader.checkpoint())?.position).toBe(10)
    expect(await controlStore.get('plan')).toEqual({ name: 'plan', revision: 1, text: 'first' })
    // How far the commit got is not known to this handle; the next one finds out.
    await expect(writer.load('slots', [[1]])).rejects.toSatisfy(isAway)
    await writer.close()
    const next = await readStore.openWriter(changingSchema)
    await next.commit(commitOf(changingSchema, 10, 20))
    expect(await foundIn(readStore, changingSchema)).toEqual(expectedAt(changingSchema, 20))
  })

  it('may stop answering without closing its connections', async () => {
    const { readStore, writer, reader } = await start()
    server.signal('SIGSTOP')
    // Its threads stop one after the other.
    await vi.waitUntil(() => reader.checkpoint().then(() => false, isAway), { timeout: 20_000, interval: 1 })
    await refusedInTime(() => writer.commit(commitOf(changingSchema, 10, 20)))
    server.signal('SIGCONT')
    await writer.close()
    const next = await readStore.openWriter(changingSchema)
    expect(next.checkpoint?.position).toBe(10)
    await next.commit(commitOf(changingSchema, 10, 20))
    expect(await foundIn(readStore, changingSchema)).toEqual(expectedAt(changingSchema, 20))
  })

  it('holds closing up no longer for many read models than for one', async () => {
    const { readStore } = await start()
    for (const build of [2, 3, 4, 5]) await readStore.openWriter({ ...changingSchema, build })
    await server.kill()
    const started = performance.now()
    await readStore.close()
    expect(performance.now() - started).toBeLessThan(4_000)
    await server.restart()
  })

  it('may be away when it is first asked, and be used as soon as it is there', async () => {
    server = await startFerretDb()
    database = new TestDatabase({ uri: server.address })
    await server.kill()
    const { controlStore } = await database.open({ timeoutMs })
    await Promise.all([1, 2, 3].map(() => refusedInTime(() => controlStore.get('plan'))))
    await refusedInTime(() => controlStore.get('plan'))
    await server.restart()
    expect(await controlStore.put('plan', 'first', 0)).toBe(true)
    expect((await controlStore.get('plan'))?.text).toBe('first')
  })

  it('does not hold up an owner that closes', async () => {
    const { writer, readStore } = await start()
    await server.kill()
    const started = performance.now()
    await writer.close()
    expect(performance.now() - started).toBeLessThan(3_000)
    await server.restart()
    // Left behind by this process, so nobody has to wait for its lease.
    expect((await readStore.openWriter(changingSchema)).checkpoint?.position).toBe(10)
  })
})
