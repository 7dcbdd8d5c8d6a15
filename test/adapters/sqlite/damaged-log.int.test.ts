import { openSync, readFileSync, rmSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSqliteLog } from '#src/adapters/sqlite/message-log.ts'
import { isLedgerError } from '#src/domain/errors.ts'
import { logRecord, readAll } from '#test/contract/message-log.contract.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

const chunks = 40
const eventsPerChunk = 5
const events = chunks * eventsPerChunk

describe('a damaged log', () => {
  let folder: { path: string; remove: () => Promise<void> }
  let file: string

  beforeEach(async () => {
    folder = await temporaryFolder()
    file = join(folder.path, 'log.sqlite')
    await write(chunks)
  })

  afterEach(() => folder.remove())

  async function write(appends: number): Promise<void> {
    const log = openSqliteLog({ folder: folder.path })
    const writer = await log.openWriter()
    for (let append = 0; append < appends; append++) {
      const first = writer.head.sequence + 1
      const value = Buffer.alloc(400, `value ${first}`)
      await writer.append([Array.from({ length: eventsPerChunk }, (_, index) => logRecord(first + index, { value }))])
    }
    await log.close()
  }

  function sql(...statements: string[]): void {
    const database = new DatabaseSync(file)
    try {
      for (const statement of statements) database.exec(statement)
    } finally {
      database.close()
    }
  }

  async function read(after = 0): Promise<number> {
    const log = openSqliteLog({ folder: folder.path })
    try {
      return (await readAll(log, after)).length
    } finally {
      await log.close()
    }
  }

  it('stops a reader where the log has lost events, naming the first that is missing', async () => {
    sql('DELETE FROM chunk WHERE last_sequence = 10')
    await expect(read()).rejects.toMatchObject({ code: 'log_gap', details: { expected: 6, found: 11 } })
    expect(await read(10)).toBe(events - 10)
  })

  it.each([
    ['a bit of a value', 'UPDATE chunk SET data = changed(data) WHERE last_sequence = 10'],
    ['a sequence', 'UPDATE chunk SET first_sequence = first_sequence + 1 WHERE last_sequence = 10'],
    ['a time', 'UPDATE chunk SET last_time = last_time + 1 WHERE last_sequence = 10'],
    ['a checksum', 'UPDATE chunk SET checksum = changed(checksum) WHERE last_sequence = 10'],
    ['its size', 'UPDATE chunk SET data = substr(data, 1, length(data) - 1) WHERE last_sequence = 10'],
    [
      'its neighbour',
      'UPDATE chunk SET data = (SELECT data FROM chunk WHERE last_sequence = 15) WHERE last_sequence = 10',
    ],
  ])('stops a reader at a chunk of which %s changed, with the place and the repair', async (_, statement) => {
    const database = new DatabaseSync(file)
    database.function('changed', (bytes) => {
      const copy = Buffer.from(bytes as Uint8Array)
      copy[7]! ^= 4
      return copy
    })
    database.exec(statement)
    database.close()
    await expect(read()).rejects.toMatchObject({
      code: 'log_damaged',
      message: expect.stringMatching(/events \d+ to 10 do not have the checksum .* "ledger-history import republish"/),
      details: { file, last: 10 },
    })
    expect(await read(10)).toBe(events - 10)
  })

  it('knows a chunk of another log, though it has the same numbers', async () => {
    const other = new DatabaseSync(file)
    const select = other.prepare('SELECT * FROM chunk WHERE last_sequence = 10')
    select.setReadBigInts(true)
    const row = select.get()!
    other.close()
    for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
    await write(chunks)
    const database = new DatabaseSync(file)
    database
      .prepare('REPLACE INTO chunk VALUES (?, ?, ?, ?, ?)')
      .run(...(Object.values(row) as [bigint, bigint, bigint, Buffer, Buffer]))
    database.close()
    await expect(read()).rejects.toMatchObject({ code: 'log_damaged', details: { first: 6, last: 10 } })
  })

  it('misses the events that its end has lost, also where somebody only asks for the end, or wants to write', async () => {
    sql('DELETE FROM chunk WHERE last_sequence > 180')
    const lost = { code: 'log_damaged', details: { first: 181, last: 200 } }
    await expect(read()).rejects.toMatchObject(lost)
    const log = openSqliteLog({ folder: folder.path })
    await expect(log.head()).rejects.toMatchObject(lost)
    await expect(log.openWriter()).rejects.toMatchObject(lost)
    await log.close()
  })

  it('is not written to where its last chunk is not what was written', async () => {
    sql('UPDATE chunk SET first_sequence = 190 WHERE last_sequence = 200')
    const log = openSqliteLog({ folder: folder.path })
    await expect(log.openWriter()).rejects.toMatchObject({ code: 'log_damaged' })
    await log.close()
  })

  it.each([
    'UPDATE label SET last = 190',
    `UPDATE label SET identity = 'another'`,
    'DELETE FROM label',
    'DROP TABLE label',
  ])('does not believe what it says of itself after %s', async (statement) => {
    sql(statement)
    await expect(read()).rejects.toMatchObject({ code: 'log_damaged' })
  })

  it.each(['cut', 'overwritten at its beginning', 'overwritten in the middle'])(
    'is told when its file is %s',
    async (how) => {
      if (how === 'cut') truncateSync(file, readFileSync(file).length / 2)
      else writeAt(file, how.endsWith('middle') ? readFileSync(file).length / 2 : 0, Buffer.alloc(20_000, 0xa5))
      await expect(read()).rejects.toMatchObject({ code: 'log_damaged' })
    },
  )

  it('never gives a wrong event, whichever bit of its file flips', async () => {
    const whole = readFileSync(file)
    const intact = await contents()
    for (let bit = 5; bit < whole.length * 8; bit += Math.ceil((whole.length * 8) / 400)) {
      const flipped = Buffer.from(whole)
      flipped[bit >> 3]! ^= 1 << (bit & 7)
      for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true })
      writeFileSync(file, flipped)
      const got = await contents().catch((error: unknown) => {
        if (isLedgerError(error)) return error.code
        throw error
      })
      expect(['log_damaged', 'log_gap', intact], `bit ${bit}`).toContain(got)
    }
  })

  async function contents(): Promise<string> {
    const log = openSqliteLog({ folder: folder.path })
    try {
      const all = await readAll(log)
      const { sequence, time } = await log.head()
      return [
        ...all.map(
          (each) => `${each.sequence} ${each.type} ${each.key} ${each.time} ${Buffer.from(each.value).toString()}`,
        ),
        `head ${sequence} ${time}`,
      ].join('\n')
    } finally {
      await log.close()
    }
  }
})

