import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openFolderSource } from '#src/adapters/folder/folder-source.ts'
import { blockPath } from '#src/domain/block-name.ts'
import { BucketBlocks, newestRun } from '#src/importer/block-sources/bucket-blocks.ts'
import type { SourceBlock } from '#src/ports/block-node.ts'
import type { StreamSource } from '#src/ports/stream-source.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

let root: string
const folders: Awaited<ReturnType<typeof temporaryFolder>>[] = []

async function newRoot(): Promise<void> {
  const folder = await temporaryFolder()
  folders.push(folder)
  root = folder.path
}

beforeEach(newRoot)
afterEach(() => Promise.all(folders.splice(0).map((folder) => folder.remove())))

const content = (number: bigint) => Buffer.from(`block ${number}`)

function put(folder: string, number: bigint, extension: '.zstd' | '.gz' | ''): void {
  const file = join(root, folder, 'block', `${blockPath(number)}.blk${extension}`)
  mkdirSync(dirname(file), { recursive: true })
  const pack = { '.zstd': zstdCompressSync, '.gz': gzipSync, '': (bytes: Buffer) => bytes }[extension]
  writeFileSync(file, pack(content(number)))
}

/** Counts what it is asked. */
function counted(): { source: StreamSource; asked: string[] } {
  const asked: string[] = []
  const folder = openFolderSource({ folder: root })
  const source: StreamSource = {
    description: 'bucket',
    list: () => Promise.reject(new Error('blocks are never listed')),
    listFolders: async (...options) => {
      asked.push(`folders of "${options[0]}"`)
      return folder.listFolders(...options)
    },
    fetch: (path, options) => {
      asked.push(path)
      return folder.fetch(path, options)
    },
    waitForChange: (...options) => folder.waitForChange(...options),
    close: () => folder.close(),
  }
  return { source, asked }
}

function bucketOf(source: StreamSource, options: { folder?: string; blockBytesMax?: number } = {}): BucketBlocks {
  return new BucketBlocks({
    source,
    network: 'testnet',
    folder: options.folder,
    blockBytesMax: options.blockBytesMax ?? 1 << 20,
    aheadMax: 4,
    now: Date.now,
  })
}

async function read(blocks: AsyncIterable<SourceBlock>): Promise<string[]> {
  const texts: string[] = []
  for await (const { number, pieces } of blocks) {
    expect(Buffer.concat(pieces)).toEqual(content(number))
    texts.push(number.toString())
  }
  return texts
}

describe('a bucket of blocks', () => {
  it('keeps a block where the number says', () => {
    expect(blockPath(7n)).toBe('0000/0000/0000/0000/007')
    expect(blockPath(26_591_040n)).toBe('0000/0000/0002/6591/040')
  })

  it('is read from a number on, in order, up to the first that is not there', async () => {
    for (const number of [3n, 4n, 5n, 6n, 7n, 8n, 10n]) put('testnet', number, '.zstd')
    const { source, asked } = counted()
    const bucket = bucketOf(source)
    expect(await read(bucket.blocks({ from: 3n }))).toEqual(['3', '4', '5', '6', '7', '8'])
    expect(await read(bucket.blocks({ from: 4n, through: 6n }))).toEqual(['4', '5', '6'])
    expect(asked.filter((path) => path.startsWith('folders'))).toEqual(['folders of ""'])
  })

  it('asks once for the next block where there is none yet', async () => {
    put('testnet', 0n, '.zstd')
    const { source, asked } = counted()
    const bucket = bucketOf(source)
    expect(await read(bucket.blocks({ from: 0n, through: 0n }))).toEqual(['0'])
    asked.length = 0
    expect(await read(bucket.blocks({ from: 1n }))).toEqual([])
    expect(asked).toEqual([`testnet/block/${blockPath(1n)}.blk.zstd`])
  })

  it('takes blocks in each of their forms', async () => {
    for (const extension of ['.zstd', '.gz', ''] as const) {
      await newRoot()
      put('testnet', 5n, extension)
      const block = await bucketOf(counted().source).fetch(5n)
      expect(block).toMatchObject({ name: `0000000000000000005.blk${extension}`, origin: 'bucket' })
      expect(block?.pieces).toEqual([content(5n)])
    }
  })

  it('has the newest run of its network, or the folder that is named', async () => {
    expect(
      newestRun('testnet', ['testnet', 'testnet-202601010000', 'testnet-202507010000', 'testnetwork', 'mainnet']),
    ).toBe('testnet-202601010000')
    expect(newestRun('testnet', ['mainnet', 'testnet-'])).toBeUndefined()
    put('testnet', 1n, '.zstd')
    put('testnet-202601010000', 2n, '.zstd')
    expect(await bucketOf(counted().source).fetch(1n)).toBeUndefined()
    expect(await bucketOf(counted().source).fetch(2n)).toBeDefined()
    const { source, asked } = counted()
    expect(await bucketOf(source, { folder: 'testnet' }).fetch(1n)).toBeDefined()
    expect(asked).not.toContain('folders of ""')
  })

  it('refuses what unpacks to more than a block may have, before it is unpacked', async () => {
    const bomb = (pack: (bytes: Buffer) => Buffer) => pack(Buffer.alloc(40 << 20))
    for (const [extension, bytes] of [
      ['.zstd', bomb(zstdCompressSync)],
      ['.gz', bomb(gzipSync)],
    ] as const) {
      await newRoot()
      put('testnet', 5n, extension)
      writeFileSync(join(root, 'testnet/block', `${blockPath(5n)}.blk${extension}`), bytes)
      const started = process.memoryUsage().arrayBuffers
      await expect(bucketOf(counted().source).fetch(5n)).rejects.toMatchObject({ code: 'file_malformed' })
      expect(process.memoryUsage().arrayBuffers - started).toBeLessThan(8 << 20)
    }
  })
})
