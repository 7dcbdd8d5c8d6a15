import { expect, it } from 'vitest'
import { isLedgerError } from '#src/domain/errors.ts'
import { TestDatabase } from '#test/adapters/mongodb/open-stores.ts'
import { describeContentStore } from '#test/contract/content-store.contract.ts'
import { describeControlStore } from '#test/contract/control-store.contract.ts'
import { describeReadStore, sampleSchema } from '#test/contract/read-store.contract.ts'
import { describeWithMongo } from '#test/support/services.ts'

describeWithMongo('MongoDB', (mongo) => {
  describeReadStore(mongo.name, async () => {
    const database = new TestDatabase(mongo)
    return { open: async () => (await database.open()).readStore, dispose: () => database.dispose() }
  })

  it('answers queries that carry the id of their request', async () => {
    const database = new TestDatabase(mongo)
    const { readStore } = await database.open()
    const writer = await readStore.openWriter(sampleSchema)
    const row = { left: 1n, right: 'a', count: 2n }
    await writer.commit({
      from: 0,
      to: { position: 1, time: 1n },
      puts: [{ collection: 'byPair', row }],
      deletes: [],
    })
    const reader = await readStore.openReader(sampleSchema)
    const query = { collection: 'byPair', index: ['left', 'right'], limit: 5, select: ['count'] }
    expect(await reader.find(query, 'request-1')).toEqual([{ count: 2n }])
    expect(await reader.get('byPair', [[1n, 'a']], ['count'], 'request-2')).toEqual([{ count: 2n }])
    await database.dispose()
  })

  it('asks nothing of the server any more once the stores are closed', async () => {
    const database = new TestDatabase(mongo)
    for (const used of [false, true]) {
      const { readStore, controlStore, close } = await database.open()
      if (used) await controlStore.get('any')
      const reader = await readStore.openReader(sampleSchema)
      await close()
      for (const call of [
        () => controlStore.get('any'),
        () => reader.checkpoint(),
        () => readStore.openWriter(sampleSchema),
      ])
        await expect(call()).rejects.toSatisfy((error) => isLedgerError(error, 'store_unavailable'))
    }
    await database.dispose()
  })

  // mongo-java-server has no sessions, without which members other than the primary cannot be read in order.
  if (mongo.name.startsWith('mongo-java')) {
    it('refuses to read from any member without sessions', async () => {
      const database = new TestDatabase(mongo)
      const { readStore } = await database.open({ readPreference: 'nearest' })
      const reader = await readStore.openReader({ name: 'any', version: 1, collections: {} })
      await expect(reader.checkpoint()).rejects.toSatisfy((error) => isLedgerError(error, 'store_misconfigured'))
      await database.dispose()
    })
  } else {
    describeReadStore(`${mongo.name}, read from any member,`, async () => {
      const database = new TestDatabase(mongo)
      return {
        open: async () => (await database.open({ readPreference: 'nearest' })).readStore,
        dispose: () => database.dispose(),
      }
    })
  }

  // Single-document updates are atomic on MongoDB; FerretDB 1.24 reads, compares and writes in three steps.
  const oneWriterOnly = mongo.name === 'ferretdb' ? 'FerretDB does not compare and set in one step' : undefined
  describeControlStore(
    mongo.name,
    async () => {
      const database = new TestDatabase(mongo)
      return { open: async () => (await database.open()).controlStore, dispose: () => database.dispose() }
    },
    { oneWriterOnly },
  )

  describeContentStore(mongo.name, async () => {
    const database = new TestDatabase(mongo)
    return { open: async () => (await database.open()).contentStore, dispose: () => database.dispose() }
  })
})
