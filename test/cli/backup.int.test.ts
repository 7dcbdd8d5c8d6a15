import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSqliteContentStore } from '#src/adapters/sqlite/content-store.ts'
import { openSqliteControlStore } from '#src/adapters/sqlite/control-store.ts'
import { openSqliteDecisionStore } from '#src/adapters/sqlite/decision-store.ts'
import { openSqliteLog } from '#src/adapters/sqlite/message-log.ts'
import { getManifest } from '#src/cli/backup/manifest.ts'
import { partsOf } from '#src/cli/backup/parts.ts'
import { checkBackup, restoreBackup } from '#src/cli/backup/restore-backup.ts'
import { type TakenBackup, takeBackup } from '#src/cli/backup/take-backup.ts'
import { openDataFolder, openExistingDataFolder } from '#src/cli/data-folder.ts'
import { enginesOf } from '#src/cli/engines.ts'
import { loadConfig } from '#src/config/load.ts'
import { contentHashOf } from '#src/ports/content-store.ts'
import { silentLogger } from '#src/ports/logger.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

let path: string
let remove: () => Promise<void>

beforeEach(async () => {
  const folder = await temporaryFolder()
  path = folder.path
  remove = folder.remove
  await begin()
})

afterEach(() => remove())

const { signal } = new AbortController()
const metadata = {
  actor: 'test',
  actor_role: 'automation',
  command_id: 'c-1',
  command_digest: '0',
  recorded_at: '2026-02-03T14:05:10.250Z',
  schema_version: 1,
} as const
const onProgress = (): void => undefined

/** A data folder with a plan and a log of three events. */
async function begin(): Promise<void> {
  const folder = openDataFolder(join(path, 'data'), 'demo')
  const control = openSqliteControlStore({ folder: folder.store })
  await control.put('plan', '{"generation":1,"generations":{},"readModels":{}}', 0)
  await control.close()
  await append(1n, 2n, 3n)
}

async function append(...times: readonly bigint[]): Promise<void> {
  const log = openSqliteLog({ folder: join(path, 'data', 'log') })
  const writer = await log.openWriter()
  const value = Buffer.from('value')
  await writer.append([times.map((time) => ({ type: 'TransactionRecorded', key: String(time), time, value }))])
  await log.close()
}

async function backUp(): Promise<TakenBackup> {
  const { config } = loadConfig({ flags: { data: join(path, 'data') }, environment: {}, file: undefined })
  const folder = openExistingDataFolder(config.data, 'demo')
  const parts = await partsOf(config, folder, enginesOf(config, folder, silentLogger))
  return takeBackup({ target: join(path, 'backup'), folder, parts, hasReadModels: true, signal, onProgress })
}

const restoring = (data = 'restored') => ({
  source: join(path, 'backup'),
  manifest: getManifest(join(path, 'backup')),
  data: join(path, data),
  hasReadModels: true,
  signal,
  onProgress,
})

describe('a backup', () => {
  it('restores the log up to where it was, though more was copied since by a backup that did not end', async () => {
    await backUp()
    const manifest = readFileSync(join(path, 'backup', 'ledger-backup.json'))
    await append(4n, 5n)
    expect(await backUp()).toMatchObject({ added: 2 })
    writeFileSync(join(path, 'backup', 'ledger-backup.json'), manifest)
    await expect(checkBackup(restoring())).rejects.toMatchObject({ code: 'backup_unusable' })
    await expect(restoreBackup({ ...restoring(), hasReadModels: false })).rejects.toMatchObject({
      message: expect.stringMatching(/control\.sqlite of the backup is not what it was: it is missing/),
    })
    const { added, manifest: last } = await backUp()
    expect([added, last.logs[0]!.last]).toEqual([0, 5])
    await restoreBackup({ ...restoring(), manifest: { ...last, logs: last.logs.map((log) => ({ ...log, last: 3 })) } })
    const log = openSqliteLog({ folder: join(path, 'restored', 'log') })
    expect(await log.head()).toEqual({ sequence: 3, time: 3n })
    await log.close()
  })

  it('has the texts that decisions name, and is not taken where one of them is another', async () => {
    const decisions = join(path, 'data', 'decisions')
    const put = async (text: string) => {
      const contents = openSqliteContentStore({ folder: decisions })
      await contents.put([text])
      await contents.close()
    }
    const event = { id: randomUUID(), type: 'VerificationRequested', data: { text: 'contract A {}' }, metadata }
    const store = openSqliteDecisionStore({ folder: decisions })
    await put('contract A {}')
    await store.append('verification-298-0.0.5001', 'none', [event])
    await store.close()
    await backUp()
    await restoreBackup(restoring())
    const hashes = ['contract A {}', 'contract B {}'].map(contentHashOf)
    const textsOf = async (folder: string) => {
      const contents = openSqliteContentStore({ folder: join(path, folder, 'decisions') })
      const found = await contents.get(hashes)
      await contents.close()
      return [...found.values()]
    }
    expect(await textsOf('restored')).toEqual(['contract A {}'])
    await put('contract B {}')
    await backUp()
    await restoreBackup(restoring('again'))
    expect(await textsOf('again')).toEqual(['contract A {}', 'contract B {}'])
    const database = new DatabaseSync(join(decisions, 'contents.sqlite'))
    database.prepare('UPDATE content SET packed = ? WHERE hash = ?').run(gzipSync('contract C {}'), hashes[0]!)
    database.close()
    await expect(backUp()).rejects.toMatchObject({
      code: 'store_damaged',
      message: expect.stringMatching(/^decisions\/contents\.sqlite is not whole/),
    })
  })

  it('is not restored where a file of it is not what it was, and what is begun is no data folder', async () => {
    await backUp()
    const [set] = readdirSync(join(path, 'backup', 'sets'))
    const control = join(path, 'backup', 'sets', set!, 'store', 'control.sqlite')
    writeFileSync(control, readFileSync(control).fill(1, 4_200, 4_210))
    await expect(restoreBackup(restoring())).rejects.toMatchObject({
      code: 'backup_unusable',
      message: expect.stringMatching(/control\.sqlite of the backup is not what it was: its SHA-256 is another one/),
    })
    expect(() => openDataFolder(join(path, 'restored'), 'demo')).toThrow(/it holds restoring/)
    await backUp()
    await restoreBackup(restoring())
    expect(openExistingDataFolder(join(path, 'restored'), 'demo').marker.network).toBe('demo')
    expect(existsSync(join(path, 'restored', 'restoring'))).toBe(false)
    await expect(restoreBackup(restoring())).rejects.toMatchObject({
      code: 'data_folder_unusable',
      message: expect.stringMatching(/is not empty \(it holds \S+\), and a restore overwrites nothing/),
    })
  })

  it('does not take the place of the backup of another log, or of what is no backup', async () => {
    await backUp()
    rmSync(join(path, 'data'), { recursive: true })
    await begin()
    await expect(backUp()).rejects.toMatchObject({
      code: 'backup_unusable',
      message: expect.stringMatching(/is of another log than this data folder has/),
    })
    rmSync(join(path, 'backup'), { recursive: true })
    await backUp()
    writeFileSync(join(path, 'backup', 'photo.jpg'), '')
    await expect(backUp()).rejects.toThrow(/is no backup and not empty \(it holds photo\.jpg\)/)
    expect(() => getManifest(path)).toThrow(/holds no backup/)
  })
})
