import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createFolder, createFolderOf } from '#src/adapters/sqlite/database.ts'
import { takeFileLock } from '#src/adapters/sqlite/file-lock.ts'
import { type FileSnapshot, makeSingle, openFileSnapshot } from '#src/adapters/sqlite/file-snapshot.ts'
import { copyLog } from '#src/adapters/sqlite/log-copy.ts'
import { createLabelReader } from '#src/adapters/sqlite/log-label.ts'
import { checkFile } from '#src/cli/backup/check-files.ts'
import {
  type CopiedPart,
  type LoggedPart,
  type Manifest,
  manifestName,
  newManifest,
  readManifest,
  sealOf,
  writeManifest,
} from '#src/cli/backup/manifest.ts'
import { fileIn, type LogPart, labelOf, type Part, type Parts } from '#src/cli/backup/parts.ts'
import { codeVersion } from '#src/cli/code-version.ts'
import type { DataFolder } from '#src/cli/data-folder.ts'
import { LedgerError } from '#src/domain/errors.ts'

const lockName = 'ledger-backup.lock'
const logsFolder = 'logs'
const setsFolder = 'sets'
/** What a folder may hold that is to become a backup. */
const knownBeginnings = [manifestName, lockName, logsFolder, setsFolder, 'lost+found']

export interface BackupOptions {
  readonly target: string
  readonly folder: DataFolder
  readonly parts: Parts
  readonly hasReadModels: boolean
  readonly signal: AbortSignal
  /** Told what is being worked on, such as `copying blocks v1`. */
  onProgress(what: string): void
}

export interface TakenBackup {
  readonly manifest: Manifest
  /** Events of the ledger's log that the copy did not have. */
  readonly added: number
}

/**
 * Copies a data folder while it is in use. All databases are looked at as of one moment, the log last of all, so that it has every event that a
 * row was folded from. The manifest makes it the backup; until then the one before is, and nothing of it is touched.
 */
export async function takeBackup(options: BackupOptions): Promise<TakenBackup> {
  const { target } = options
  assertOurs(target)
  createFolder(target)
  const lock = takeFileLock(join(target, lockName), (cause) => {
    const message = `Another backup is being made in ${target}; wait for it, or name another folder`
    return new LedgerError('data_folder_busy', message, { target }, cause)
  })
  try {
    return await takeLocked(options, readManifest(target))
  } finally {
    lock.release()
  }
}

function assertOurs(target: string): void {
  if (!existsSync(target)) return
  const foreign = readdirSync(target).find((name) => !knownBeginnings.some((known) => name.startsWith(known)))
  if (foreign === undefined) return
  const message = `${target} is no backup and not empty (it holds ${foreign}); name another folder`
  throw new LedgerError('backup_unusable', message, { target })
}

async function takeLocked(options: BackupOptions, before: Manifest | undefined): Promise<TakenBackup> {
  const { target, folder, hasReadModels } = options
  removeLeftOver(target, before)
  const takenAt = new Date().toISOString()
  const set = join(setsFolder, takenAt.replaceAll(/[-:.]/g, ''))
  const { snapshots, logs } = openAll(options)
  let added = 0
  try {
    assertSameLog(options, logs, before)
    const files = await copyFiles(options, snapshots, join(target, set))
    const copied: LoggedPart[] = []
    for (const log of logs) {
      const done = await copyOneLog(options, log, before)
      copied.push(done.part)
      if (log.part.isLedger) added += done.added
    }
    const { marker } = folder
    const head = { network: marker.network, dataFormat: marker.format, takenAt, codeVersion, set, hasReadModels }
    const manifest = newManifest({ ...head, logs: copied, files })
    writeManifest(target, manifest)
    removeLeftOver(target, manifest)
    return { manifest, added }
  } finally {
    for (const { snapshot } of [...snapshots, ...logs]) snapshot.close()
  }
}

interface Opened<P> {
  readonly part: P
  readonly snapshot: FileSnapshot
}

interface OpenedLog extends Opened<LogPart> {
  readonly source: string
  readonly identity: string
}

