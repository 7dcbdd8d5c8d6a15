import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '#test/cli/support.ts'

const run = promisify(execFile)
const cache = join(root, '.cache')
const installTimeoutMs = 180_000

/** Packages that somebody else publishes, in a folder of their own that is kept; or why they cannot be had here. */
export type NpmTool = { readonly modules: string } | { readonly missing: string }

/** `packages` as npm installs them: name and exact version of each. */
export async function findNpmTool(packages: readonly string[]): Promise<NpmTool> {
  const folder = join(cache, `npm-${packages.join('-').replace(/[^\w.]+/g, '-')}`)
  const modules = join(folder, 'node_modules')
  if (existsSync(modules)) return { modules }
  const draft = `${folder}.${process.pid}`
  const flags = ['--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  try {
    mkdirSync(draft, { recursive: true })
    await run('npm', ['install', ...flags, '--prefix', draft, ...packages], { cwd: draft, timeout: installTimeoutMs })
    rmSync(folder, { recursive: true, force: true })
    renameSync(draft, folder)
    return { modules }
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    const { message, stderr } = error as Error & { stderr?: string }
    const why = stderr?.trim().split('\n')[0] || message.split('\n')[0]
    return { missing: `npm cannot install ${packages.join(' and ')} (${why})` }
  }
}
