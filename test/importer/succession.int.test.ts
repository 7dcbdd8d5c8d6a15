import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { openFolderSource } from '#src/adapters/folder/folder-source.ts'
import type { ImportProgress } from '#src/importer/settings.ts'
import type { StreamSource } from '#src/ports/stream-source.ts'
import { addressBook, beforeEachImport, nodes, transfer } from '#test/importer/import-folder.ts'
import { type ImportWorld, until } from '#test/importer/import-world.ts'
import {
  addressBookOf,
  byAccount,
  chainV6,
  fileUpdateItem,
  instantName,
  recordFileV6,
  type TestFile,
  type TestItem,
  testNodes,
  transferItem,
  writeFile,
} from '#test/support/record-writer.ts'

const first = 1_700_000_000_000_000_000n
const second = 1_000_000_000n
const startHash = Buffer.alloc(48, 9)
let root: string
let world: ImportWorld

beforeEachImport((folder, fresh) => {
  root = folder
  world = fresh
})

function writeAll(files: readonly TestFile[], signers = nodes): void {
  for (const file of files) writeFile(file, { root, nodes: signers })
}

function fileAt(time: bigint, number: bigint, before: Buffer, items: readonly TestItem[] = transfer(time)): TestFile {
  return recordFileV6({ time, number, items, startHash: before })
}

const numbers = async () => (await world.blocks()).map(({ number }) => number)
const three = () =>
  chainV6({ first, number: 1n, items: [transfer, transfer, transfer] }) as [TestFile, TestFile, TestFile]

describe('a name that enough nodes agree on but that does not continue the chain', () => {
  it('is passed over when a later one does', async () => {
    const [a, b, c] = three()
    const fork = fileAt(first + second, 2n, Buffer.alloc(48, 5))
    writeAll([a], nodes)
    writeAll([fork], nodes.slice(0, 2))
    writeAll([b, c], nodes.slice(2))
    const summary = await world.import(root, { addressBook })
    expect((await world.blocks()).map(({ name }) => name)).toEqual([a.name, b.name, c.name])
    expect(summary.warnings).toEqual({ chain_broken: 1 })
  })

  it('ends the import when no later one does, and the first of them is named', async () => {
    const [a] = three()
    const forks = [1n, 2n, 3n].map((count) => fileAt(first + count * second, 1n + count, Buffer.alloc(48, 5)))
    writeAll([a, ...forks])
    const error = await world.failure(root, { addressBook })
    expect(error.code).toBe('chain_broken')
    expect(error.details.file).toBe(forks[0]?.name)
    expect(await numbers()).toEqual([1n])
  })

  it.each(['all', 'enough'] as const)(
    'is no obstacle under the same name, with %s signatures checked',
    async (signatureChecks) => {
      const [a, b] = three()
      const fork = fileAt(first + 2n * second, 2n, Buffer.alloc(48, 5))
      expect(fork.name).toBe(b.name)
      writeAll([a])
      writeAll([fork], nodes.slice(0, 2))
      writeAll([b], nodes.slice(2))
      await world.import(root, { addressBook, signatureChecks })
      expect((await world.blocks()).map(({ signedBy }) => signedBy).at(-1)).toEqual([2n, 3n])
      expect(await numbers()).toEqual([1n, 2n])
    },
  )
})

describe('a file that continues the chain', () => {
  it('is refused when its number is not after the last one: a signed empty file under a later name', async () => {
    const empty = fileAt(first, 1n, startHash, [])
    writeAll([empty, { ...empty, name: `${instantName(first + 2n * second)}.rcd.gz` }])
    const error = await world.failure(root, { addressBook })
    expect(error.code).toBe('chain_broken')
    expect(error.message).toMatch(/its number 1 is not after 1 of the last block.*remove it/)
    expect(await numbers()).toEqual([1n])
  })

  it('is refused when it repeats a consensus time', async () => {
    const a = fileAt(first, 1n, startHash, [transferItem(first), transferItem(first + second)])
    writeAll([a, fileAt(first + second, 2n, a.endHash)])
    const error = await world.failure(root, { addressBook })
    expect(error.code).toBe('chain_broken')
    expect(error.message).toMatch(/begins at 1700000001000000000 ns, not after the end of the last block/)
    expect(await numbers()).toEqual([1n])
  })

  it('may begin with a child that precedes its parent, whose time the name tells', async () => {
    const a = fileAt(first, 1n, startHash)
    const time = first + second
    const b = fileAt(time, 2n, a.endHash, [transferItem(time - 2n), transferItem(time)])
    writeAll([a, b])
    await world.import(root, { addressBook })
    expect(await numbers()).toEqual([1n, 2n])
  })
})

