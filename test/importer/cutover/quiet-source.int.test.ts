import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LedgerError } from '#src/domain/errors.ts'
import type { BlockSupply } from '#src/importer/block-sources/block-supply.ts'
import type { ImporterSettings, ImportProgress } from '#src/importer/settings.ts'
import { rest } from '#src/ports/clock.ts'
import { addressBook, beforeEachImport, nodes, transfer } from '#test/importer/import-folder.ts'
import { type ImportWorld, until } from '#test/importer/import-world.ts'
import { chainV6, writeFile } from '#test/support/record-writer.ts'

const first = 1_700_000_000_000_000_000n

let root: string
let world: ImportWorld
let now: number
let seen: ImportProgress[]
let stop: AbortController
let running: Promise<unknown>
beforeEachImport((folder, fresh) => {
  root = folder
  world = fresh
})
beforeEach(() => {
  now = 1_000_000
  seen = []
  stop = new AbortController()
  world.clock = { now: () => now }
})
afterEach(async () => {
  stop.abort()
  await running
})

/** Blocks that never come, or cannot be had. */
function supply(failure?: LedgerError): BlockSupply {
  return {
    description: 'block node nowhere:1',
    // biome-ignore lint/correctness/useYield: there is none to give
    async *blocks() {
      if (failure) throw failure
    },
    newest: async () => undefined,
    waitForChange: rest,
    fetch: async () => undefined,
    refused: () => false,
    accepted: () => {},
  }
}

function follow(settings: Partial<ImporterSettings>, failure?: LedgerError): void {
  const checker = { check: () => Promise.reject(new Error('no block is checked here')) }
  world.blockInput = { supply: supply(failure), checker, ledger: undefined }
  const all = { addressBook, once: false, pollIntervalMs: 5, ...settings }
  running = world.import(root, all, stop.signal, (progress) => seen.push(progress))
}

const problem = () => seen.at(-1)?.problem?.message

describe('a source that went quiet', () => {
  it('is told at once with what is tried, and no longer when a file comes', async () => {
    const [one, two] = chainV6({ first, number: 1n, items: [transfer, transfer] })
    writeFile(one!, { root, nodes })
    follow({ stream: 'cutover' })
    await until(() => seen.at(-1)?.latestBlock === 1n)
    expect(seen.at(-1)).toMatchObject({ stream: { stream: 'records' }, problem: undefined })
    const quietSince = now
    now += 41_000
    await until(() => seen.at(-1)?.problem?.code === 'source_quiet')
    expect(problem()).toMatch(
      /^There has been no record file for 41 s; block streams are tried from block node nowhere:1\. /,
    )
    expect(problem()).toContain('import ready')
    expect(seen.at(-1)).toMatchObject({ stream: { stream: 'blocks', why: 'no record file for 41 s' }, quietSince })
    now += 41_000
    await until(() => problem()?.startsWith('There has been neither a record file nor a block for 82 s') === true)
    writeFile(two!, { root, nodes })
    await until(() => seen.at(-1)?.latestBlock === 2n)
    await until(() => seen.at(-1)?.problem === undefined)
    expect(seen.at(-1)?.quietSince).toBeUndefined()
    expect(world.lines.filter(({ fields }) => fields.code === 'source_quiet').map(({ level }) => level)).toContain(
      'error',
    )
  })

  it('is told with why blocks cannot be had', async () => {
    writeFile(chainV6({ first, number: 1n, items: [transfer] })[0]!, { root, nodes })
    follow({ stream: 'cutover' }, new LedgerError('source_unavailable', 'Block node nowhere:1 cannot be reached'))
    await until(() => seen.at(-1)?.latestBlock === 1n)
    now += 41_000
    await until(() => problem()?.includes('in vain') === true)
    expect(problem()).toContain('tried from block node nowhere:1, in vain: Block node nowhere:1 cannot be reached. ')
  })

  it('is told of blocks also where nothing else is read', async () => {
    follow({ stream: 'blocks' })
    await until(() => seen.length > 0)
    now += 16_000
    await until(() => seen.at(-1)?.problem?.code === 'source_quiet')
    expect(problem()).toMatch(
      /^There has been no block for 16 s; block streams are read from block node nowhere:1\. .*import nodes/,
    )
  })
})
