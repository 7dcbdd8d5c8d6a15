import { afterEach, describe, expect, it, vi } from 'vitest'
import { loadBlockNodeClient } from '#src/adapters/block-node/open-block-node.ts'
import { blockNodeDefaults } from '#src/adapters/block-node/options.ts'
import { knownNodes } from '#src/cli/importing/block-input.ts'
import { loadConfig } from '#src/config/load.ts'
import { BlockNodes } from '#src/importer/block-nodes/block-nodes.ts'
import { BlockSources } from '#src/importer/block-sources/block-sources.ts'
import type { ImporterSettings, ImportProgress } from '#src/importer/settings.ts'
import { readImportState } from '#src/importer/state/read-state.ts'
import { systemClock } from '#src/ports/clock.ts'
import { silentLogger } from '#src/ports/logger.ts'
import { useBlockNodes } from '#test/adapters/block-node/support.ts'
import { nodeCreated, nodeDeleted, nodeUpdated } from '#test/importer/block-nodes/registered-items.ts'
import { addressBook, beforeEachImport, nodes } from '#test/importer/import-folder.ts'
import { type ImportWorld, until } from '#test/importer/import-world.ts'
import { chainV6, type TestFile, type TestItem, writeFile } from '#test/support/record-writer.ts'
import { SampleStore } from '#test/support/sample-blocks.ts'

const first = 1_700_000_000_000_000_000n
const one = (item: (time: bigint) => TestItem) => (time: bigint) => [item(time)]

let root: string
let world: ImportWorld
const { serve, keep } = useBlockNodes()
const stops: (() => Promise<void>)[] = []
beforeEachImport((folder, fresh) => {
  root = folder
  world = fresh
})
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

/** Block nodes that an importer follows, one of which is configured. */
async function followedNodes(settings: Record<string, unknown> = {}): Promise<BlockNodes> {
  const { config } = loadConfig({ flags: settings, environment: {}, file: undefined })
  const open = await loadBlockNodeClient({ ...blockNodeDefaults, statusTimeoutMs: 5_000 })
  const followed = keep(new BlockNodes({ open, clock: systemClock, logger: silentLogger }))
  const supply = new BlockSources({
    type: 'auto',
    nodes: followed,
    bucket: undefined,
    failuresMax: 3,
    retryDelayMs: 1_000,
    now: Date.now,
  })
  followed.use(knownNodes(config, []))
  world.blockInput = {
    supply,
    checker: { check: () => Promise.reject(new Error('no block is checked here')) },
    ledger: undefined,
    onRegistered: ({ all }) => followed.use(knownNodes(config, all)),
  }
  return followed
}

/** Imports record files as they come; tells the newest block. */
function follow(): () => bigint | undefined {
  const seen: ImportProgress[] = []
  const stop = new AbortController()
  const settings: Partial<ImporterSettings> = { addressBook, once: false, pollIntervalMs: 20, stream: 'cutover' }
  const running = world.import(root, settings, stop.signal, (progress) => seen.push(progress))
  stops.push(async () => {
    stop.abort()
    await running
  })
  return () => seen.at(-1)?.latestBlock
}

function write(file: TestFile | undefined): void {
  writeFile(file!, { root, nodes })
}

const originsOf = (followed: BlockNodes) =>
  followed.states().map(({ name, origin, registeredNodeId }) => ({ name, origin, registeredNodeId }))

describe('block nodes that the ledger registers', () => {
  it('come, move and go within a second of the transaction on the log, beside those that are configured', async () => {
    const [a, b] = [await serve({ store: new SampleStore() }), await serve({ store: new SampleStore() })]
    const followed = await followedNodes({ 'block-nodes': 'configured.example:1' })
    const [created, another, moved, deleted] = chainV6({
      first,
      number: 1n,
      items: [
        one((time) => nodeCreated(time, 5, [{ port: a.port }])),
        one((time) => nodeCreated(time, 6, [{ port: b.port }, { port: 9, apis: [1, 3] }])),
        one((time) => nodeUpdated(time, 6, [{ port: 7_777, domainName: 'moved.example', tls: true }])),
        one((time) => nodeDeleted(time, 5)),
      ],
    })
    const latest = follow()
    const configured = { name: 'configured.example:1', origin: 'configured', registeredNodeId: undefined }
    const discovered = (name: string, registeredNodeId: bigint) => ({ name, origin: 'discovered', registeredNodeId })
    const [atA, atB] = [`127.0.0.1:${a.port}`, `127.0.0.1:${b.port}`]
    const steps = [
      { file: created, expected: [discovered(atA, 5n), configured] },
      { file: another, expected: [discovered(atA, 5n), discovered(atB, 6n), configured] },
      { file: moved, expected: [discovered(atA, 5n), configured, discovered('moved.example:7777', 6n)] },
      { file: deleted, expected: [configured, discovered('moved.example:7777', 6n)] },
    ]
    for (const [index, { file, expected }] of steps.entries()) {
      write(file)
      await until(() => latest() === BigInt(index + 1))
      await vi.waitFor(() => expect(new Set(originsOf(followed))).toEqual(new Set(expected)), {
        timeout: 1_000,
        interval: 5,
      })
    }
  })

  it('are known again after a restart, before anything new comes', async () => {
    const node = await serve({ store: new SampleStore() })
    write(chainV6({ first, number: 1n, items: [one((time) => nodeCreated(time, 5, [{ port: node.port }]))] })[0])
    await followedNodes()
    const latest = follow()
    await until(() => latest() === 1n)
    await stops.pop()!()
    const followed = await followedNodes()
    expect(originsOf(followed)).toEqual([])
    follow()
    await vi.waitFor(() => expect(originsOf(followed)).toHaveLength(1), { timeout: 1_000, interval: 5 })
  })

  it('are left alone where that is set', async () => {
    write(chainV6({ first, number: 1n, items: [one((time) => nodeCreated(time, 5, [{ port: 7_777 }]))] })[0])
    const followed = await followedNodes({ 'block-node-discovery': 'false' })
    const latest = follow()
    await until(() => latest() === 1n)
    expect(originsOf(followed)).toEqual([])
  })

  it('can be read off the log by others, whether an importer runs or not', async () => {
    const [created, deleted] = chainV6({
      first,
      number: 1n,
      items: [
        (time) => [nodeCreated(time, 5, [{ port: 7_777 }]), nodeCreated(time + 1n, 6, [{ port: 7_778 }])],
        one((time) => nodeDeleted(time, 5)),
      ],
    })
    await followedNodes()
    const latest = follow()
    const idsOnLog = async () => {
      const { log, store } = world
      const { blockNodes, lastBlock } = await readImportState({ log, store, generation: 1 })
      return [lastBlock?.number, ...blockNodes.all.map(({ registeredNodeId }) => registeredNodeId)]
    }
    write(created)
    await until(() => latest() === 1n)
    expect(await idsOnLog()).toEqual([1n, 5n, 6n])
    write(deleted)
    await until(() => latest() === 2n)
    expect(await idsOnLog()).toEqual([2n, 6n])
    await stops.pop()!()
    expect(await idsOnLog()).toEqual([2n, 6n])
  })
})
