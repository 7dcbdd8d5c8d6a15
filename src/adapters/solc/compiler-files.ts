import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { getRelease, type Release, releases } from '#src/adapters/solc/releases.ts'
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
  const release = getRelease(wanted)
  const file = findFile(folder, release)
  if (file) return file
  const message = `Compiler ${wanted} is not here; run "ledger-history verification compilers add ${release.version}"`
  throw new LedgerError('compiler_missing', message, { version: wanted })
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
