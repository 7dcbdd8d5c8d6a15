import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { root } from '../cli/support.ts'

const soon = { timeout: 20_000, interval: 20 }
let checkout: string
const commands: ChildProcess[] = []

/** In place of npm: says when it begins and ends, takes a while, and brings this Node as the one that is pinned. */
const npm = `#!/bin/sh
echo "begins $$" >> npm.log
while [ -e hold ]; do sleep 0.05; done
mkdir -p node_modules/node/bin
ln -sf "${process.execPath}" node_modules/node/bin/node
echo "ends $$" >> npm.log
`

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'ledger-checkout-'))
  for (const path of ['scripts', 'package.json', 'package-lock.json'])
    cpSync(join(root, path), join(checkout, path), { recursive: true })
  mkdirSync(join(checkout, 'tools'))
  writeFileSync(join(checkout, 'tools', 'npm'), npm, { mode: 0o755 })
  writeFileSync(join(checkout, 'program.js'), 'console.log("ran")\n')
  writeFileSync(join(checkout, 'hold'), '')
})
afterEach(async () => {
  rmSync(join(checkout, 'hold'), { force: true })
  for (const child of commands.splice(0)) child.kill('SIGKILL')
  await vi.waitFor(() => expect(existsSync(lock())).toBe(false), soon)
  rmSync(checkout, { recursive: true, force: true })
})

function logged(what: 'begins' | 'ends'): number[] {
  const path = join(checkout, 'npm.log')
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []
  return lines.filter((line) => line.startsWith(what)).map((line) => Number(line.split(' ')[1]))
}

const lock = () => join(checkout, '.cache', 'installing')

function command() {
  const child = spawn(process.execPath, [join('scripts', 'run.js'), 'program.js'], {
    cwd: checkout,
    env: { PATH: [join(checkout, 'tools'), process.env['PATH']].join(delimiter) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  commands.push(child)
  const said = { out: '', err: '' }
  child.stdout.on('data', (chunk) => (said.out += chunk))
  child.stderr.on('data', (chunk) => (said.err += chunk))
  const ended = once(child, 'close').then(([code]) => ({ code, ...said }))
  return { child, said, ended }
}

const waits = /^Another command installs the pinned dependencies here; waiting for it \.\.\.\n$/

it('of commands that begin at the same moment on a fresh clone one installs, and the others wait for it', async () => {
  const all = [command(), command(), command()]
  await vi.waitFor(() => expect(all.filter(({ said }) => waits.test(said.err))).toHaveLength(2), soon)
  expect(logged('begins')).toHaveLength(1)
  rmSync(join(checkout, 'hold'))
  for (const { ended } of all) expect(await ended).toMatchObject({ code: 0, out: 'ran\n' })
  expect(logged('begins')).toHaveLength(1)
  expect(existsSync(lock())).toBe(false)
})

it('the installation of a command that was killed goes on, and whoever comes after it waits for that', async () => {
  const killed = command()
  await vi.waitFor(() => expect(logged('begins')).toHaveLength(1), soon)
  killed.child.kill('SIGKILL')
  await once(killed.child, 'exit')
  const next = command()
  await vi.waitFor(() => expect(next.said.err).toMatch(waits), soon)
  rmSync(join(checkout, 'hold'))
  expect(await next.ended).toMatchObject({ code: 0, out: 'ran\n' })
  expect(logged('begins')).toHaveLength(1)
})

it('is taken over at once where nobody lives who installed', async () => {
  const killed = command()
  await vi.waitFor(() => expect(logged('begins')).toHaveLength(1), soon)
  const installer = Number(readFileSync(lock(), 'utf8').split(':')[0])
  for (const pid of [killed.child.pid!, installer, logged('begins')[0]!]) process.kill(pid, 'SIGKILL')
  rmSync(join(checkout, 'hold'))
  const both = [command(), command()]
  for (const { ended } of both) expect(await ended).toMatchObject({ code: 0, out: 'ran\n' })
  expect(logged('begins')).toHaveLength(2)
})

it('says what failed, and leaves the next command free to try again', async () => {
  writeFileSync(join(checkout, 'tools', 'npm'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
  const failed = await command().ended
  expect(failed.code).toBe(1)
  expect(failed.err).toMatch(
    /^Installing .*\nnpm install failed in .*; see its message above, then run the same command again\n$/,
  )
  writeFileSync(join(checkout, 'tools', 'npm'), npm, { mode: 0o755 })
  rmSync(join(checkout, 'hold'))
  expect(await command().ended).toMatchObject({ code: 0, out: 'ran\n' })
})
