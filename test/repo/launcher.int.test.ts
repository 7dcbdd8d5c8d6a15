import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { root } from '../cli/support.ts'

let launcher: ChildProcess | undefined

async function startChild(): Promise<number> {
  const started = spawn(
    process.execPath,
    [join(root, 'scripts', 'run.js'), join('test', 'repo', 'launcher-child.ts')],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  launcher = started
  const [line] = (await once(started.stdout, 'data')) as [Buffer]
  return Number(/pid (\d+)/.exec(line.toString())?.[1])
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

afterEach(() => {
  launcher?.kill('SIGKILL')
})

describe('launcher', () => {
  it('passes a signal on and ends with the exit code of the program', async () => {
    await startChild()
    launcher!.kill('SIGTERM')
    const [code] = (await once(launcher!, 'exit')) as [number]
    expect(code).toBe(7)
  })

  it('stops the program when npm is told to stop, whatever its shell does with the signal', async () => {
    // As npm does it: a shell between npm and the launcher, which alone gets the signal.
    const command = `"${process.execPath}" scripts/run.js test/repo/launcher-child.ts; exit $?`
    const shell = spawn('sh', ['-c', command], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, npm_lifecycle_event: 'start' },
    })
    const [line] = (await once(shell.stdout, 'data')) as [Buffer]
    const pid = Number(/pid (\d+)/.exec(line.toString())?.[1])
    shell.kill('SIGKILL')
    await expect.poll(() => isAlive(pid), { timeout: 5_000 }).toBe(false)
  })

  it('takes the program with it when it is killed', async () => {
    const pid = await startChild()
    expect(isAlive(pid)).toBe(true)
    launcher!.kill('SIGKILL')
    await once(launcher!, 'exit')
    await expect.poll(() => isAlive(pid), { timeout: 5_000 }).toBe(false)
  })

  it('says what an installation for production lacks, and never makes one for development of it', () => {
    const release = mkdtempSync(join(tmpdir(), 'ledger-release-'))
    onTestFinished(() => rmSync(release, { recursive: true, force: true }))
    for (const path of ['bin', 'scripts', 'package.json', 'package-lock.json'])
      cpSync(join(root, path), join(release, path), { recursive: true })
    mkdirSync(join(release, 'node_modules', 'fastify'), { recursive: true })
    const installed = { packages: { 'node_modules/fastify': { version: '5.0.0' } } }
    writeFileSync(join(release, 'node_modules', '.package-lock.json'), JSON.stringify(installed))
    writeFileSync(join(release, 'node_modules', 'fastify', 'package.json'), '{"version":"5.0.0"}')
    const { status, stderr } = spawnSync(process.execPath, [join(release, 'bin', 'ledger-history.js'), '--version'], {
      encoding: 'utf8',
    })
    expect(status).toBe(78)
    expect(stderr).toMatch(/^This installation for production lacks .*fastify \d.*npm ci --omit=dev/)
    expect(existsSync(join(release, 'node_modules', 'node'))).toBe(false)
  })

  it('runs on the Node of the machine, and installs nothing, where production dependencies alone are installed', () => {
    const release = mkdtempSync(join(tmpdir(), 'ledger-release-'))
    onTestFinished(() => rmSync(release, { recursive: true, force: true }))
    for (const path of ['bin', 'scripts', 'package.json', 'package-lock.json']) {
      cpSync(join(root, path), join(release, path), { recursive: true })
    }
    symlinkSync(join(root, 'src'), join(release, 'src'))
    const { dependencies, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>
      version: string
    }
    for (const name of Object.keys(dependencies)) {
      const path = join(release, 'node_modules', name)
      mkdirSync(join(path, '..'), { recursive: true })
      symlinkSync(join(root, 'node_modules', name), path)
    }
    const printed = execFileSync(process.execPath, [join(release, 'bin', 'ledger-history.js'), '--version'])
    expect(printed.toString().trim().split('+')[0]).toBe(version)
    expect(existsSync(join(release, 'node_modules', 'node'))).toBe(false)
  })
})
