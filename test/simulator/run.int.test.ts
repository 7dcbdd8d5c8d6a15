import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SimulatorOptions } from '#src/simulator/options.ts'
import { type RunSimulatorOptions, runSimulator } from '#src/simulator/run.ts'

const options: SimulatorOptions = { seed: 'run test', nodes: 2, accounts: 20, transactionsPerSecond: 5 }
const hour = 3_600_000

let folder: string
let time = 0

/** A clock that only sleeping moves. */
const stepped: Pick<RunSimulatorOptions, 'clock' | 'sleep'> = {
  clock: { now: () => time },
  sleep: async (milliseconds) => {
    time += milliseconds
  },
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'simulator-'))
  time = Date.UTC(2026, 4, 5, 12, 0, 1)
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Hash over the published files of a bucket, by path. */
function bucketDigest(root: string): string {
  const digest = createHash('sha256')
  const paths = readdirSync(join(root, 'recordstreams'), { recursive: true, withFileTypes: true })
  const files = paths
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
  for (const path of files.sort()) digest.update(path).update(readFileSync(join(root, path)))
  return digest.digest('hex')
}

function blockNames(node = 3): string[] {
  return readdirSync(join(folder, `recordstreams/record0.0.${node}`))
    .filter((name) => name.endsWith('.rcd.gz'))
    .sort()
}

/** Writes like the simulator but dies before the given file, as a kill would. */
function dyingAt(count: number): RunSimulatorOptions['putFile'] {
  let written = 0
  return (path, bytes) => {
    if (written++ === count) throw new Error('killed')
    const target = join(folder, path)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(`${target}.part`, bytes)
    renameSync(`${target}.part`, target)
  }
}

