import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { LedgerError } from '#src/domain/errors.ts'
import type { ImportProgress } from '#src/importer/settings.ts'
import { addressBook, beforeEachImport, nodes, transfer } from '#test/importer/import-folder.ts'
import { ImportWorld, until } from '#test/importer/import-world.ts'
import { digestLog } from '#test/support/digest.ts'
import { byAccount, chainV6, signatureName, type TestFile, writeFile } from '#test/support/record-writer.ts'

const first = 1_700_000_000_000_000_000n
const files = chainV6({ first, number: 7n, items: [transfer, transfer, transfer] }) as TestFile[]
let root: string
let world: ImportWorld

beforeEachImport((folder, fresh) => {
  root = folder
  world = fresh
  for (const file of files) writeFile(file, { root, nodes })
})

const signatureOf = (file: TestFile, node: (typeof nodes)[number]) => join(root, byAccount(node), signatureName(file))
const dataOf = (file: TestFile, node: (typeof nodes)[number]) => join(root, byAccount(node), file.name)

/** Takes the signatures of a file away, and returns what brings them. */
function withholdSignatures(file: TestFile, of = nodes): () => void {
  const kept = of.map((node) => [signatureOf(file, node), readFileSync(signatureOf(file, node))] as const)
  for (const [path] of kept) rmSync(path)
  return () => {
    for (const [path, bytes] of kept) writeFileSync(path, bytes)
  }
}

/** An importer that waits for files, until the log has so many blocks. */
async function live(blocks: number, onWait?: () => void, settings = {}): Promise<string[]> {
  const stopped = new AbortController()
  const problems: string[] = []
  const importing = world.import(
    root,
    { addressBook, once: false, pollIntervalMs: 20, ...settings },
    stopped.signal,
    (progress) => {
      const told = progress.problem ?? progress.beginsLate
      if (told) problems.push(told.message)
    },
  )
  if (onWait) setTimeout(onWait, 300)
  await until(async () => (await world.blocks()).length >= blocks)
  stopped.abort()
  await importing
  return problems
}

describe('the first file of a log', () => {
  it.each([
    ['no node', nodes],
    ['too few nodes', nodes.slice(1)],
  ])('is waited for where %s has signed it when the second one is whole', async (_, withheld) => {
    await live(3, withholdSignatures(files[0]!, withheld))
    expect((await world.blocks()).map(({ number }) => number)).toEqual([7n, 8n, 9n])
  })

  it('is left out after a limit, with an error that stays and names the repair', async () => {
    withholdSignatures(files[0]!)
    const problems = await live(2, undefined, { firstFileWaitMs: 200 })
    expect((await world.blocks()).map(({ number }) => number)).toEqual([8n, 9n])
    expect(problems.at(-1)).toMatch(
      /begins behind .* not signed by enough nodes .*import republish --reason 'earlier history'/,
    )
    expect(world.lines.filter(({ level }) => level === 'error')).toHaveLength(1)
  })

  it('is told as missing by later runs, too, until the start date says to leave it out', async () => {
    const bring = withholdSignatures(files[0]!)
    await live(2, undefined, { firstFileWaitMs: 200 })
    bring()
    const told = async (settings = {}) => {
      world.lines.length = 0
      const stopped = new AbortController()
      let problem: string | undefined
      const onProgress = ({ beginsLate }: ImportProgress): void => {
        problem = beginsLate?.message
        if (world.lines.length > 0) stopped.abort()
      }
      setTimeout(() => stopped.abort(), 1_000)
      await world.import(root, { addressBook, once: false, ...settings }, stopped.signal, onProgress)
      return problem
    }
    expect(await told()).toMatch(/begins with .*, but the source has .* before it; .*import republish/)
    expect(world.lines).toMatchObject([{ level: 'error', message: 'the log begins later than its source' }])
    expect(await told({ startTime: first })).toBeUndefined()
  })

  it('is missed in a fixed set, unless the start date says to begin behind it', async () => {
    withholdSignatures(files[0]!)
    const error = await world.failure(root, { addressBook })
    expect(error).toMatchObject({ code: 'consensus_missing', message: expect.stringContaining('--start-date') })
    expect(await world.blocks()).toEqual([])
    await world.import(root, { addressBook, startTime: first })
    expect((await world.blocks()).map(({ number }) => number)).toEqual([8n, 9n])
  })

  it('is not waited for where too few nodes have it to matter', async () => {
    for (const node of nodes.slice(1)) {
      rmSync(signatureOf(files[0]!, node))
      rmSync(dataOf(files[0]!, node))
    }
    withholdSignatures(files[0]!, nodes.slice(0, 1))
    await live(2)
    expect((await world.blocks()).map(({ number }) => number)).toEqual([8n, 9n])
  })
})

describe('a signature file that is still being copied', () => {
  it('gets the grace of a missing one', async () => {
    const bring = withholdSignatures(files[1]!)
    for (const node of nodes) writeFileSync(signatureOf(files[1]!, node), '')
    const problems = await live(3, bring)
    expect(problems).toEqual([])
    expect(world.lines.filter(({ level }) => level === 'error')).toEqual([])
  })
})

describe('what is behind the gzip stream of a file', () => {
  it('is refused, also where its last four bytes tell the right length', async () => {
    for (const node of nodes) {
      const length = Buffer.alloc(4)
      length.writeUInt32LE(files[1]!.content.length)
      writeFileSync(dataOf(files[1]!, node), Buffer.concat([gzipSync(files[1]!.content), Buffer.alloc(7), length]))
    }
    const error: LedgerError = await world.failure(root, { addressBook })
    expect(error).toMatchObject({ code: 'file_malformed', message: expect.stringContaining('bytes follow the end') })
    expect(await world.blocks()).toHaveLength(1)
  })
})

describe('two imports from copies of other nodes', () => {
  it('give logs with equal digests, though the copies are packed otherwise and other nodes have signed', async () => {
    await world.import(root, { addressBook })
    const other = new ImportWorld()
    for (const file of files) {
      for (const node of nodes) writeFileSync(dataOf(file, node), gzipSync(file.content, { level: 1, memLevel: 1 }))
      rmSync(signatureOf(file, nodes[0]!))
    }
    await other.import(root, { addressBook })
    const [ours, theirs] = [await world.blocks(), await other.blocks()]
    expect(theirs.map(({ signedBy }) => signedBy)).not.toEqual(ours.map(({ signedBy }) => signedBy))
    const { sequence } = await world.log.head()
    expect(await digestLog(other.log, sequence)).toBe(await digestLog(world.log, sequence))
  })
})

describe('files without block numbers that continue something', () => {
  it('are counted from 0 with one warning that says how to set the first number', async () => {
    const { hasSamples, sample, samplePath } = await import('#test/importer/samples.ts')
    if (!hasSamples) return
    const folder = samplePath('record/mainnet-v5')
    const book = sample('record/mainnet-v5/address_book.bin')
    await world.import(folder, { addressBook: book })
    const warnings = world.lines.filter(({ message }) => message.includes('--start-block-number'))
    expect(warnings).toHaveLength(1)
    const numbered = new ImportWorld()
    await numbered.import(folder, { addressBook: book, startBlockNumber: 1_000n })
    expect(numbered.lines.filter(({ message }) => message.includes('--start-block-number'))).toEqual([])
    expect((await numbered.blocks())[0]?.number).toBe(1_000n)
  })
})
