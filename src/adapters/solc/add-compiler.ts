import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { addedFile } from '#src/adapters/solc/compiler-files.ts'
import { getRelease, type Release } from '#src/adapters/solc/releases.ts'
import { LedgerError } from '#src/domain/errors.ts'

const run = promisify(execFile)

export interface AddCompilerOptions {
  /** Where added compilers are. */
  readonly folder: string
  readonly version: string
  /** A `soljson.js` that is here already; otherwise npm fetches it. */
  readonly file: string | undefined
  readonly signal: AbortSignal
}

/**
 * Adds a release of the compiler and resolves with its path. It is kept only with the sha256 that is pinned for it, wherever it
 * comes from.
 */
export async function addCompiler({ folder, version, file, signal }: AddCompilerOptions): Promise<string> {
  const release = getRelease(version)
  const bytes = file === undefined ? await fetchRelease(release, signal) : await readFile(file).catch(unreadable(file))
  const found = createHash('sha256').update(bytes).digest('hex')
  if (found !== release.sha256) {
    const origin = file ?? `soljson.js of the package solc@${release.packageVersion}`
    const message = `${origin} has sha256 ${found}, and that of ${release.longVersion} is ${release.sha256}; nothing was added`
    throw new LedgerError('compiler_damaged', message, { sha256: found })
  }
  const path = addedFile(folder, release)
  await mkdir(folder, { recursive: true })
  const draft = `${path}.${process.pid}.tmp`
  await writeFile(draft, bytes, { flush: true })
  await rename(draft, path)
  return path
}

/** With npm, so that its settings count: registry, proxy, certificates. */
async function fetchRelease({ packageVersion }: Release, signal: AbortSignal): Promise<Buffer> {
  const name = `solc@${packageVersion}`
  const folder = await mkdtemp(join(tmpdir(), 'ledger-history-compiler-'))
  const flags = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const isWindows = process.platform === 'win32'
  try {
    await run(isWindows ? 'npm.cmd' : 'npm', ['install', ...flags, '--prefix', folder, name], {
      signal,
      cwd: folder,
      shell: isWindows,
    })
    return await readFile(join(folder, 'node_modules', 'solc', 'soljson.js'))
  } catch (error) {
    signal.throwIfAborted()
    const { stderr = '', message } = error as Error & { readonly stderr?: string }
    const why = stderr.trim().split('\n')[0] || message
    const remedy = 'or take a soljson.js from elsewhere with --file'
    throw new LedgerError(
      'source_unavailable',
      `npm could not install ${name} (${why}); try again, ${remedy}`,
      {},
      error,
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function unreadable(file: string): (error: Error) => never {
  return (error) => {
    throw new LedgerError('config_invalid', `${file} cannot be read (${error.message})`, { file }, error)
  }
}
