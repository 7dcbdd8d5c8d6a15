import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type Release, releaseNamed, releases } from '#src/adapters/solc/releases.ts'
import { LedgerError } from '#src/domain/errors.ts'
import type { Compiler } from '#src/ports/compilers.ts'

export interface CompilerFile extends Compiler {
  readonly path: string
}

const { resolve } = createRequire(import.meta.url)

/** Where a compiler is that an operator adds. */
export function addedFile(folder: string, { longVersion }: Release): string {
  return join(folder, `soljson-v${longVersion}.js`)
}

/** Everything that is there, oldest first. */
export function findCompilers(folder: string): CompilerFile[] {
  return releases.flatMap((release) => findFile(folder, release) ?? [])
}

/** The file of a version; throws `compiler_missing` with what to do about it. */
export function getCompilerFile(folder: string, wanted: string): CompilerFile {
  const release = releaseNamed(wanted)
  if (release === undefined) throw missing(wanted, noRelease(wanted))
  const file = findFile(folder, release)
  if (file) return file
  throw missing(wanted, `run "ledger-history verification compilers add ${release.version}"`)
}

function findFile(folder: string, release: Release): CompilerFile | undefined {
  const { version, longVersion, sha256 } = release
  const added = addedFile(folder, release)
  if (existsSync(added)) return { version, longVersion, sha256, origin: 'added', path: added }
  const bundled = bundledFile(version)
  return bundled === undefined ? undefined : { version, longVersion, sha256, origin: 'bundled', path: bundled }
}

/** Compilers that npm installed are packages named by their version; one that it was told to omit is not there. */
function bundledFile(version: string): string | undefined {
  try {
    return resolve(`solc-${version}/soljson.js`)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}

function noRelease(wanted: string): string {
  const release = releaseNamed(wanted.replace(/\+.*/, ''))
  if (release !== undefined)
    return `release ${release.version} is ${release.longVersion}, and other builds of it are not known`
  const [first, last] = [releases[0], releases.at(-1)]
  return `releases ${first?.version} to ${last?.version} can be added, and nightly builds cannot`
}

function missing(wanted: string, remedy: string): LedgerError {
  return new LedgerError('compiler_missing', `Compiler ${wanted} is not here; ${remedy}`, { version: wanted })
}
