import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '#test/support/temporary-folder.ts'
import { inherited, Program, root } from './support.ts'

const start = ['start', '--port', '0', '--block-seconds', '0.2', '--accounts', '20', '--nodes', '3']
/** Stages of a start: the network, the import, read models, what serves. On a busy machine the last two may come in parts. */
const logLinesMax = 8
/** Of util-linux, which gives a program a terminal of its own. */
const hasScript = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') ?? false
const without = hasScript ? '' : ' (skipped: no "script" of util-linux)'
if (!hasScript) console.log(`The first minute on a terminal:${without}`)

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let child: ChildProcess | undefined
beforeEach(async () => {
  folder = await temporaryFolder()
})
afterEach(async () => {
  child?.kill('SIGKILL')
  child = undefined
  await folder.remove()
})

/** All that a terminal was sent until the last line of the banner, a line each, rewritten ones too. */
async function firstMinuteOnTerminal(): Promise<string[]> {
  const program = [process.execPath, '--disable-warning=ExperimentalWarning', join(root, 'src', 'cli', 'main.ts')]
  const command = ['exec', ...program, ...start].map((word) => word.replace(/^(.*\s.*)$/, '"$1"')).join(' ')
  const terminal = spawn('script', ['-qefc', command, '/dev/null'], {
    cwd: folder.path,
    env: { ...inherited(), TERM: 'xterm', COLUMNS: '120' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child = terminal
  const ended = once(terminal, 'close')
  let text = ''
  await new Promise<void>((resolve, reject) => {
    terminal.stdout.on('data', (chunk) => {
      text += chunk
      if (text.includes('Stop with Ctrl-C')) resolve()
    })
    terminal.once('exit', () => reject(new Error(`ended before it ran:\n${text}`)))
  })
  // As a person would.
  terminal.stdin.write('\u0003')
  expect(await ended).toEqual([0, null])
  return stripVTControlCharacters(text).split(/[\r\n]+/)
}

describe('the first minute', () => {
  it.skipIf(!hasScript)(`is a line for each stage on a terminal${without}`, async () => {
    const lines = await firstMinuteOnTerminal()
    const logged = lines.filter((line) => /^\[\d\d:\d\d:\d\d\] /.test(line))
    expect(logged.length).toBeGreaterThan(1)
    expect(logged.length, logged.join('\n')).toBeLessThanOrEqual(logLinesMax)
    expect(lines.filter((line) => line.startsWith('{'))).toEqual([])
  })

  it('is JSON alone where a program reads it, and the banner is on standard output', async () => {
    const program = new Program(start, { cwd: folder.path })
    await program.printed(/Stop with Ctrl-C/)
    const { code, out, err } = await program.stop('SIGINT')
    expect(code, err).toBe(0)
    expect(out).toMatch(/^ledger-history is running/)
    const entries = err
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { msg: string })
    expect(entries.map(({ msg }) => msg)).toContain('the import is at work')
  })
})
