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
import { signer } from '#test/simulator/blocks/read-blocks.ts'

const options: SimulatorOptions = { seed: 'run blocks', nodes: 2, accounts: 20, transactionsPerSecond: 5 }
const streams: readonly SimulatorOptions[] = [
  { ...options, stream: 'blocks' },
  { ...options, stream: 'blocks', stateProofs: true },
  { ...options, stream: 'cutover', cutoverSeconds: 10 },
]

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
  folder = mkdtempSync(join(tmpdir(), 'simulator-blocks-'))
  time = Date.UTC(2026, 4, 5, 12, 0, 1)
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

const run = (more: Partial<RunSimulatorOptions>) => runSimulator({ folder, signer, ...more })

/** Paths of the published files of a bucket. */
function published(): string[] {
  const found = ['recordstreams', 'simulated'].flatMap((top) =>
    existsSync(join(folder, top))
      ? readdirSync(join(folder, top), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
      : [],
  )
  return found.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1)).sort()
}

function bucketDigest(): string {
  const digest = createHash('sha256')
  for (const path of published()) digest.update(path).update(readFileSync(join(folder, path)))
  return digest.digest('hex')
}

const blockNumbers = () =>
  published()
    .filter((path) => path.endsWith('.blk.zstd'))
    .map((path) => Number(path.replaceAll(/\D/g, '')))
const recordFiles = (node = 3) =>
  published().filter((path) => path.includes(`record0.0.${node}/`) && path.endsWith('Z.rcd.gz'))

/** Writes like the simulator but dies before the given file, as a kill would. */
function dyingAt(count: number): NonNullable<RunSimulatorOptions['putFile']> {
  let written = 0
  return (path, bytes) => {
    if (written++ === count) throw new Error('killed')
    const target = join(folder, path)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(`${target}.part`, bytes)
    renameSync(`${target}.part`, target)
  }
}

describe('a bucket with blocks', () => {
  it('has the publication of the ledger beside the address book', async () => {
    await run({ options: streams[0]!, blocks: 3 })
    expect(readFileSync(join(folder, 'ledger-publication.bin'))).toEqual(Buffer.from(signer.publication))
    expect(blockNumbers()).toEqual([0, 1, 2])
    expect(published()[0]).toBe('simulated/block/0000/0000/0000/0000/000.blk.zstd')
  })

  it('is continued in a second run as if there had been one, whatever it consists of', async () => {
    for (const each of streams) {
      await run({ options: each, blocks: 14 })
      const expected = bucketDigest()
      for (const first of [3, 6]) {
        rmSync(folder, { recursive: true })
        await run({ options: each, blocks: first })
        await run({ options: each, blocks: 14 - first })
        expect(bucketDigest()).toBe(expected)
      }
      rmSync(folder, { recursive: true })
    }
  })

  it('loses nothing when its writer is killed before any file', async () => {
    for (const each of streams) {
      await run({ options: each, blocks: 10 })
      const expected = bucketDigest()
      const [most, step] = each.stream === 'cutover' ? [40, 5] : [16, 2]
      for (let kill = 1; kill < most; kill += step) {
        rmSync(folder, { recursive: true })
        await run({ options: each, blocks: 10, putFile: dyingAt(kill) }).catch((error: Error) =>
          expect(error.message).toBe('killed'),
        )
        await run({ options: each, blocks: 0 })
        // Those that wait for a signed one are counted in the state, not in the folder.
        const { nextNumber } = (
          JSON.parse(readFileSync(join(folder, 'simulator-state.json'), 'utf8')) as {
            state: { nextNumber: number }
          }
        ).state
        await run({ options: each, blocks: 10 - nextNumber })
        expect([each, kill, bucketDigest()]).toEqual([each, kill, expected])
      }
      rmSync(folder, { recursive: true })
    }
  })

  it('loses its oldest blocks beyond the number to keep, in both forms', async () => {
    const cutover = { ...streams[2]!, cutoverSeconds: 12 }
    await run({ ...stepped, options: cutover, paced: true, blocks: 5, keepBlocks: 4 })
    expect(blockNumbers()).toEqual([1, 2, 3, 4])
    expect(recordFiles()).toHaveLength(4)
    await run({ ...stepped, options: cutover, paced: true, blocks: 3, keepBlocks: 4 })
    expect(blockNumbers()).toEqual([4, 5, 6, 7])
    expect(recordFiles()).toHaveLength(2)
    expect(recordFiles(4)).toHaveLength(2)
    await run({ ...stepped, options: cutover, paced: true, blocks: 4, keepBlocks: 2 })
    expect(blockNumbers()).toEqual([10, 11])
    expect(recordFiles()).toEqual([])
  })

  it('leaves no folder without a block', async () => {
    const options = { ...streams[0]!, firstBlockNumber: 9_998, blockSeconds: 1 }
    await run({ ...stepped, options, paced: true, blocks: 4, keepBlocks: 2 })
    expect(blockNumbers()).toEqual([10_000, 10_001])
    expect(readdirSync(join(folder, 'simulated/block/0000/0000/0000'))).toEqual(['0010'])
  })

  it('keeps pace with the clock and goes on at now after a pause', async () => {
    await run({ ...stepped, options: streams[0]!, paced: true, blocks: 3 })
    time += 36_000_000
    await run({ ...stepped, options: streams[0]!, paced: true, blocks: 2 })
    expect(blockNumbers()).toEqual([0, 1, 2, 3, 4])
  })

  it('is refused to a network of another form or name', async () => {
    await run({ options: streams[0]!, blocks: 1 })
    const before = bucketDigest()
    for (const other of [options, { ...streams[0]!, network: 'another' }])
      await expect(run({ options: other, blocks: 1 })).rejects.toMatchObject({ code: 'data_folder_other_network' })
    expect(bucketDigest()).toBe(before)
  })

  it('is refused where a folder of record files is from an earlier release', async () => {
    await runSimulator({ folder, options, blocks: 1 })
    const identity = JSON.parse(readFileSync(join(folder, 'network.json'), 'utf8')) as { options: object }
    const { stream: _stream, network: _network, ...known } = identity.options as Record<string, unknown>
    writeFileSync(join(folder, 'network.json'), JSON.stringify({ ...identity, options: known }))
    await expect(run({ options: streams[0]!, blocks: 1 })).rejects.toMatchObject({
      message: expect.stringContaining('stream records, not blocks'),
    })
    await runSimulator({ folder, options, blocks: 1 })
    expect(recordFiles()).toHaveLength(2)
  })
})
