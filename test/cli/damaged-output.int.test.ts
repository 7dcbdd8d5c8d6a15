import { cpSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openSqliteLog } from '#src/adapters/sqlite/message-log.ts'
import { type Finished, run } from '#test/cli/support.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

/** With what contract-logs publishes, some events a chunk; each test has a copy. */
let whole: Awaited<ReturnType<typeof temporaryFolder>>
let own: Awaited<ReturnType<typeof temporaryFolder>>[] = []
let folder: string
let before: readonly string[]

const data = ['--data', 'data'] as const
const start = ['start', '--source', 'streams', '--once', '--output-batch-events-max', '5', ...data]

beforeAll(async () => {
  whole = await temporaryFolder()
  const simulated = ['network', 'simulate', '--out', 'streams', '--blocks', '3', '--seed', 'outputs']
  for (const args of [simulated, start]) {
    const { code, err } = await run(args, { cwd: whole.path })
    expect(code, err).toBe(0)
  }
}, 120_000)
afterAll(async () => {
  for (const each of [whole, ...own]) await each.remove()
  own = []
})

beforeEach(async () => {
  const copy = await temporaryFolder()
  own.push(copy)
  folder = copy.path
  cpSync(whole.path, folder, { recursive: true })
  before = await published()
  expect(before.length).toBeGreaterThan(10)
})

async function published(): Promise<readonly string[]> {
  const log = openSqliteLog({ folder: join(folder, 'data', 'log', 'contract-logs') })
  const events: string[] = []
  try {
    for await (const { records } of log.read({ after: 0, countMax: 1_000, bytesMax: 1 << 20, follow: false }))
      for (const { sequence, key, value } of records)
        events.push(`${sequence} ${key} ${Buffer.from(value).toString('hex')}`)
  } finally {
    await log.close()
  }
  return events
}

const logFile = (): string => join(folder, 'data', 'log', 'contract-logs', 'log.sqlite')

function damage(statement: string): void {
  const database = new DatabaseSync(logFile())
  database.exec(statement)
  database.close()
}

const ledger = (...args: readonly string[]): Promise<Finished> => run([...args], { cwd: folder })
const newest = 'last_sequence = (SELECT max(last_sequence) FROM chunk)'

describe('an output that is damaged', () => {
  it.each([
    ['its last chunk is overwritten', `UPDATE chunk SET data = zeroblob(length(data)) WHERE ${newest}`],
    ['its last chunk has gone', `DELETE FROM chunk WHERE ${newest}`],
    ['its label has gone', 'DELETE FROM label'],
    ['a table has gone', 'DROP TABLE writer'],
  ])(
    'is made again from its rows, by itself, and told once, where %s',
    async (_, statement) => {
      damage(statement)
      const { code, out, err } = await ledger(...start)
      expect(code, err).toBe(0)
      expect(out + err).not.toMatch(/import republish|from a copy/)
      expect(err.match(/an output is damaged and is made again from its rows/g)).toHaveLength(1)
      expect(await published()).toEqual(before)
      expect((await ledger(...start)).err).not.toContain('damaged')
      const verified = await ledger('import', 'verify', ...data)
      expect(verified.code, verified.out).toBe(0)
      expect(verified.out).toContain(`; contract-logs publishes ${before.length} events`)
    },
    120_000,
  )

  it.each([
    [
      'is no database',
      () => writeFileSync(logFile(), 'not a database at all, but longer than the head of one'.repeat(400)),
    ],
    ['was cut off', () => truncateSync(logFile(), 20_000)],
    ['is empty', () => truncateSync(logFile(), 0)],
    ['has gone', () => rmSync(logFile())],
  ])(
    'is made again where its file %s',
    async (_, harm) => {
      for (const end of ['-wal', '-shm']) rmSync(logFile() + end, { force: true })
      harm()
      const { code, out, err } = await ledger(...start)
      expect(code, err).toBe(0)
      expect(out + err).not.toMatch(/import republish|from a copy/)
      expect(await published()).toEqual(before)
    },
    120_000,
  )

  it('is found by import verify wherever the damage is, with what mends it', async () => {
    damage(
      'UPDATE chunk SET data = zeroblob(length(data)) WHERE last_sequence = (SELECT min(last_sequence) FROM chunk)',
    )
    for (const args of [
      ['import', 'verify', ...data],
      ['import', 'verify', '--json', ...data],
    ]) {
      const { code, out } = await ledger(...args)
      expect(code, out).toBe(1)
      expect(out).toMatch(
        /What contract-logs publishes in \S+contract-logs does not hold: events 1 to \d+ do not have the checksum/,
      )
      expect(out).toMatch(/remove \S+contract-logs, and start: it is filled anew/)
      expect(out).not.toContain('republish')
    }
    const tailed = await ledger('topics', 'tail', '--topic', 'contract-logs', '--sequence', '1', ...data)
    expect(tailed.code).toBe(1)
    expect(tailed.err).toMatch(/is damaged: .* remove \S+contract-logs, and start/)
  }, 120_000)
})
