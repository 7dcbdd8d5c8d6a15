import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Resident memory of another process; undefined once it is gone. Where the system shows it as no file, `ps` tells it. */
export async function residentBytes(pid: number): Promise<number | undefined> {
  try {
    if (process.platform !== 'linux')
      return 1024 * Number((await run('ps', ['-o', 'rss=', '-p', String(pid)])).stdout.trim())
    const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kibibytes === undefined ? undefined : 1024 * Number(kibibytes)
  } catch {
    return undefined
  }
}

/** How often to look: what looks costs a process of its own elsewhere. */
export const residentLookMs = process.platform === 'linux' ? 50 : 500
