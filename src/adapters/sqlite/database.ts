import { existsSync, mkdirSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { RowDamage } from '#src/adapters/row-sums.ts'
import { decisionsDamaged, logDamaged } from '#src/adapters/sqlite/log-damage.ts'
import { repairOf } from '#src/adapters/sqlite/rows-origin.ts'
import { type ErrorCode, LedgerError } from '#src/domain/errors.ts'

export interface DatabaseSettings {
  /** File, or ':memory:'. Missing folders are created unless the database is opened for reading only. */
  readonly file: string
  readonly readOnly?: boolean
  /** Bytes; takes effect when the file is created. */
  readonly pageBytes?: number
  /** FULL: a commit survives a power failure. NORMAL: it may be lost, but the file stays whole. */
  readonly synchronous?: 'FULL' | 'NORMAL'
  readonly cacheBytes?: number
  /** Write-ahead log size in pages from which a commit moves it into the file. */
  readonly walPages?: number
  /** How long a statement waits for another connection's lock. */
  readonly busyTimeoutMs?: number
}

const busyCode = 5
const fullCode = 13
const unavailableCodes = new Set([busyCode, 6, 10])
/** The file's structure is torn, or it is no database at all. */
const damagedCodes = new Set([11, 26])
const shortReadCode = 522
/** A statement does not fit the tables, which are always the same for a file of its name, or the file has another form. */
const errorCode = 1

/** There is no room for what connections share of the write-ahead log, which the engine does not tell as a full disk. */
const noRoomForSharedCode = 4_874

function isFull(error: unknown): boolean {
  if (resultCodeOf(error) === fullCode) return true
  return error instanceof Error && 'errcode' in error && error.errcode === noRoomForSharedCode
}

/** SQLite's primary result code of an error of the driver; undefined for errors of other origin. */
function resultCodeOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined
  return Number(error.errcode) & 0xff
}

/** The file ends within what is to be read. */
function isCutOff(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === shortReadCode
}

/** Whether an error of the driver says that somebody else holds the lock. */
export function isBusy(error: unknown): boolean {
  return resultCodeOf(error) === busyCode
}

/** Runs a database call and translates what the driver throws; `unavailable` names the error for a busy or broken store. */
export function translated<T>(file: string, unavailable: ErrorCode, call: () => T): T {
  try {
    return call()
  } catch (error) {
    const code = resultCodeOf(error)
    const text = error instanceof Error ? error.message : String(error)
    if (unavailable === 'store_unavailable' && isUnreadable(error)) throw storeDamaged(file, text, error)
    if (code === undefined) throw error
    if (isFull(error)) {
      throw new LedgerError('disk_full', `The disk under ${file} is full; free space there`, { file }, error)
    }
    if (unavailableCodes.has(code) && !isCutOff(error))
      throw new LedgerError(unavailable, `The database ${file} is not available: ${text}`, { file }, error)
    if (damagedCodes.has(code) || code === errorCode || isCutOff(error)) throw damaged(file, unavailable, text, error)
    throw new LedgerError(
      'data_folder_unusable',
      `The database ${file} cannot be used: ${text}; check the folder's permissions and that the file is intact`,
      { file, resultCode: code },
      error,
    )
  }
}

/** A value is not of the type or size that was written, as the driver or the platform says it, or a checksum does not fit. */
function isUnreadable(error: unknown): boolean {
  if (error instanceof RowDamage || error instanceof RangeError) return true
  return error instanceof Error && 'code' in error && error.code === 'ERR_OUT_OF_RANGE'
}

function damaged(file: string, unavailable: ErrorCode, text: string, cause: unknown): LedgerError {
  if (unavailable === 'log_unavailable') return logDamaged(file, text, {}, cause)
  if (unavailable === 'decisions_unavailable') return decisionsDamaged(file, text, cause)
  if (isLockFile(file)) {
    const message = `The lock file ${file} cannot be used: ${text}; nothing is kept in it, so remove it`
    return new LedgerError('data_folder_unusable', message, { file }, cause)
  }
  return storeDamaged(file, text, cause)
}

/** Of a read model's file, or of the one that has the plan. */
export function storeDamaged(file: string, text: string, cause?: unknown): LedgerError {
  const instance = basename(file, '.sqlite')
  const repair =
    instance === 'control'
      ? `bring it back from a copy, or stop, remove the folder ${dirname(file)}, and start: read models are built again from the log`
      : repairOf(file)
  return new LedgerError(
    'store_damaged',
    `The database ${file} is damaged: ${text}; ${repair}`,
    { file, instance },
    cause,
  )
}

/** They lie beside the database that they guard, or beside none. */
function isLockFile(file: string): boolean {
  return !file.endsWith('.sqlite')
}

/** Opens a database in write-ahead mode: one writer and any number of readers, in any thread or process. */
export function openDatabase(settings: DatabaseSettings, unavailable: ErrorCode): DatabaseSync {
  const { file, readOnly = false } = settings
  return translated(file, unavailable, () => {
    if (file !== ':memory:' && !readOnly) createFolderOf(file)
    const database = new DatabaseSync(file, { readOnly, timeout: settings.busyTimeoutMs ?? 10_000 })
    try {
      configure(database, settings)
    } catch (error) {
      database.close()
      throw error
    }
    return database
  })
}

function configure(database: DatabaseSync, settings: DatabaseSettings): void {
  if (!settings.readOnly) {
    if (settings.pageBytes !== undefined) database.exec(`PRAGMA page_size = ${settings.pageBytes}`)
    database.exec('PRAGMA journal_mode = WAL')
    database.exec(`PRAGMA synchronous = ${settings.synchronous ?? 'NORMAL'}`)
    database.exec(`PRAGMA wal_autocheckpoint = ${settings.walPages ?? 4_000}`)
  }
  database.exec(`PRAGMA cache_size = -${Math.ceil((settings.cacheBytes ?? 16 << 20) / 1024)}`)
  database.exec('PRAGMA temp_store = MEMORY')
  // A torn page is told as that, instead of being read as if it were whole.
  database.exec('PRAGMA cell_size_check = ON')
}

/** Creates the folder that a file is to lie in. */
export function createFolderOf(file: string): void {
  const folder = dirname(file)
  try {
    createFolder(folder)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const message = `The folder ${folder} cannot be created: ${reason}; choose another one`
    throw new LedgerError('data_folder_unusable', message, { folder }, error)
  }
}

/**
 * Creates a folder with those above it, level by level: the recursive form of the platform never ends where a file
 * system says that a folder does not exist although the one above it does.
 */
export function createFolder(folder: string): void {
  if (existsSync(folder)) return
  const above = dirname(folder)
  if (!existsSync(above)) createFolder(above)
  try {
    mkdirSync(folder)
  } catch (error) {
    // Somebody else may have been faster.
    if (!existsSync(folder)) throw error
  }
}

/** Runs `work` in one write transaction: all of it, or nothing. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    database.exec('COMMIT')
    return result
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

/** Of the database as its connection sees it. */
export function fileBytes(database: DatabaseSync): number {
  const { page_count: pages } = database.prepare('PRAGMA page_count').get() as { page_count: number }
  const { page_size: bytes } = database.prepare('PRAGMA page_size').get() as { page_size: number }
  return pages * bytes
}