/** As the version before checksums made it. */
function writeUnchecked(file: string): void {
  const database = new DatabaseSync(file)
  database.exec(`
    PRAGMA journal_mode = WAL;
    CREATE TABLE chunk (last_sequence INTEGER PRIMARY KEY, first_sequence INTEGER NOT NULL, last_time INTEGER NOT NULL, data BLOB NOT NULL);
    CREATE TABLE writer (id INTEGER PRIMARY KEY CHECK (id = 1), epoch INTEGER NOT NULL);
    INSERT INTO writer VALUES (1, 3);
  `)
  const packed = Buffer.concat([
    Buffer.from([0, 1]),
    Buffer.from('k'),
    Buffer.alloc(8, 1),
    Buffer.from([0, 0, 0, 1, 7]),
  ])
  const insert = database.prepare(
    'INSERT INTO chunk (last_sequence, first_sequence, last_time, data) VALUES (?, ?, 1, ?)',
  )
  insert.run(2, 1, Buffer.concat([packed, packed]))
  insert.run(3, 3, packed)
  database.close()
}

describe('a log of a version without checksums', () => {
  let folder: { path: string; remove: () => Promise<void> }
  let file: string

  beforeEach(async () => {
    folder = await temporaryFolder()
    file = join(folder.path, 'log.sqlite')
    writeUnchecked(file)
  })

  afterEach(() => folder.remove())

  it('stays readable, and has checksums from there on', async () => {
    const log = openSqliteLog({ folder: folder.path })
    const writer = await log.openWriter()
    await writer.append([[logRecord(4)]])
    expect((await readAll(log)).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4])
    expect(await log.uncheckedThrough()).toBe(3)
    const database = new DatabaseSync(file)
    database.exec('UPDATE chunk SET checksum = NULL WHERE last_sequence = 4')
    database.close()
    await expect(readAll(log)).rejects.toMatchObject({ code: 'log_damaged', details: { first: 4, last: 4 } })
    await log.close()
  })

  it('says where its events cannot be told apart, instead of failing at them', async () => {
    const database = new DatabaseSync(file)
    database.exec(`UPDATE chunk SET data = x'000fff' WHERE last_sequence = 2`)
    database.close()
    const log = openSqliteLog({ folder: folder.path })
    await expect(readAll(log)).rejects.toMatchObject({ code: 'log_damaged', details: { first: 1, last: 2 } })
    await log.close()
  })

  it('cannot be appended to by that version any more', async () => {
    await openSqliteLog({ folder: folder.path }).close()
    const database = new DatabaseSync(file)
    expect(() =>
      database.exec(`INSERT INTO chunk (last_sequence, first_sequence, last_time, data) VALUES (4, 4, 1, x'00')`),
    ).toThrow('a newer version of the importer')
    database.close()
  })
})

function writeAt(file: string, at: number, bytes: Buffer): void {
  writeSync(openSync(file, 'r+'), bytes, 0, bytes.length, Math.floor(at))
}
