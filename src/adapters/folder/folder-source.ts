import { closeSync, type FSWatcher, fstatSync, openSync, readdirSync, readFileSync, statSync, watch } from 'node:fs'
import { join } from 'node:path'
import { FolderListing } from '#src/adapters/folder/folder-listing.ts'
import { LedgerError } from '#src/domain/errors.ts'
import type { FetchOptions, ListOptions, StreamObject, StreamSource } from '#src/ports/stream-source.ts'

export interface FolderSourceOptions {
  /** Absolute path of the folder that stands for the bucket. */
  readonly folder: string
}

/** Nodes of the largest networks, with room. */
const watchersMax = 100

/** A folder that is laid out like a bucket, at once or with a folder per day (`2022-07-13/`) on top. */
export function openFolderSource({ folder }: FolderSourceOptions): StreamSource {
  return new FolderSource(folder)
}

class FolderSource implements StreamSource {
  readonly description: string
  readonly #root: string
  readonly #listing: FolderListing
  readonly #listed = new Set<string>()
  readonly #watchers = new Map<string, FSWatcher>()
  #wake: (() => void) | undefined
  #changed = false
  /** A folder that never was may still come; one that was and is not any more is worth an error. */
  #wasThere = false

  constructor(root: string) {
    this.description = root
    this.#root = root
    this.#listing = new FolderListing(root)
  }

  async list({ folder, after, countMax }: ListOptions): Promise<readonly StreamObject[]> {
    try {
      const objects = this.#listing.list(folder, after, countMax)
      if (objects.length > 0) this.#listed.add(folder)
      else this.#assertStillThere()
      return objects
    } catch (error) {
      throw this.#unavailable(folder, error)
    }
  }

  async listFolders(folder: string, countMax: number): Promise<readonly string[]> {
    try {
      const entries = readdirSync(join(this.#root, folder), { withFileTypes: true })
      const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
      return names.sort().slice(0, countMax)
    } catch (error) {
      if (isMissing(error)) return []
      throw this.#unavailable(folder, error)
    }
  }

  async fetch(path: string, { bytesMax }: FetchOptions): Promise<Uint8Array | undefined> {
    try {
      return this.#read(this.#listing.locate(path), path, bytesMax)
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error instanceof LedgerError ? error : this.#unavailable(path, error)
    }
  }

  async waitForChange(milliseconds: number, signal?: AbortSignal): Promise<void> {
    this.#watch()
    if (this.#changed || signal?.aborted) {
      this.#changed = false
      return
    }
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', done)
        this.#wake = undefined
        this.#changed = false
        resolve()
      }
      const timer = setTimeout(done, milliseconds)
      signal?.addEventListener('abort', done, { once: true })
      this.#wake = done
    })
  }

  async close(): Promise<void> {
    for (const folder of [...this.#watchers.keys()]) this.#forget(folder)
    this.#wake?.()
  }

  #assertStillThere(): void {
    if (folderExists(this.#root)) this.#wasThere = true
    else if (this.#wasThere || this.#listed.size > 0) throw new Error('the folder was there and is gone')
  }

  #read(file: string, path: string, bytesMax: number): Uint8Array {
    const handle = openSync(file, 'r')
    try {
      const { size } = fstatSync(handle)
      if (size > bytesMax) throw tooLarge(this.#root, path, size, bytesMax)
      return readFileSync(handle)
    } finally {
      closeSync(handle)
    }
  }

  /**
   * Watching is a hint that spares waiting; where the system cannot watch, polling alone does. Only the folders that are
   * listed are watched: a recursive watch costs a handle per file.
   */
  #watch(): void {
    for (const folder of ['', ...this.#listed]) {
      if (this.#watchers.has(folder) || this.#watchers.size >= watchersMax) continue
      try {
        const watcher = watch(join(this.#root, folder), { persistent: false }, () => {
          this.#changed = true
          this.#wake?.()
        })
        watcher.on('error', () => this.#forget(folder))
        this.#watchers.set(folder, watcher)
      } catch {
        // No folder yet, or no watches left: the caller's polling finds the files.
      }
    }
  }

  #forget(folder: string): void {
    this.#watchers.get(folder)?.close()
    this.#watchers.delete(folder)
  }

  #unavailable(path: string, cause: unknown): LedgerError {
    const reason = (cause as Error).message
    return new LedgerError(
      'source_unavailable',
      `${join(this.#root, path)} cannot be read (${reason}); check that the folder is there and readable`,
      { source: this.#root, path },
      cause,
    )
  }
}

/** Whether the folder is there at all; a missing one is worth an error before the import begins. */
export function folderExists(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true
}

function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code
  return code === 'ENOENT' || code === 'ENOTDIR'
}

function tooLarge(source: string, path: string, size: number, bytesMax: number): LedgerError {
  return new LedgerError(
    'source_unavailable',
    `${path} has ${size} bytes, more than the limit of ${bytesMax}; no stream file is that large, so remove it`,
    { source, path, size, bytesMax },
  )
}