describe('runSimulator', () => {
  it('writes a bucket with its address book up to the limit', async () => {
    const summary = await runSimulator({ folder, options, blocks: 5 })
    expect(summary.blocks).toBe(5)
    expect(blockNames()).toHaveLength(5)
    expect(blockNames(4)).toEqual(blockNames())
    expect(readFileSync(join(folder, 'address-book.bin')).length).toBeGreaterThan(1_000)
  })

  it('ends with the block that brings the transactions to the limit', async () => {
    const summary = await runSimulator({ folder, options, transactions: 120 })
    expect(summary.transactions).toBeGreaterThanOrEqual(120)
    expect(summary.transactions).toBeLessThan(200)
  })

  it('continues in a second run as if there had been one', async () => {
    await runSimulator({ folder, options, blocks: 12 })
    const expected = bucketDigest(folder)
    rmSync(folder, { recursive: true })
    await runSimulator({ folder, options, blocks: 5 })
    await runSimulator({ folder, options, blocks: 7 })
    expect(bucketDigest(folder)).toBe(expected)
  })

  it('loses nothing when it is killed before any file', async () => {
    await runSimulator({ folder, options, blocks: 4 })
    const expected = bucketDigest(folder)
    for (let kill = 0; kill < 25; kill++) {
      rmSync(folder, { recursive: true })
      const putFile = dyingAt(kill)
      await runSimulator({ folder, options, blocks: 4, ...(putFile ? { putFile } : {}) }).catch((error: Error) =>
        expect(error.message).toBe('killed'),
      )
      const missing = 4 - blocksStarted()
      if (missing > 0) await runSimulator({ folder, options, blocks: missing })
      // A block of which only some files were there is made whole without counting as a new one.
      else await runSimulator({ folder, options, blocks: 0 })
      expect(bucketDigest(folder), `killed before file ${kill}`).toBe(expected)
    }
  })

  it('keeps the blocks of a changed rate apart from those written with the old one', async () => {
    await runSimulator({ folder, options, blocks: 6 })
    const before = readFileSync(join(folder, 'recordstreams/record0.0.3', blockNames().at(-1) ?? ''))
    await runSimulator({ folder, options: { ...options, transactionsPerSecond: 50 }, blocks: 3 })
    expect(blockNames()).toHaveLength(9)
    expect(readFileSync(join(folder, 'recordstreams/record0.0.3', blockNames()[5] ?? ''))).toEqual(before)
  })

  it('refuses a folder of another network and leaves it alone', async () => {
    await runSimulator({ folder, options, blocks: 2 })
    const before = bucketDigest(folder)
    const other = runSimulator({ folder, options: { ...options, seed: 'other' }, blocks: 1 })
    await expect(other).rejects.toMatchObject({
      code: 'data_folder_other_network',
      message: expect.stringContaining('seed run test, not other'),
    })
    expect(bucketDigest(folder)).toBe(before)
    rmSync(join(folder, 'network.json'))
    await expect(runSimulator({ folder, options, blocks: 1 })).rejects.toMatchObject({
      code: 'data_folder_other_network',
    })
  })

  it('names a folder that cannot be written', async () => {
    writeFileSync(join(folder, 'file'), '')
    const run = runSimulator({ folder: join(folder, 'file', 'bucket'), options, blocks: 1 })
    await expect(run).rejects.toMatchObject({ code: 'data_folder_unusable' })
  })

  it('keeps pace with the clock, and stops when it is told to', async () => {
    const stop = new AbortController()
    const times: number[] = []
    await runSimulator({
      ...stepped,
      folder,
      options,
      paced: true,
      signal: stop.signal,
      onBlock: () => {
        times.push(time)
        if (times.length === 6) stop.abort()
      },
    })
    const [first = 0, ...later] = times
    expect(first).toBe(Date.UTC(2026, 4, 5, 12, 0, 1))
    expect(later.at(-1)).toBeLessThan(first + 10_100)
    expect(later.at(-1)).toBeGreaterThan(first + 7_000)
    expect(blockNames()[0]).toMatch(/^2026-05-05T11_59_5/)
  })

  it('continues at now after a pause, with the chain intact', async () => {
    await runSimulator({ ...stepped, folder, options, paced: true, blocks: 3 })
    time += 10 * hour
    await runSimulator({ ...stepped, folder, options, paced: true, blocks: 2 })
    const names = blockNames()
    expect(names).toHaveLength(5)
    expect(names[3]).toMatch(/^2026-05-05T22_0/)
  })

  it('writes a paced block again with the same bytes when it was killed in the middle, whatever the clock says then', async () => {
    const putFile = dyingAt(3 + 1 + 4 + 1 + 1)
    const killed = runSimulator({
      ...stepped,
      folder,
      options: { ...options, sidecars: false },
      paced: true,
      blocks: 3,
      ...(putFile ? { putFile } : {}),
    })
    await expect(killed).rejects.toThrow('killed')
    const half = blockNames()
    expect(half.length).toBeGreaterThan(0)
    time += hour
    await runSimulator({ ...stepped, folder, options: { ...options, sidecars: false }, paced: true, blocks: 1 })
    expect(blockNames().slice(0, half.length)).toEqual(half)
    expect(blockNames(4)).toEqual(blockNames())
  })

  it('deletes its oldest blocks beyond the number to keep', async () => {
    await runSimulator({ ...stepped, folder, options, paced: true, blocks: 9, keepBlocks: 4 })
    expect(blockNames()).toHaveLength(4)
    expect(
      readdirSync(join(folder, 'recordstreams/record0.0.4')).filter((name) => name.endsWith('.rcd_sig')),
    ).toHaveLength(4)
    await runSimulator({ ...stepped, folder, options, paced: true, blocks: 2, keepBlocks: 3 })
    expect(blockNames()).toHaveLength(3)
  })
})

function blocksStarted(): number {
  return new Set(
    [3, 4].flatMap((node) => (existsSync(join(folder, `recordstreams/record0.0.${node}`)) ? blockNames(node) : [])),
  ).size
}
