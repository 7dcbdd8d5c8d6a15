import { createHash } from 'node:crypto'
import {
  closeSync,
  createReadStream,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { counted } from '#src/cli/counted.ts'
import { LedgerError } from '#src/domain/errors.ts'

/** Raised when the files of a backup change in a way that earlier releases cannot restore. */
const format = 1

export const manifestName = 'ledger-backup.json'

/** A log in a backup. Its file may hold more: what an interrupted backup has added since. */
export interface LoggedPart {
  /** Where it belongs in a data folder, such as `log/g2`. */
  readonly path: string
  /** Of the backup. */
  readonly file: string
  readonly identity: string
  /** Last event. */
  readonly last: number
  /** Whether it is a generation of the ledger's own log, and not what a read model publishes. */
  readonly isLedger: boolean
}

/** A file that a backup holds as it was. */
export interface CopiedPart {
  /** In a data folder, such as `store/blocks@1.sqlite`; in the backup below the folder of its set. */
  readonly path: string
  readonly bytes: number
  readonly sha256: string
}

/** What a backup is; it is one once its manifest is there. */
export interface Manifest {
  readonly format: number
  readonly network: string | null
  /** Of the data folder. */
  readonly dataFormat: number
  readonly takenAt: string
  /** Release that made it. */
  readonly codeVersion: string
  /** Folder of the files that are not logs. */
  readonly set: string
  readonly hasReadModels: boolean
  readonly logs: readonly LoggedPart[]
  readonly files: readonly CopiedPart[]
}

export function newManifest(parts: Omit<Manifest, 'format'>): Manifest {
  return { format, ...parts }
}

/** undefined where the folder holds no backup yet. */
export function readManifest(folder: string): Manifest | undefined {
  const file = join(folder, manifestName)
  if (!existsSync(file)) return undefined
  const manifest = parsed(file)
  if (manifest.format > format) {
    throw new LedgerError(
      'backup_unusable',
      `The backup in ${folder} was made by a newer release (format ${manifest.format}, this one knows up to ${format}); use that release (${manifest.codeVersion})`,
      { folder, format: manifest.format },
    )
  }
  return manifest
}

export function getManifest(folder: string): Manifest {
  const manifest = readManifest(folder)
  if (manifest) return manifest
  throw new LedgerError(
    'backup_unusable',
    `${folder} holds no backup: it has no ${manifestName}; name the folder that "ledger-history backup <folder>" was given`,
    { folder },
  )
}

function parsed(file: string): Manifest {
  try {
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as Partial<Manifest>
    if (typeof manifest.format === 'number' && Array.isArray(manifest.logs) && Array.isArray(manifest.files))
      return manifest as Manifest
  } catch (error) {
    throw unreadable(file, (error as Error).message, error)
  }
  throw unreadable(file, 'it does not say what there is')
}

function unreadable(file: string, why: string, cause?: unknown): LedgerError {
  const message = `The file ${file} cannot be read (${why}); take an older backup`
  return new LedgerError('backup_unusable', message, { file }, cause)
}

/** From here on the backup is this one. Whole or not at all, also when the power fails. */
export function writeManifest(folder: string, manifest: Manifest): void {
  const file = join(folder, manifestName)
  const draft = `${file}.tmp`
  writeFileSync(draft, `${JSON.stringify(manifest, null, 2)}\n`, { flush: true })
  renameSync(draft, file)
  syncFolder(folder)
}

/** A name that is new in a folder lasts once the folder is on the disk. */
export function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Of a file that is to last: it is on the disk then. */
export async function sealOf(file: string, path: string, signal: AbortSignal): Promise<CopiedPart> {
  const handle = openSync(file, 'r+')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  syncFolder(dirname(file))
  return hashed(file, path, signal)
}

/** Throws `backup_unusable` where the file is not the one that was sealed. */
export async function assertSealed(file: string, part: CopiedPart, signal: AbortSignal): Promise<void> {
  const why = existsSync(file) ? await differenceOf(file, part, signal) : 'it is missing'
  if (why === undefined) return
  const message = `The file ${file} of the backup is not what it was: ${why}; take another backup, or restore without read models where this is one of them`
  throw new LedgerError('backup_unusable', message, { file })
}

async function differenceOf(file: string, part: CopiedPart, signal: AbortSignal): Promise<string | undefined> {
  const { bytes, sha256 } = await hashed(file, part.path, signal)
  if (bytes !== part.bytes) return `it has ${bytes} bytes instead of ${part.bytes}`
  return sha256 === part.sha256 ? undefined : 'its SHA-256 is another one'
}

async function hashed(file: string, path: string, signal: AbortSignal): Promise<CopiedPart> {
  const hash = createHash('sha256')
  let bytes = 0
  const count = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      bytes += chunk.byteLength
      yield chunk
    }
  }
  await pipeline(createReadStream(file, { highWaterMark: 1 << 20 }), count, hash, { signal })
  return { path, bytes, sha256: hash.digest('hex') }
}

/** What a backup has, in words: only what it has. */
export function contentOf({ logs, files }: Manifest, hasReadModels: boolean, note = ''): string {
  const ledgers = logs.filter(({ isLedger }) => isLedger)
  const events = ledgers.reduce((sum, { last }) => sum + last, 0)
  const builds = files.filter(({ path }) => path.includes('@')).length
  const hasStore = ledgers.length > 0 || files.some(({ path }) => path.startsWith('store/'))
  const parts = [
    ...(ledgers.length === 0 ? [] : [`${counted(events, 'event')}${note}`]),
    ...(hasStore ? [hasReadModels ? `${counted(builds, 'build')} of read models` : 'no read models'] : []),
    ...(files.some(({ path }) => path.startsWith('decisions/')) ? ['the decisions'] : []),
  ]
  return new Intl.ListFormat('en').format(parts)
}
