import { cpSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openFileSnapshot } from '#src/adapters/sqlite/file-snapshot.ts'
import { type CopiedLog, copyLog, type LogCopy } from '#src/adapters/sqlite/log-copy.ts'
import { openSqliteLog, type SqliteLog } from '#src/adapters/sqlite/message-log.ts'
import type { LogRecord, LogWriter } from '#src/ports/message-log.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

let path: string
let remove: () => Promise<void>
let log: SqliteLog
let writer: LogWriter

beforeEach(async () => {
  const folder = await temporaryFolder()
  path = folder.path
  remove = folder.remove
  await open()
})

async function open(): Promise<void> {
  log = openSqliteLog({ folder: join(path, 'log') })
  writer = await log.openWriter()
}

afterEach(async () => {
  await log.close()
  await remove()
})

let time = 1n
const block = (count: number): LogRecord[] =>
  Array.from({ length: count }, () => ({
    type: 'TransactionRecorded',
    key: String(time),
    time: time++,
    value: Buffer.from(`event ${time}`),
  }))

const source = () => join(path, 'log', 'log.sqlite')

async function copy(options: Partial<LogCopy> = {}): Promise<CopiedLog> {
  const snapshot = openFileSnapshot(source(), 'log_unavailable')
  try {
    return await copyLog({
      database: snapshot.database,
      file: source(),
      target: join(path, 'copy', 'log.sqlite'),
      ...options,
    })
  } finally {
    snapshot.close()
  }
}

async function keysOf(folder: string): Promise<string[]> {
  const opened = openSqliteLog({ folder })
  const keys: string[] = []
  for await (const { records } of opened.read({ after: 0, countMax: 100, bytesMax: 1 << 20, follow: false }))
    keys.push(...records.map(({ key }) => key))
  await opened.close()
  return keys
}

function change(file: string, statement: string): void {
  const database = new DatabaseSync(file)
  database.exec(statement)
  database.close()
}

describe('a copy of a log', () => {
  it('is the same log, and is brought up to it by what is new alone', async () => {
    await writer.append([block(3), block(2)])
    const first = await copy()
    expect(first).toEqual({ identity: await log.identity(), last: 5, added: 5 })
    await writer.append([block(4)])
    expect(await copy()).toMatchObject({ last: 9, added: 4 })
    expect(await copy()).toMatchObject({ last: 9, added: 0 })
    expect(await keysOf(join(path, 'copy'))).toEqual(await keysOf(join(path, 'log')))
    const copied = openSqliteLog({ folder: join(path, 'copy') })
    expect([await copied.identity(), await copied.head()]).toEqual([await log.identity(), await log.head()])
    await copied.close()
  })

  it('is as of the moment of the snapshot, whatever is appended meanwhile', async () => {
    await writer.append([block(3)])
    const snapshot = openFileSnapshot(source(), 'log_unavailable')
    await writer.append([block(3)])
    const target = join(path, 'copy', 'log.sqlite')
    expect(await copyLog({ database: snapshot.database, file: source(), target })).toMatchObject({ last: 3 })
    snapshot.close()
    expect(await keysOf(join(path, 'copy'))).toHaveLength(3)
  })

  it('is not made of a chunk that is damaged', async () => {
    await writer.append([block(3)])
    await copy()
    await writer.append([block(3)])
    change(source(), 'UPDATE chunk SET data = zeroblob(length(data)) WHERE last_sequence = 6')
    await expect(copy()).rejects.toMatchObject({ code: 'log_damaged' })
    expect(await keysOf(join(path, 'copy'))).toHaveLength(3)
  })

  it('goes back to what a manifest names, and no further, where the log was written anew behind that', async () => {
    await writer.append([block(3)])
    await log.close()
    cpSync(join(path, 'log'), join(path, 'saved'), { recursive: true })
    await open()
    await writer.append([block(3)])
    await copy()
    await log.close()
    rmSync(join(path, 'log'), { recursive: true })
    renameSync(join(path, 'saved'), join(path, 'log'))
    await open()
    await writer.append([block(4)])
    await expect(copy({ keep: 6 })).rejects.toMatchObject({ code: 'backup_unusable' })
    await expect(copy({ keep: 2 })).rejects.toMatchObject({ code: 'backup_unusable' })
    expect(await keysOf(join(path, 'copy'))).toHaveLength(6)
    expect(await copy({ keep: 3 })).toMatchObject({ last: 7, added: 4 })
    expect(await keysOf(join(path, 'copy'))).toEqual(await keysOf(join(path, 'log')))
  })

  it('takes a log over that has chunks from before there were checksums', async () => {
    await writer.append([block(3)])
    await log.close()
    change(
      source(),
      `CREATE TABLE old AS SELECT last_sequence, first_sequence, last_time, data FROM chunk; DROP TABLE chunk; DROP TABLE label;
       CREATE TABLE chunk (last_sequence INTEGER PRIMARY KEY, first_sequence INTEGER NOT NULL, last_time INTEGER NOT NULL, data BLOB NOT NULL);
       INSERT INTO chunk SELECT * FROM old; DROP TABLE old`,
    )
    await open()
    await writer.append([block(2)])
    expect(await copy()).toMatchObject({ last: 5, added: 5 })
    expect(await keysOf(join(path, 'copy'))).toHaveLength(5)
    const copied = openSqliteLog({ folder: join(path, 'copy') })
    expect(await copied.uncheckedThrough()).toBe(3)
    await copied.close()
    expect(() => change(join(path, 'copy', 'log.sqlite'), "INSERT INTO chunk VALUES (9, 6, 1, x'00', NULL)")).toThrow(
      /newer version/,
    )
  })
})
