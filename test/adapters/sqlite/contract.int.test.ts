import { describe, expect, it } from 'vitest'
import { openSqliteContentStore } from '#src/adapters/sqlite/content-store.ts'
import { openSqliteControlStore } from '#src/adapters/sqlite/control-store.ts'
import { openSqliteDecisionStore } from '#src/adapters/sqlite/decision-store.ts'
import { openSqliteLog } from '#src/adapters/sqlite/message-log.ts'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import type { ContentStore } from '#src/ports/content-store.ts'
import type { ControlStore } from '#src/ports/control-store.ts'
import type { DecisionStore } from '#src/ports/decision-store.ts'
import type { MessageLog } from '#src/ports/message-log.ts'
import type { ReadStore } from '#src/ports/read-store.ts'
import { describeContentStore } from '#test/contract/content-store.contract.ts'
import { describeControlStore } from '#test/contract/control-store.contract.ts'
import { describeDecisionStore } from '#test/contract/decision-store.contract.ts'
import { describeMessageLog } from '#test/contract/message-log.contract.ts'
import { describeReadStore, sampleSchema } from '#test/contract/read-store.contract.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

describeMessageLog('SQLite in a folder', async () => {
  const folder = await temporaryFolder()
  const opened: MessageLog[] = []
  return {
    open: async () => {
      const log = openSqliteLog({ folder: folder.path, pollMs: 1 })
      opened.push(log)
      return log
    },
    dispose: async () => {
      for (const log of opened) await log.close()
      await folder.remove()
    },
  }
})

describeMessageLog('SQLite in memory', async () => {
  const log = openSqliteLog({ folder: ':memory:', pollMs: 1 })
  return { open: async () => log, dispose: () => log.close() }
})

describeReadStore('SQLite in a folder', async () => {
  const folder = await temporaryFolder()
  const opened: ReadStore[] = []
  return {
    open: async () => {
      const store = openSqliteReadStore({ folder: folder.path })
      opened.push(store)
      return store
    },
    dispose: async () => {
      for (const store of opened) await store.close()
      await folder.remove()
    },
  }
})

describeReadStore('SQLite in memory', async () => {
  const store = openSqliteReadStore({ folder: ':memory:' })
  return { open: async () => store, dispose: () => store.close() }
})

describe('SQLite in a folder', () => {
  it('loads a row at once as it loads several, and one that is not there', async () => {
    const folder = await temporaryFolder()
    const store = openSqliteReadStore({ folder: folder.path })
    const writer = await store.openWriter(sampleSchema)
    const row = { time: 1n, kind: 2, label: 'a', data: new Uint8Array([4]) }
    await writer.commit({ from: 0, to: { position: 1, time: 1n }, puts: [{ collection: 'byTime', row }], deletes: [] })

    expect([1n, 9n].map((time) => writer.loadSync?.('byTime', [time]))).toEqual(
      await writer.load('byTime', [[1n], [9n]]),
    )
    expect(writer.loadSync?.('byTime', [1n])).toMatchObject(row)
    await writer.close()
    await store.close()
    await folder.remove()
  })
})

describeControlStore('SQLite in a folder', async () => {
  const folder = await temporaryFolder()
  const opened: ControlStore[] = []
  return {
    open: async () => {
      const store = openSqliteControlStore({ folder: folder.path })
      opened.push(store)
      return store
    },
    dispose: async () => {
      for (const store of opened) await store.close()
      await folder.remove()
    },
  }
})

describeControlStore('SQLite in memory', async () => {
  const store = openSqliteControlStore({ folder: ':memory:' })
  return { open: async () => store, dispose: () => store.close() }
})

describeContentStore('SQLite in a folder', async () => {
  const folder = await temporaryFolder()
  const opened: ContentStore[] = []
  return {
    open: async () => {
      const store = openSqliteContentStore({ folder: folder.path })
      opened.push(store)
      return store
    },
    dispose: async () => {
      for (const store of opened) await store.close()
      await folder.remove()
    },
  }
})

describeContentStore('SQLite in memory', async () => {
  const store = openSqliteContentStore({ folder: ':memory:' })
  return { open: async () => store, dispose: () => store.close() }
})

describeDecisionStore('SQLite in a folder', async () => {
  const folder = await temporaryFolder()
  const opened: DecisionStore[] = []
  return {
    open: async () => {
      const store = openSqliteDecisionStore({ folder: folder.path, pollMs: 1 })
      opened.push(store)
      return store
    },
    dispose: async () => {
      for (const store of opened) await store.close()
      await folder.remove()
    },
  }
})

describeDecisionStore('SQLite in memory', async () => {
  const store = openSqliteDecisionStore({ folder: ':memory:', pollMs: 1 })
  return { open: async () => store, dispose: () => store.close() }
})
