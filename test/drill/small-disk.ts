import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, rmdirSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A file system of a limited size, in memory. */
export interface SmallDisk {
  readonly path: string
  /** Leaves so many bytes free; everything but that is taken. */
  fill(leave?: number): void
  /** Gives back what `fill` took. */
  free(): void
  unmount(): void
}

const fillerName = 'filler'
const blockBytes = 4_096

/** Why none can be had here; undefined where it can. */
export const whyNoDisk: string | undefined = probe()

export function mountSmallDisk(path: string, bytes: number): SmallDisk {
  mkdirSync(path, { recursive: true })
  mount(path, bytes)
  const filler = join(path, fillerName)
  return {
    path,
    fill(leave = 0) {
      const { bavail, bsize } = statfsSync(path)
      const file = openSync(filler, 'a')
      try {
        const block = Buffer.alloc(blockBytes)
        for (let left = bavail * bsize - leave; left >= blockBytes; left -= blockBytes) writeSync(file, block)
      } catch (error) {
        // Somebody else was faster: then it is full.
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      } finally {
        closeSync(file)
      }
    },
    free: () => rmSync(filler, { force: true }),
    // Also while somebody looks at it.
    unmount: () => void spawnSync('umount', ['-l', path]),
  }
}

function mount(path: string, bytes: number): void {
  const { status, stderr, error } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes},mode=0777`, 'none', path])
  if (status !== 0) throw new Error(`nothing can be mounted here: ${error?.message ?? String(stderr).trim()}`)
}

function probe(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'ledger-mount-'))
  try {
    mount(folder, blockBytes)
    spawnSync('umount', ['-l', folder])
    return undefined
  } catch (error) {
    return (error as Error).message
  } finally {
    rmdirSync(folder)
  }
}
