// Plain JavaScript for any Node >= 20: what the lock file pins, in this checkout.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { takeLock } from './install-lock.js'

const self = fileURLToPath(import.meta.url)
export const root = dirname(dirname(self))
export const node24 = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
const stamp = join(root, 'node_modules', '.ledger-history-installed')
const lockPath = join(root, '.cache', 'installing')

function pinned() {
  const hash = createHash('sha256')
  for (const file of ['package.json', 'package-lock.json']) hash.update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

const isInstalled = () => existsSync(stamp) && existsSync(node24) && readFileSync(stamp, 'utf8') === pinned()

/** Whether somebody is at it, or was killed while at it: what is there may be half of it. */
export const isInstalling = () => existsSync(lockPath)

/**
 * Installs the pinned dependencies unless this checkout has exactly them. Of several commands that begin at once, one does it for all.
 * In a process of its own: where the command is killed, the installation goes on, and others wait for it.
 */
export async function ensureInstalled() {
  if (isInstalled()) return
  const child = spawn(process.execPath, [self], { stdio: ['ignore', 2, 2] })
  const [status] = await once(child, 'exit')
  if (status !== 0) process.exit(1)
}

async function installInTurn() {
  const lock = await takeLock(lockPath, () =>
    console.error('Another command installs the pinned dependencies here; waiting for it ...'),
  )
  try {
    if (!isInstalled()) await install(lock)
  } catch (error) {
    console.error(error.message)
    process.exitCode = 1
  } finally {
    lock.release()
  }
}

async function install(lock) {
  console.error('Installing the pinned dependencies (once) ...')
  const wanted = pinned()
  // Not `npm ci`, which refuses what a mirror does not tell of other platforms: docs/decisions/0006-npm-install-not-ci.md
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const child = spawn(npm, ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  })
  const ended = once(child, 'exit').catch((error) => [error.message])
  if (child.pid !== undefined) lock.shareWith(child.pid)
  const [status] = await ended
  if (status !== 0) {
    throw new Error(`npm install failed in ${root}; see its message above, then run the same command again`)
  }
  if (!existsSync(node24)) {
    throw new Error(
      `npm installed no Node 24 at ${node24}; run "npm rebuild node" in ${root}, then the same command again`,
    )
  }
  writeFileSync(stamp, wanted)
}

if (process.argv[1] === self) await installInTurn()