/** In this order: nothing is ahead of what it is made from. */
function openAll({ folder, parts, hasReadModels }: BackupOptions): {
  snapshots: Opened<Part>[]
  logs: OpenedLog[]
} {
  const opened: FileSnapshot[] = []
  const open = (file: string, unavailable: Part['unavailable']): FileSnapshot => {
    opened.push(openFileSnapshot(file, unavailable))
    return opened.at(-1)!
  }
  const openLog = (part: LogPart): OpenedLog => {
    const source = join(folder.path, part.path, 'log.sqlite')
    const snapshot = open(source, 'log_unavailable')
    return { part, source, snapshot, identity: createLabelReader(source, snapshot.database)().identity }
  }
  try {
    const outputs = parts.outputs.map(openLog)
    const wanted = [...(hasReadModels ? parts.readModels : []), ...parts.kept]
    const snapshots = wanted.map((part) => ({
      part,
      snapshot: open(fileIn(folder.path, part.path), part.unavailable),
    }))
    return { snapshots, logs: [...outputs, ...parts.ledgers.map(openLog)] }
  } catch (error) {
    for (const each of opened) each.close()
    throw error
  }
}

/** A folder that was begun anew must not take the place of the only copy of what it lost. */
function assertSameLog({ target }: BackupOptions, logs: readonly OpenedLog[], before: Manifest | undefined): void {
  const known = new Set(before?.logs.filter(({ isLedger }) => isLedger).map(({ identity }) => identity))
  if (known.size === 0 || logs.some(({ identity }) => known.has(identity))) return
  const message = `The backup in ${target} is of another log than this data folder has; keep it, and make this one in another folder`
  throw new LedgerError('backup_unusable', message, { target })
}

/** Snapshots are closed as they are copied: what they hold back in write-ahead logs can go. What was copied is looked at afterwards. */
async function copyFiles(
  { signal, onProgress }: BackupOptions,
  snapshots: readonly Opened<Part>[],
  folder: string,
): Promise<CopiedPart[]> {
  for (const { part, snapshot } of snapshots) {
    assertGoesOn(signal)
    onProgress(`copying ${labelOf(part.path)}`)
    const file = fileIn(folder, part.path)
    createFolderOf(file)
    await snapshot.copyTo(file)
    snapshot.close()
  }
  const files: CopiedPart[] = []
  for (const { part } of snapshots) {
    assertGoesOn(signal)
    onProgress(`checking ${labelOf(part.path)}`)
    await checkFile(folder, part, signal)
    const file = fileIn(folder, part.path)
    makeSingle(file, part.unavailable)
    files.push(await sealOf(file, part.path, signal))
  }
  return files
}

async function copyOneLog(
  { target, signal, onProgress }: BackupOptions,
  { part, source, identity, snapshot }: OpenedLog,
  before: Manifest | undefined,
): Promise<{ part: LoggedPart; added: number }> {
  assertGoesOn(signal)
  onProgress(`copying ${part.path}`)
  const file = `${logsFolder}/${identity}.sqlite`
  const keep = before?.logs.find((each) => each.file === file)?.last ?? 0
  const path = fileIn(target, file)
  const { last, added } = await copyLog({ database: snapshot.database, file: source, target: path, keep, signal })
  snapshot.close()
  makeSingle(path, 'log_unavailable')
  await sealOf(path, file, signal)
  return { part: { ...part, file, identity, last }, added }
}

/** What no manifest names: of a backup that was interrupted, or of the one before. */
function removeLeftOver(target: string, manifest: Manifest | undefined): void {
  const named = new Set([manifest?.set, ...(manifest?.logs ?? []).map(({ file }) => file)])
  // Logs that an interrupted first backup has copied are gone on with.
  for (const parent of manifest === undefined ? [setsFolder] : [setsFolder, logsFolder])
    for (const name of existsSync(join(target, parent)) ? readdirSync(join(target, parent)) : []) {
      const isNamed = [...named].some((each) => each !== undefined && `${parent}/${name}`.startsWith(each))
      if (!isNamed) rmSync(join(target, parent, name), { recursive: true, force: true })
    }
}

function assertGoesOn(signal: AbortSignal): void {
  if (!signal.aborted) return
  throw new LedgerError(
    'interrupted',
    'The backup was stopped; the one before is as it was. Run the same command again',
  )
}
