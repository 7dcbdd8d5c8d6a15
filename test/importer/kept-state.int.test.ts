import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openSqliteLog } from '#src/adapters/sqlite/message-log.ts'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { importStateSchema } from '#src/importer/state/state-schema.ts'
import type { LogWriter, MessageLog } from '#src/ports/message-log.ts'
import type { Value } from '#src/ports/read-store.ts'
import { addressBook, beforeEachImport, nodes, transfer } from '#test/importer/import-folder.ts'
import { type ImportWorld, until } from '#test/importer/import-world.ts'
import { chainV6, type TestFile, writeFile } from '#test/support/record-writer.ts'

const first = 1_700_000_000_000_000_000n
/** Events that open a log, before the first block. */
const openingEvents = 3
let root: string
let world: ImportWorld

beforeEachImport((folder, fresh) => {
  root = folder
  world = fresh
})

/** Three files, of which the last one is signed by too few. */
function writeTwoGoodOnes(): void {
  const [a, b, c] = chainV6({ first, number: 1n, items: [transfer, transfer, transfer] }) as TestFile[]
  for (const file of [a!, b!]) writeFile(file, { root, nodes })
  writeFile(c!, { root, nodes: nodes.slice(0, 1) })
}

/** The state as another process sees it. */
async function kept(): Promise<Record<string, Value | undefined>> {
  const reader = await world.store.openReader(importStateSchema)
  try {
    const [row] = await reader.get('progress', [[0]], ['blocks', 'transactions', 'blockNumber'])
    return { position: (await reader.checkpoint())?.position, ...row }
  } finally {
    await reader.close()
  }
}

/** A log whose writers append so often and then fail. */
function failingAfter(log: MessageLog, appends: number): MessageLog {
  const failing = (writer: LogWriter): LogWriter => {
    let left = appends
    return {
      head: writer.head,
      append: async (blocks) => {
        left -= 1
        if (left < 0) throw new LedgerError('log_unavailable', 'The log cannot be written')
        return writer.append(blocks)
      },
      close: () => writer.close(),
    }
  }
  return {
    openWriter: async () => failing(await log.openWriter()),
    identity: () => log.identity(),
    read: (options) => log.read(options),
    head: () => log.head(),
    close: () => log.close(),
  }
}

describe('the state of another log of the same network', () => {
  it('is refused, since going on from its last block would tear the chain', async () => {
    const here = chainV6({ first, number: 1n, items: [transfer, transfer] }) as TestFile[]
    const there = chainV6({
      first: first + 10_000_000_000n,
      number: 6n,
      items: [transfer, transfer, transfer],
    }) as TestFile[]
    const folders = [join(root, 'here'), join(root, 'there')] as const
    for (const file of here) writeFile(file, { root: folders[0], nodes })
    for (const file of there) writeFile(file, { root: folders[1], nodes })
    await world.import(folders[0], { addressBook })
    const state = world.store
    world.log = openSqliteLog({ folder: ':memory:' })
    world.store = openSqliteReadStore({ folder: ':memory:' })
    await world.import(folders[1], { addressBook })
    const before = await world.records()
    world.store = state
    expect(await world.failure(folders[0])).toMatchObject({
      code: 'checkpoint_ahead',
      message: expect.stringMatching(
        /^The import state stands at event 7 of the log, of 1700000002\.000000000, but its event there is of 1700000012\.000000000/,
      ),
    })
    expect(await world.records()).toEqual(before)
  })
})

describe('the state of an import that fails', () => {
  it('is kept up to the end of the log when a file is to blame', async () => {
    writeTwoGoodOnes()
    expect((await world.failure(root, { addressBook })).code).toBe('consensus_missing')
    const { sequence } = await world.log.head()
    expect(sequence).toBe(openingEvents + 4)
    expect(await kept()).toEqual({ position: sequence, blocks: 2n, transactions: 2n, blockNumber: 2n })
  })

  it('is kept while an import waits for the file to be put right', async () => {
    writeTwoGoodOnes()
    const controller = new AbortController()
    const settings = { addressBook, once: false, pollIntervalMs: 5 }
    const running = world.import(root, settings, controller.signal)
    await until(async () => (await kept()).blocks === 2n)
    controller.abort()
    await running
  })

  it('is left where it was when the log is to blame, and is made up for by the next import', async () => {
    writeTwoGoodOnes()
    const { log } = world
    world.log = failingAfter(log, 1)
    expect((await world.failure(root, { addressBook })).code).toBe('log_unavailable')
    expect(await kept()).toMatchObject({ position: openingEvents, blocks: 0n, transactions: 0n })
    world.log = log
    await world.failure(root)
    expect(await kept()).toMatchObject({ position: openingEvents + 4, blocks: 2n, transactions: 2n })
  })
})
