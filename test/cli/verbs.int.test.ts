import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createProgram } from '#src/cli/program.ts'
import { Program, run } from './support.ts'

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledger-verbs-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const verbs = [
  'start',
  'serve',
  'import run',
  'import status',
  'project',
  'projections list',
  'projections status',
  'network simulate',
  'config print',
]

function helpOf(words: readonly string[]): string {
  let command: Command | undefined = createProgram()
  for (const word of words) command = command?.commands.find((each) => each.name() === word)
  let text = ''
  command?.configureOutput({ writeOut: (part) => (text += part) }).outputHelp()
  return text
}

describe('verbs', () => {
  it('are listed by --help', async () => {
    const { code, out } = await run(['--help'])
    expect(code).toBe(0)
    for (const name of new Set(verbs.map((words) => words.split(' ')[0]!))) expect(out).toContain(name)
  })

  it.each(verbs)('%s explain themselves with examples', (words) => {
    const help = helpOf(words.split(' '))
    expect(help).toMatch(new RegExp(`^Usage: ledger-history ${words} `))
    expect(help).toMatch(/Examples:\n {2}ledger-history /)
  })

  it('end with 1 and one sentence without a stack when a setting is wrong', async () => {
    const { code, err, out } = await run(['config', 'print', '--port', 'many'])
    expect({ code, err, out }).toEqual({
      code: 1,
      out: '',
      err: 'ledger-history: Configuration problem: --port must be integer 0 to 65535, not "many" [config_invalid]\n',
    })
  })

  it('point to the verb that makes a data folder when there is none', async () => {
    const { code, err } = await run(['projections', 'status', '--data', 'nowhere'], { cwd: folder })
    expect(code).toBe(1)
    expect(err).toMatch(/nowhere holds no ledger data.*ledger-history start.*\[data_folder_unusable\]/)
  })

  it('refuse --once with a source that never ends', async () => {
    const { code, err } = await run(['start', '--once', '--port', '0'], { cwd: folder })
    expect(code).toBe(1)
    expect(err).toMatch(/once needs a source that ends/)
  })

  it('simulate a network in a folder that no other process simulates one in', async () => {
    const simulate = ['network', 'simulate', '--out', 'streams', '--seed', 'alone']
    const first = new Program([...simulate, '--paced', '--block-seconds', '0.2'], { cwd: folder })
    await vi.waitFor(() => readFileSync(join(folder, 'streams', 'network.json')), { timeout: 20_000, interval: 50 })
    const second = await run([...simulate, '--blocks', '1'], { cwd: folder })
    expect(second.code).toBe(75)
    expect(second.err).toMatch(/Another process writes its simulated network to \S+streams; .*\[data_folder_busy\]/)
    const stopped = await first.stop('SIGTERM')
    expect(stopped.code, stopped.err).toBe(0)
    expect((await run([...simulate, '--blocks', '1'], { cwd: folder })).out).toMatch(/^Wrote 1 block with \d+ trans/)
  })

  it('simulate nothing into a folder with the files of another network, and leave it as it was', async () => {
    mkdirSync(join(folder, 'foreign', 'recordstreams'), { recursive: true })
    const { code, err } = await run(['network', 'simulate', '--out', 'foreign', '--blocks', '1'], { cwd: folder })
    expect(code).toBe(1)
    expect(err).toMatch(/\[data_folder_other_network\]/)
    expect(readdirSync(join(folder, 'foreign'))).toEqual(['recordstreams'])
  })

  it('say which source folder is missing', async () => {
    const { code, err } = await run(['start', '--source', 'missing', '--once'], { cwd: folder })
    expect(code).toBe(75)
    expect(err).toMatch(/source folder .*missing is not there; check the path given with --source/)
  })

  it('read the file of the working folder, and print it back without secrets', async () => {
    writeFileSync(
      join(folder, 'ledger-history.json'),
      JSON.stringify({ port: 7001, api: { users: ['ann:secret-word:50'] } }),
    )
    const { out } = await run(['config', 'print', '--json', '--once', 'true', '--source', 'x'], {
      cwd: folder,
      env: { LEDGER_HOST: '::1' },
    })
    expect(JSON.parse(out)).toMatchObject({ port: 7001, host: '::1', once: true, api: { users: '[redacted]' } })
    expect(out).not.toContain('secret-word')
    rmSync(join(folder, 'ledger-history.json'))
  })

  it('list the projections as JSON', async () => {
    const { out } = await run(['projections', 'list', '--json'])
    const names = (JSON.parse(out) as { name: string }[]).map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['transactions', 'blocks']))
  })
})
