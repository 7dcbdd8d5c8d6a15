import { describe, expect, it } from 'vitest'
import { openSqliteLog } from '#src/adapters/sqlite/message-log.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { decodeEvent } from '#src/events/codec.ts'
import { closeLog } from '#src/importer/close-log.ts'
import { importerDefaults } from '#src/importer/settings.ts'
import { runOrStandBy, type StandbyOptions, untilQuiet } from '#src/importer/standby.ts'
import { type Logger, silentLogger } from '#src/ports/logger.ts'
import { addressBook, beforeEachImport, nodes, transfer } from '#test/importer/import-folder.ts'
import { type ImportWorld, until } from '#test/importer/import-world.ts'
import { publish, recordOf } from '#test/support/events.ts'
import { chainV6, type TestFile, writeFile } from '#test/support/record-writer.ts'

const first = 1_700_000_000_000_000_000n
let root: string
let world: ImportWorld

beforeEachImport((folder, fresh) => {
  root = folder
  world = fresh
})

const busy = (text: string) => new LedgerError('owner_busy', text)

function standbyOptions(overrides: Partial<StandbyOptions> = {}): StandbyOptions {
  return {
    signal: new AbortController().signal,
    logger: silentLogger,
    pollMs: 1,
    turns: () => 0,
    ownerName: async () => undefined,
    onStandby: () => undefined,
    beforeRetry: async () => undefined,
    ...overrides,
  }
}

describe('a standby', () => {
  it('says once who is at work, and takes over when that one is gone', async () => {
    const lines: unknown[] = []
    const logger: Logger = { ...silentLogger, warn: (fields, message) => lines.push({ ...fields, message }) }
    let others = 3
    const attempt = async () => {
      others -= 1
      if (others >= 0) throw busy('The state is held')
    }
    const seen: string[] = []
    const onStandby = ({ message }: LedgerError) => seen.push(message)
    await runOrStandBy(attempt, standbyOptions({ logger, onStandby, ownerName: async () => 'process 7 on host a' }))
    expect(seen).toHaveLength(3)
    expect(lines).toEqual([
      {
        code: 'owner_busy',
        owner: 'process 7 on host a',
        reason: 'The state is held',
        message: 'another importer is at work; this one stands by and takes over when it is gone',
      },
    ])
  })

  it.each(['owner_fenced', 'log_writer_fenced', 'log_writer_busy', 'owner_busy'] as const)(
    'is what %s makes of it',
    async (code) => {
      let attempts = 0
      await runOrStandBy(async () => {
        attempts += 1
        if (attempts === 1) throw new LedgerError(code, 'Another importer is there')
      }, standbyOptions())
      expect(attempts).toBe(2)
    },
  )

  it('ends with any other failure', async () => {
    const attempt = () => Promise.reject(new LedgerError('log_unavailable', 'away'))
    await expect(runOrStandBy(attempt, standbyOptions())).rejects.toMatchObject({ code: 'log_unavailable' })
  })

  it('ends at the signal', async () => {
    const stop = new AbortController()
    const onStandby = () => stop.abort()
    await runOrStandBy(() => Promise.reject(busy('held')), standbyOptions({ signal: stop.signal, onStandby }))
  })

  it('does not take the right back while the log grows', async () => {
    const log = openSqliteLog({ folder: ':memory:' })
    const stop = new AbortController()
    let quiet = false
    const waiting = untilQuiet(log, { quietMs: 60, pollMs: 2, signal: stop.signal }).then(() => {
      quiet = true
    })
    const began = performance.now()
    for (let time = 1n; performance.now() - began < 200; time++) {
      await publish(log, [recordOf('SnapshotCompleted', { count: time })])
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    expect(quiet).toBe(false)
    await waiting
    await log.close()
  })
})

describe('two importers on one log', () => {
  it('work one after the other, and the second goes on where the first ended', async () => {
    const files = chainV6({ first, number: 1n, items: [transfer, transfer, transfer] }) as TestFile[]
    writeFile(files[0]!, { root, nodes })
    const settings = { addressBook, once: false, pollIntervalMs: 5 }
    const stops = [new AbortController(), new AbortController()]
    let turns = 0
    const run = (stop: AbortController) =>
      runOrStandBy(
        async () => {
          await world.import(root, settings, stop.signal, () => {
            turns += 1
          })
        },
        standbyOptions({ signal: stop.signal }),
      )
    const one = run(stops[0]!)
    await until(async () => (await world.blocks()).length === 1)
    const before = turns
    const other = run(stops[1]!)
    writeFile(files[1]!, { root, nodes })
    await until(async () => (await world.blocks()).length === 2)
    expect(turns).toBeGreaterThan(before)
    stops[0]!.abort()
    await one
    writeFile(files[2]!, { root, nodes })
    await until(async () => (await world.blocks()).length === 3)
    stops[1]!.abort()
    await other
    expect((await world.blocks()).map(({ number }) => number)).toEqual([1n, 2n, 3n])
  })
})

describe('a log that another generation replaced', () => {
  const next = { nextGeneration: 2, nextLog: 'ledger.transactions.g2', reason: 'a gap' }
  const settings = { ...importerDefaults, network: 'demo', addressBook }
  const session = () => ({ log: world.log, store: world.store, generation: 1, settings })

  it('ends with the event that names its successor, once', async () => {
    for (const file of chainV6({ first, number: 1n, items: [transfer] }) as TestFile[]) writeFile(file, { root, nodes })
    await world.import(root, { addressBook })
    expect(await closeLog(session(), next)).toBe(true)
    expect(await closeLog(session(), next)).toBe(false)
    const last = (await world.records()).at(-1)!
    expect(decodeEvent({ ...last, type: 'LogSuperseded' })).toEqual({ ...next, consensusTimestamp: first })
    expect(last.time).toBe(first)
  })

  it('goes on behind that event when the operator goes back to it', async () => {
    const [a, b] = chainV6({ first, number: 1n, items: [transfer, transfer] }) as TestFile[]
    writeFile(a!, { root, nodes })
    await world.import(root, { addressBook })
    await closeLog(session(), next)
    writeFile(b!, { root, nodes })
    await world.import(root)
    expect((await world.records()).slice(-3).map(({ type }) => type)).toEqual([
      'LogSuperseded',
      'TransactionRecorded',
      'BlockRecorded',
    ])
    expect(await closeLog(session(), next)).toBe(true)
  })

  it('that holds nothing is left empty', async () => {
    expect(await closeLog(session(), next)).toBe(false)
    expect((await world.log.head()).sequence).toBe(0)
  })
})
