import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { root } from '../cli/support.ts'

let launcher: ChildProcess

async function startChild(): Promise<number> {
  launcher = spawn(process.execPath, [join(root, 'scripts', 'run.js'), join('test', 'repo', 'launcher-child.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(launcher.stdout!, 'data')) as [Buffer]
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
  launcher.kill('SIGKILL')
})

describe('launcher', () => {
  it('passes a signal on and ends with the exit code of the program', async () => {
    await startChild()
    launcher.kill('SIGTERM')
    const [code] = (await once(launcher, 'exit')) as [number]
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
    launcher.kill('SIGKILL')
    await once(launcher, 'exit')
    await expect.poll(() => isAlive(pid), { timeout: 5_000 }).toBe(false)
  })
})
