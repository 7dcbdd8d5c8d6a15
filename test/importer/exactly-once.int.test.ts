import { describe, expect, it } from 'vitest'
import { LedgerError } from '#src/domain/errors.ts'
import type { LogRecord, LogWriter, MessageLog } from '#src/ports/message-log.ts'
import { addressBook, beforeEachImport, nodes, transfer } from '#test/importer/import-folder.ts'
import { ImportWorld } from '#test/importer/import-world.ts'
import { digestLog } from '#test/support/digest.ts'
import { chainV6, type TestFile, writeFile } from '#test/support/record-writer.ts'

const first = 1_700_000_000_000_000_000n
/** Of the opening snapshot, and of six blocks that come two at a time. */
const appendsInAll = 4
let root: string
let world: ImportWorld

beforeEachImport((folder, fresh) => {
  root = folder
  world = fresh
})

const settings = { addressBook, appendBlocksMax: 2 }

function writeSix(): void {
  const items = Array.from({ length: 6 }, () => transfer)
  for (const file of chainV6({ first, number: 1n, items }) as TestFile[]) writeFile(file, { root, nodes })
}

type Append = (blocks: readonly (readonly LogRecord[])[]) => Promise<unknown>

/** A log of which one append, counted over all writers, fails as told; whether its events are there is for the log to say. */
function failingOnce(log: MessageLog, failing: number, fail: (append: Append) => Append): MessageLog {
  let count = 0
  const unreliable = (writer: LogWriter): LogWriter => ({
    get head() {
      return writer.head
    },
    append: async (blocks) => {
      count += 1
      if (count !== failing) return writer.append(blocks)
      await fail((given) => writer.append(given))(blocks)
      throw new LedgerError('log_unavailable', 'The answer to the append was lost')
    },
    close: () => writer.close(),
  })
  return {
    openWriter: async () => unreliable(await log.openWriter()),
    identity: () => log.identity(),
    read: (options) => log.read(options),
    head: () => log.head(),
    close: () => log.close(),
  }
}

const failures: Record<string, (append: Append) => Append> = {
  'before anything is there': () => async () => undefined,
  'after all of it is there': (append) => append,
  'when the first block of several is there': (append) => (blocks) => append(blocks.slice(0, 1)),
}

describe('an append whose outcome is unknown', () => {
  const places = Array.from({ length: appendsInAll }, (_, index) => index + 1)
  const cases = Object.keys(failures).flatMap((how) => places.map((place) => [how, place] as const))

  it.each(cases)(
    'failing %s (append %d) is made up for by a session that reads the end of the log',
    async (how, place) => {
      writeSix()
      const whole = new ImportWorld()
      await whole.import(root, settings)
      const expected = await digestLog(whole.log, (await whole.log.head()).sequence)

      const { log } = world
      world.log = failingOnce(log, place, failures[how]!)
      expect((await world.failure(root, settings)).code).toBe('log_unavailable')
      await world.import(root, settings)
      expect(await digestLog(log, (await log.head()).sequence)).toEqual(expected)
      expect((await world.blocks()).map(({ number }) => number)).toEqual([1n, 2n, 3n, 4n, 5n, 6n])
    },
  )
})

describe('a session', () => {
  it('takes the state before the right to append, so that it fences nobody who is at work', async () => {
    writeSix()
    const { log, store } = world
    world.log = { ...proxy(log), openWriter: () => Promise.reject(new Error('the log was opened for writing')) }
    world.store = {
      ...store,
      openReader: store.openReader,
      close: () => store.close(),
      remove: store.remove,
      openWriter: async () => {
        throw new LedgerError('owner_busy', 'Another importer lives')
      },
    }
    expect((await world.failure(root, settings)).code).toBe('owner_busy')
  })

  it('stops where the log cannot be read up to the end that it has', async () => {
    writeSix()
    await world.import(root, settings)
    const { log } = world
    world.store = new ImportWorld().store
    world.log = { ...proxy(log), read: (options) => log.read({ ...options, after: 1_000 }) }
    const error = await world.failure(root, settings)
    expect(error.message).toMatch(/^The log ends at event 15, but only 0 could be read; try again$/)
  })
})

function proxy(log: MessageLog): MessageLog {
  return {
    openWriter: () => log.openWriter(),
    identity: () => log.identity(),
    read: (options) => log.read(options),
    head: () => log.head(),
    close: () => log.close(),
  }
}
