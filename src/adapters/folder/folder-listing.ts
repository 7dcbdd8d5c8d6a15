import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { StreamObject } from '#src/ports/stream-source.ts'

interface CachedFolder {
  /** Ascending by their bytes. */
  readonly names: readonly string[]
  readonly modified: bigint
  after: string
}

const dayPattern = /^\d{4}-\d\d-\d\d$/
const foldersMax = 1_000

/**
 * Lists folders in the order of an object store. The names of a folder are kept: reading a folder of 100,000 files again
 * for every few of them would cost more than the files. Calls are synchronous: the importer has a thread of its own, and a
 * thread pool's round trip costs several times what the call does.
 */
export class FolderListing {
  readonly #root: string
  readonly #folders = new Map<string, CachedFolder>()

  constructor(root: string) {
    this.#root = root
  }

  list(folder: string, after: string, countMax: number): StreamObject[] {
    const objects = this.#listPlain(folder, after, countMax)
    return objects.length > 0 ? objects : this.#listDays(folder, after, countMax)
  }

  /** Full path of a file that was listed: directly below the root, or in the folder of its day. */
  locate(path: string): string {
    const plain = join(this.#root, path)
    const day = path.slice(path.lastIndexOf('/') + 1, path.lastIndexOf('/') + 11)
    if (!dayPattern.test(day) || isFile(plain)) return plain
    return join(this.#root, day, path)
  }

  #listDays(folder: string, after: string, countMax: number): StreamObject[] {
    const days = this.#names('', after).filter((name) => dayPattern.test(name) && name >= after.slice(0, 10))
    const objects: StreamObject[] = []
    for (const day of days) {
      if (objects.length >= countMax) break
      objects.push(...this.#listPlain(`${day}/${folder}`, after, countMax - objects.length))
    }
    return objects
  }

  #listPlain(folder: string, after: string, countMax: number): StreamObject[] {
    const names = this.#names(folder, after, countMax)
    const objects: StreamObject[] = []
    for (let at = firstAfter(names, after); at < names.length && objects.length < countMax; at++) {
      const name = names[at] as string
      const found = statSync(join(this.#root, folder, name), { throwIfNoEntry: false })
      if (found?.isFile()) objects.push({ name, size: found.size })
    }
    return objects
  }

  /** Reads the folder again when it changed and the kept names are nearly used up, or the caller waits at one place. */
  #names(folder: string, after: string, countMax = 1): readonly string[] {
    const kept = this.#folders.get(folder)
    if (kept && kept.after !== after && kept.names.length - firstAfter(kept.names, after) >= countMax) {
      kept.after = after
      return kept.names
    }
    const path = join(this.#root, folder)
    const found = statSync(path, { bigint: true, throwIfNoEntry: false })
    if (!found?.isDirectory()) return []
    if (kept?.modified === found.mtimeNs) return kept.names
    const names = readdirSync(path).sort(compareBytes)
    if (this.#folders.size >= foldersMax) this.#folders.clear()
    // A folder that changes within one tick of its clock looks unchanged, so a fresh one is not trusted yet.
    const settled = BigInt(Date.now()) * 1_000_000n - found.mtimeNs > 2_000_000_000n
    this.#folders.set(folder, { names, modified: settled ? found.mtimeNs : -1n, after })
    return names
  }
}

/** Index of the first name behind the text. */
function firstAfter(names: readonly string[], after: string): number {
  let low = 0
  let high = names.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareBytes(names[middle] as string, after) > 0) high = middle
    else low = middle + 1
  }
  return low
}

/** Names of stream files are plain ASCII, where the order of code units is that of the bytes. */
function compareBytes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}
