import { copyFileSync, existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { openSqliteControlStore } from '#src/adapters/sqlite/control-store.ts'
import { createFolder, createFolderOf, openDatabase } from '#src/adapters/sqlite/database.ts'
import { takeFileLock } from '#src/adapters/sqlite/file-lock.ts'
import { makeWritable } from '#src/adapters/sqlite/file-snapshot.ts'
import { copyLog, readBack } from '#src/adapters/sqlite/log-copy.ts'
import { assertSealed, type LoggedPart, type Manifest, syncFolder } from '#src/cli/backup/manifest.ts'
import { controlName, fileIn, labelOf } from '#src/cli/backup/parts.ts'
import { assertFormatKnown, dataLockName, markDataFolder } from '#src/cli/data-folder.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { forgetProcesses } from '#src/operations/presence.ts'

/** What is not complete lies here, so that nobody takes it for a data folder. */
const draftName = 'restoring'

export interface RestoreOptions {
  /** The folder of the backup. */
  readonly source: string
  readonly manifest: Manifest
  /** A folder that is new or empty. */
  readonly data: string
  readonly hasReadModels: boolean
  readonly signal: AbortSignal
  onProgress(what: string): void
}

/** Reads all of a backup as a restore would, and writes nothing. */
export async function checkBackup({
  source,
  manifest,
  hasReadModels,
  signal,
  onProgress,
}: RestoreOptions): Promise<void> {
  for (const part of filesOf(manifest, hasReadModels)) {
    onProgress(`checking ${labelOf(part.path)}`)
    await assertSealed(fileIn(join(source, manifest.set), part.path), part, signal)
  }
  for (const part of manifest.logs) {
    onProgress(`checking ${part.path}`)
    await withLog(source, part, async ({ database, file }) => readBack({ database, file, through: part.last, signal }))
  }
}

/** Makes a data folder of a backup. Until it is complete it is none; interrupted, the same command begins again. */
export async function restoreBackup(options: RestoreOptions): Promise<void> {
  const { data, manifest } = options
  assertFormatKnown(options.source, manifest.dataFormat)
  assertEmpty(data)
  createFolder(data)
  const lock = takeFileLock(join(data, dataLockName))
  try {
    const draft = join(data, draftName)
    rmSync(draft, { recursive: true, force: true })
    for (const name of ['log', 'store', 'decisions']) rmSync(join(data, name), { recursive: true, force: true })
    createFolder(draft)
    await restoreInto(draft, options)
    for (const name of readdirSync(draft)) renameSync(join(draft, name), join(data, name))
    syncFolder(data)
    if (manifest.network !== null) markDataFolder(data, manifest.network)
    rmSync(draft, { recursive: true, force: true })
  } finally {
    lock.release()
  }
}

/** An interrupted restore may be begun again; anything else is somebody's. */
function assertEmpty(data: string): void {
  if (!existsSync(data)) return
  const names = readdirSync(data)
  if (names.includes(draftName)) return
  const foreign = names.find((name) => name !== 'lost+found' && !name.startsWith(dataLockName))
  if (foreign === undefined) return
  throw new LedgerError(
    'data_folder_unusable',
    `${data} is not empty (it holds ${foreign}), and a restore overwrites nothing; name a new folder with --data, or move this one away`,
    { data },
  )
}

async function restoreInto(draft: string, options: RestoreOptions): Promise<void> {
  const { source, manifest, hasReadModels, signal, onProgress } = options
  for (const part of filesOf(manifest, hasReadModels)) {
    onProgress(`restoring ${labelOf(part.path)}`)
    const file = fileIn(draft, part.path)
    createFolderOf(file)
    const from = fileIn(join(source, manifest.set), part.path)
    if (existsSync(from)) copyFileSync(from, file)
    await assertSealed(existsSync(from) ? file : from, part, signal)
    makeWritable(file, 'store_unavailable')
    if (basename(file) === controlName) await forgetProcessesIn(dirname(file))
  }
  for (const part of manifest.logs) {
    onProgress(`restoring ${part.path}`)
    const target = join(draft, part.path, 'log.sqlite')
    await withLog(source, part, ({ database, file }) => copyLog({ database, file, target, through: part.last, signal }))
  }
}

async function forgetProcessesIn(folder: string): Promise<void> {
  const control = openSqliteControlStore({ folder })
  try {
    await forgetProcesses(control)
  } finally {
    await control.close()
  }
}

function filesOf({ files }: Manifest, hasReadModels: boolean): Manifest['files'] {
  return hasReadModels ? files : files.filter(({ path }) => !path.includes('@'))
}

async function withLog<T>(
  folder: string,
  part: LoggedPart,
  use: (log: { database: ReturnType<typeof openDatabase>; file: string }) => Promise<T>,
): Promise<T> {
  const file = fileIn(folder, part.file)
  if (!existsSync(file)) {
    const message = `The file ${file} of the backup is missing, which has the log; take another backup`
    throw new LedgerError('backup_unusable', message, { file })
  }
  const database = openDatabase({ file, readOnly: true, cacheBytes: 4 << 20 }, 'log_unavailable')
  try {
    return await use({ database, file })
  } finally {
    database.close()
  }
}
