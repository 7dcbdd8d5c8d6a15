import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { openFolderSource } from '#src/adapters/folder/folder-source.ts'
import type { ImportProgress } from '#src/importer/settings.ts'
import type { StreamSource } from '#src/ports/stream-source.ts'
import { addressBook, beforeEachImport, nodes, transfer } from '#test/importer/import-folder.ts'
import { type ImportWorld, until } from '#test/importer/import-world.ts'
import { byAccount, chainV6, type TestFile, writeFile } from '#test/support/record-writer.ts'

const first = 1_700_000_000_000_000_000n
const second = 1_000_000_000n
let root: string
let world: ImportWorld

beforeEachImport((folder, fresh) => {
  root = folder
  world = fresh
})

const numbers = async () => (await world.blocks()).map(({ number }) => number)

function writeAll(files: readonly TestFile[]): void {
  for (const file of files) writeFile(file, { root, nodes })
}

describe('following', () => {
  /** The folder as a source, and how often the importer has come to wait for it. */
  function polled(): { source: StreamSource; polls: { count: number } } {
    const folder = openFolderSource({ folder: root })
    const polls = { count: 0 }
    const source: StreamSource = {
      description: folder.description,
      list: (options) => folder.list(options),
      listFolders: (...options) => folder.listFolders(...options),
      fetch: (path, options) => folder.fetch(path, options),
      waitForChange: (milliseconds, signal) => {
        polls.count += 1
        return folder.waitForChange(milliseconds, signal)
      },
      close: () => folder.close(),
    }
    return { source, polls }
  }

  it('publishes files as they come, tries failures again, and stops at the signal', async () => {
    const [a, b, c] = chainV6({ first, number: 1n, items: [transfer, transfer, transfer] })
    writeAll([a!])
    const controller = new AbortController()
    const running = world.import(root, { addressBook, once: false, pollIntervalMs: 20 }, controller.signal)
    await until(async () => (await numbers()).length === 1)
    writeAll([c!])
    await until(() => world.lines.some(({ fields }) => fields.code === 'chain_broken'))
    writeAll([b!])
    await until(async () => (await numbers()).length === 3)
    controller.abort()
    expect(await running).toMatchObject({ blocks: 3, lastBlock: 3n, warnings: { chain_broken: 1 } })
  })

  it('waits for a file that is still being written', async () => {
    const [a] = chainV6({ first, number: 1n, items: [transfer] })
    writeAll([a!])
    for (const node of nodes) writeFileSync(join(root, byAccount(node), a!.name), '')
    const controller = new AbortController()
    const running = world.import(root, { addressBook, once: false, pollIntervalMs: 20 }, controller.signal)
    await until(() => world.lines.some(({ fields }) => fields.code === 'file_malformed'))
    writeAll([a!])
    await until(async () => (await numbers()).length === 1)
    controller.abort()
    await running
  })

  it('says that there is nothing to begin with when that lasts, and no longer when files come', async () => {
    let now = 0
    world.clock = { now: () => now }
    const seen: ImportProgress[] = []
    const controller = new AbortController()
    const settings = { addressBook, once: false, pollIntervalMs: 5 }
    const { source, polls } = polled()
    const running = world.import(source, settings, controller.signal, (progress) => seen.push(progress))
    await until(() => polls.count > 2)
    expect(seen.filter(({ problem }) => problem !== undefined)).toEqual([])
    now = 10_000
    await until(() => seen.at(-1)?.problem?.code === 'source_empty')
    expect(seen.at(-1)?.problem?.message).toMatch(/holds no record files of the network "demo"/)
    expect(world.lines.filter(({ level, fields }) => level === 'error' && fields.code === 'source_empty')).toHaveLength(
      1,
    )
    writeAll(chainV6({ first, number: 1n, items: [transfer] }))
    await until(() => seen.at(-1)?.latestBlock === 1n)
    controller.abort()
    await running
    expect(seen.at(-1)?.problem).toBeUndefined()
  })

  it('says that the start date is later than all files', async () => {
    let now = 0
    world.clock = { now: () => now }
    writeAll(chainV6({ first, number: 1n, items: [transfer] }))
    const seen: ImportProgress[] = []
    const controller = new AbortController()
    const settings = { addressBook, once: false, pollIntervalMs: 5, startTime: first + second }
    const { source, polls } = polled()
    const running = world.import(source, settings, controller.signal, (progress) => seen.push(progress))
    await until(() => polls.count > 0)
    now = 10_000
    await until(() => seen.at(-1)?.problem?.code === 'source_empty')
    expect(seen.at(-1)?.problem?.message).toContain('none after --start-date 2023-11-14T22:13:21.000000000Z')
    controller.abort()
    await running
  })

  it('stops at once when nothing comes', async () => {
    const controller = new AbortController()
    const running = world.import(root, { addressBook, once: false, pollIntervalMs: 60_000 }, controller.signal)
    await delay(50)
    controller.abort()
    expect(await running).toMatchObject({ blocks: 0 })
  })
})
