import {
  accessSync,
  constants,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { createFolder } from '#src/adapters/sqlite/database.ts'
import { type FileLock, takeFileLock } from '#src/adapters/sqlite/file-lock.ts'
import { isUnusedLog } from '#src/cli/unused-log.ts'
import type { Config } from '#src/config/schema.ts'
import { LedgerError } from '#src/domain/errors.ts'

/** Raised when the files of a data folder change in a way that older versions cannot read. */
export const dataFormat = 1

export const dataMarkerName = 'ledger-data.json'
export const dataLockName = 'ledger-data.lock'
/** What a data folder may hold before it is marked: its own parts, and what a new file system begins with. */
const knownNames = new Set(['log', 'store', 'decisions', 'network', 'compilers', 'lost+found'])
/** Marker and lock come with files of their own while they are made. */
const knownBeginnings = [dataMarkerName, dataLockName] as const

/** What the marker file says of a data folder. */
export interface DataMarker {
  readonly format: number
  readonly network: string
}

export interface DataFolder {
  readonly path: string
  readonly log: string
  readonly store: string
  /** Where the embedded decision store is. */
  readonly decisions: string
  /** Where a simulated network writes its record files. */
  readonly network: string
  /** The network is null where nothing is kept here and nobody said which: the log knows. */
  readonly marker: Omit<DataMarker, 'network'> & { readonly network: string | null }
}

type MarkedDataFolder = DataFolder & { readonly marker: DataMarker }

function foldersOf<M extends DataFolder['marker']>(path: string, marker: M): DataFolder & { readonly marker: M } {
  const [log, store, decisions, network] = ['log', 'store', 'decisions', 'network'].map((name) => join(path, name))
  return { path, log: log!, store: store!, decisions: decisions!, network: network!, marker }
}

/** Where log and stores would be in a data folder, for a verb that opens neither. */
export function folderPaths({ data }: Pick<Config, 'data'>): Pick<DataFolder, 'log' | 'store' | 'decisions'> {
  const path = resolve(data)
  return { log: join(path, 'log'), store: join(path, 'store'), decisions: join(path, 'decisions') }
}

/** Where compilers are that an operator adds, whatever engines log and stores have. */
export function compilersFolder({ data }: Pick<Config, 'data'>): string {
  return join(resolve(data), 'compilers')
}

/** Whether nothing is kept in the data folder but, where it is the source, the simulated network. */
export function usesNoDataFolder({ engine }: Pick<Config, 'engine'>): boolean {
  return engine.log !== 'embedded' && engine.store !== 'embedded'
}

/**
 * The data folder of a deployment for one verb. `create` makes and marks it where it is new, `existing` refuses where there
 * is none. Where both engines are elsewhere the disk is not touched, and only the paths and the network's name are told.
 * `network` is what the source says, undefined where the verb has none; then the configured name counts.
 */
export function folderOf(
  config: Pick<Config, 'data' | 'network' | 'engine'>,
  network: string | undefined,
  mode: 'existing' | 'create',
): DataFolder {
  const name = network ?? config.network
  if (usesNoDataFolder(config)) return foldersOf(resolve(config.data), { format: dataFormat, network: name })
  if (mode === 'existing') return openExistingDataFolder(config.data, name)
  if (name === null) throw new Error('a new data folder needs the name of its network')
  return openDataFolder(config.data, name)
}

/**
 * Opens a data folder for writing, creating and marking it when it is new. Changes nothing when it refuses: a folder of
 * another network or a newer version, one that holds other things than ours, one that cannot be written to. A folder
 * without any block belongs to no network yet, whatever a start that failed has marked it with: it begins anew.
 */
export function openDataFolder(folder: string, network: string): MarkedDataFolder {
  const path = prepareFolder(folder, network)
  const known = readMarker(path)
  if (known?.network === network) return foldersOf(path, known)
  if (known) discardUnused(foldersOf(path, known))
  const marker = { format: dataFormat, network }
  writeMarker(path, marker)
  return foldersOf(path, marker)
}

export interface ClaimedDataFolder {
  readonly folder: DataFolder
  readonly lock: FileLock
}

/**
 * Opens a data folder for a process that runs everything in it, and keeps others of that kind out until the lock is
 * released or the process ends. Throws `data_folder_busy` while another one has it.
 */
export function claimDataFolder(folder: string, network: string): ClaimedDataFolder {
  const path = prepareFolder(folder, network)
  const lock = takeFileLock(join(path, dataLockName), (cause) => inUse(path, cause))
  try {
    // Looks again: the folder may have been marked before the lock was taken.
    return { folder: openDataFolder(path, network), lock }
  } catch (error) {
    lock.release()
    throw error
  }
}

function inUse(path: string, cause: unknown): LedgerError {
  return new LedgerError(
    'data_folder_busy',
    `The data folder ${path} is in use by another "ledger-history start"; stop that one, or choose another folder with --data`,
    { path },
    cause,
  )
}

/** The folder's path, once it exists, may be written to, and is ours or empty. */
function prepareFolder(folder: string, network: string): string {
  const path = resolve(folder)
  const known = readMarker(path)
  if (known) assertUsable(path, known, isUnused(path, known, network) ? null : network)
  else makeFolder(path)
  assertWritable(path)
  if (!known) assertNothingForeign(path)
  return path
}

function isUnused(path: string, marker: DataMarker, network: string): boolean {
  if (marker.format > dataFormat || marker.network === network) return false
  return isUnusedLog(foldersOf(path, marker))
}

/** The log last: read models that are ahead of their log would be refused. */
function discardUnused({ path, store, log }: DataFolder): void {
  try {
    for (const folder of [store, log]) rmSync(folder, { recursive: true, force: true })
  } catch (error) {
    throw unusable(path, `what another network began in it cannot be removed (${(error as Error).message})`, error)
  }
}

function assertNothingForeign(path: string): void {
  const isKnown = (name: string) =>
    knownNames.has(name) || knownBeginnings.some((beginning) => name.startsWith(beginning))
  const foreign = readdirSync(path).find((name) => !isKnown(name))
  if (foreign === undefined) return
  throw unusable(path, `it is not a data folder and not empty (it holds ${foreign})`)
}

/** Opens a data folder that must exist; `network` is compared where it is known. */
export function openExistingDataFolder(folder: string, network: string | null): MarkedDataFolder {
  const path = resolve(folder)
  const marker = readMarker(path)
  if (!marker) {
    throw new LedgerError(
      'data_folder_unusable',
      `${path} holds no ledger data; name the folder with --data, or fill it with "ledger-history start"`,
      { path },
    )
  }
  assertUsable(path, marker, network)
  const folders = foldersOf(path, marker)
  // Also who only reads writes beside what it reads: where it stands, that it lives, what it has seen of the log.
  for (const part of [path, folders.log, folders.store]) if (existsSync(part)) assertWritable(part)
  return folders
}

function readMarker(path: string): DataMarker | undefined {
  const file = join(path, dataMarkerName)
  if (!existsSync(file)) return undefined
  try {
    const marker = JSON.parse(readFileSync(file, 'utf8')) as Partial<DataMarker>
    if (typeof marker.format === 'number' && typeof marker.network === 'string') return marker as DataMarker
  } catch (error) {
    throw unusable(path, `${dataMarkerName} in it cannot be read (${(error as Error).message})`, error)
  }
  throw unusable(path, `${dataMarkerName} in it does not say format and network`)
}

/** Of a data folder, or of a backup of one. */
export function assertFormatKnown(path: string, format: number): void {
  if (format <= dataFormat) return
  throw new LedgerError(
    'data_folder_newer',
    `The data folder ${path} was written by a newer version (format ${format}, this version knows up to ${dataFormat}); update this checkout, or choose another folder with --data`,
    { path, format, formatMax: dataFormat },
  )
}

/** Makes a folder whose files are whole the data folder of a network. */
export function markDataFolder(path: string, network: string): void {
  writeMarker(path, { format: dataFormat, network })
}

function assertUsable(path: string, marker: DataMarker, network: string | null): void {
  assertFormatKnown(path, marker.format)
  if (network !== null && marker.network !== network) {
    throw new LedgerError(
      'data_folder_other_network',
      `The data folder ${path} belongs to the network "${marker.network}", not to "${network}"; choose another folder with --data, or another network with --network`,
      { path, network, found: marker.network },
    )
  }
}

function makeFolder(path: string): void {
  try {
    createFolder(path)
  } catch (error) {
    throw unusable(path, `it cannot be created (${(error as Error).message})`, error)
  }
}

function assertWritable(path: string): void {
  try {
    accessSync(path, constants.W_OK | constants.X_OK)
  } catch (error) {
    const isReadOnly = (error as NodeJS.ErrnoException).code === 'EROFS'
    const why = isReadOnly ? 'it is read-only' : 'it cannot be written to'
    throw unusable(
      path,
      `${why}, and readers keep locks and notes there, too`,
      error,
      'make it writable, or choose another with --data',
    )
  }
}

/** Whole or not at all: a crash leaves the old file or none. */
function writeMarker(path: string, marker: DataMarker): void {
  const file = join(path, dataMarkerName)
  const draft = `${file}.${process.pid}.tmp`
  try {
    writeFileSync(draft, `${JSON.stringify(marker, null, 2)}\n`, { flush: true })
    renameSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') {
      throw new LedgerError(
        'disk_full',
        `The disk under ${path} is full; free space there and start again`,
        { path },
        error,
      )
    }
    throw unusable(path, `it cannot be written to (${(error as Error).message})`, error)
  }
}

function unusable(path: string, why: string, cause?: unknown, remedy = 'choose another with --data'): LedgerError {
  return new LedgerError(
    'data_folder_unusable',
    `The data folder ${path} is unusable: ${why}; ${remedy}`,
    { path },
    cause,
  )
}
