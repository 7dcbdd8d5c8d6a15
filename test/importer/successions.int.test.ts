import { beforeEach, describe, expect, it } from 'vitest'
import { openFolderSource } from '#src/adapters/folder/folder-source.ts'
import { openSqliteLog } from '#src/adapters/sqlite/message-log.ts'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import { decodeEvent } from '#src/events/codec.ts'
import { closeLog } from '#src/importer/close-log.ts'
import { runImporter } from '#src/importer/importer.ts'
import { importerDefaults } from '#src/importer/settings.ts'
import { systemClock } from '#src/ports/clock.ts'
import { silentLogger } from '#src/ports/logger.ts'
import type { MessageLog } from '#src/ports/message-log.ts'
import { addressBook, beforeEachImport, nodes, transfer } from '#test/importer/import-folder.ts'
import { chainV6, type TestFile, writeFile } from '#test/support/record-writer.ts'

const settings = { ...importerDefaults, network: 'demo', addressBook, once: true }
let root: string
let logs: Map<number, MessageLog>
const store = () => openSqliteReadStore({ folder: ':memory:' })
let stores: Map<number, ReturnType<typeof store>>
let serving: number

beforeEachImport((folder) => {
  root = folder
})

beforeEach(async () => {
  const files = chainV6({ first: 1_700_000_000_000_000_000n, number: 1n, items: [transfer, transfer] }) as TestFile[]
  for (const file of files) writeFile(file, { root, nodes })
  logs = new Map()
  stores = new Map()
  serving = 1
  for (const generation of [1, 2, 3]) {
    logs.set(generation, openSqliteLog({ folder: ':memory:' }))
    stores.set(generation, store())
    await work(generation, undefined)
  }
  await promote(1)
})

/** What the importer of a generation does when it begins. */
async function work(generation: number, servesAs: string | undefined): Promise<void> {
  const source = openFolderSource({ folder: root })
  const [log, ours] = [logs.get(generation)!, stores.get(generation)!]
  await runImporter({
    source,
    log,
    store: ours,
    generation,
    settings,
    servesAs,
    clock: systemClock,
    logger: silentLogger,
  })
  await source.close()
}

async function promote(generation: number): Promise<void> {
  serving = generation
  await work(generation, `g${generation}`)
  await closeOthers()
}

/** As the importer of the serving generation does, and a prune where no importer works. */
async function closeOthers(): Promise<void> {
  const next = { nextGeneration: serving, nextLog: `g${serving}`, reason: 'a test' }
  for (const [generation, log] of logs) {
    if (generation !== serving) await closeLog({ log, store: stores.get(generation)!, generation, settings }, next)
  }
}

async function prune(generation: number): Promise<void> {
  await closeOthers()
  logs.delete(generation)
}

/** Where a subscriber ends that begins in a generation and obeys what is the last event of its log. */
async function endOf(generation: number): Promise<number> {
  for (let hops = 0; hops < 10; hops++) {
    const log = logs.get(generation)
    if (log === undefined) throw new Error(`a subscriber was sent to generation ${generation}, which was removed`)
    const { sequence } = await log.head()
    let next = generation
    for await (const { records } of log.read({ after: sequence - 1, countMax: 1, bytesMax: 1, follow: false })) {
      for (const record of records)
        if (record.type === 'LogSuperseded') next = decodeEvent({ ...record, type: record.type }).nextGeneration
    }
    if (next === generation) return generation
    generation = next
  }
  throw new Error('a subscriber is sent round and round')
}

const orders = [1, 2, 3].flatMap((a) =>
  [1, 2, 3].flatMap((b) => [1, 2, 3].flatMap((c) => [1, 2, 3].map((d) => [a, b, c, d]))),
)

describe('a subscriber that obeys the last event of a log', () => {
  it('ends at the generation that serves, after promotions in any order, wherever it begins', async () => {
    // One long life that has every order of four in it.
    for (const generation of orders.flat()) {
      if (generation !== serving) await promote(generation)
      for (const from of [1, 2, 3]) expect(await endOf(from), `from ${from}`).toBe(serving)
    }
  }, 60_000)

  it('is sent to no generation that was removed', async () => {
    await promote(2)
    await promote(1)
    await promote(2)
    await prune(1)
    expect(await endOf(2)).toBe(2)
    await promote(3)
    await prune(2)
    expect(await endOf(3)).toBe(3)
  })

  it('is told nothing twice', async () => {
    await promote(2)
    const heads = async () => Promise.all([...logs.values()].map(async (log) => (await log.head()).sequence))
    const before = await heads()
    await promote(2)
    await closeOthers()
    expect(await heads()).toEqual(before)
  })
})