describe('an address book that changes', () => {
  it('is used for the files that were listed before it came, in one pass through a fixed set', async () => {
    const all = testNodes(9)
    const next = [all[0]!, ...all.slice(4)]
    const update = (time: bigint) => [fileUpdateItem(time, 102, addressBookOf(next))]
    const [a, b, c] = chainV6({ first, number: 1n, items: [update, transfer, transfer] }) as TestFile[]
    writeAll([a!])
    writeAll([b!, c!], next)
    await world.import(root, { addressBook })
    expect((await world.blocks()).map(({ signedBy }) => signedBy)).toEqual([
      [0n, 1n, 2n, 3n],
      [0n, 4n, 5n, 6n, 7n, 8n],
      [0n, 4n, 5n, 6n, 7n, 8n],
    ])
  })
})

describe('the end date', () => {
  const following = { addressBook, once: false, pollIntervalMs: 10 }

  it('waits for the last file before it, though a later one is there in part', async () => {
    const [a, b, c] = three()
    writeAll([a])
    writeAll([b, c], nodes.slice(0, 1))
    const running = world.import(root, { ...following, endTime: first + 3n * second })
    await until(async () => (await numbers()).length === 1)
    await delay(50)
    writeAll([b, c])
    expect(await running).toMatchObject({ blocks: 2 })
  })

  it('is not reached by a name of the far future that one node has', async () => {
    const [a, b, c] = three()
    writeAll([a])
    writeFileSync(join(root, byAccount(nodes[0]!), '2999-01-01T00_00_00Z.rcd_sig'), 'x')
    const running = world.import(root, { ...following, endTime: first + 3n * second })
    await until(async () => (await numbers()).length === 1)
    await delay(50)
    writeAll([b, c])
    expect(await running).toMatchObject({ blocks: 2 })
  })

  it('lets a fixed set end well, whatever lies behind it', async () => {
    const [a, b, c] = three()
    writeAll([a, b])
    writeAll([c], nodes.slice(0, 1))
    expect(await world.import(root, { addressBook, endTime: first + 3n * second })).toMatchObject({ blocks: 2 })
  })
})

describe('an import that cannot go on', () => {
  function counted(): { source: StreamSource; fetched: string[] } {
    const folder = openFolderSource({ folder: root })
    const fetched: string[] = []
    const source: StreamSource = {
      description: folder.description,
      list: (options) => folder.list(options),
      listFolders: (...options) => folder.listFolders(...options),
      fetch: (path, options) => {
        fetched.push(path)
        return folder.fetch(path, options)
      },
      waitForChange: (milliseconds, signal) => folder.waitForChange(milliseconds, signal),
      close: () => folder.close(),
    }
    return { source, fetched }
  }

  it('does not fetch the same files again and again, and goes on when the missing one comes', async () => {
    const files = chainV6({ first, number: 1n, items: Array.from({ length: 12 }, () => transfer) })
    writeAll(files.filter((_, index) => index !== 1))
    const { source, fetched } = counted()
    const controller = new AbortController()
    const running = world.import(source, { addressBook, once: false, pollIntervalMs: 5 }, controller.signal)
    await until(() => world.lines.some(({ fields }) => fields.code === 'chain_broken'))
    const before = fetched.length
    await delay(150)
    expect(fetched.length).toBe(before)
    writeAll([files[1]!])
    await until(async () => (await numbers()).length === files.length)
    controller.abort()
    await running
  })

  it('says so, and no longer when the obstacle is gone', async () => {
    const [a, , c] = three()
    writeAll([a, c])
    const seen: (string | undefined)[] = []
    const controller = new AbortController()
    const onProgress = ({ problem }: ImportProgress) => seen.push(problem?.code)
    const settings = { addressBook, once: false, pollIntervalMs: 5 }
    const running = world.import(root, settings, controller.signal, onProgress)
    await until(() => seen.includes('chain_broken'))
    for (const node of nodes) {
      for (const suffix of ['.rcd.gz', '.rcd_sig']) {
        rmSync(join(root, byAccount(node), c.name.replace('.rcd.gz', suffix)))
      }
    }
    await until(() => seen.at(-1) === undefined)
    controller.abort()
    await running
  })
})
