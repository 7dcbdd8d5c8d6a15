import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createProgram } from '#src/cli/program.ts'
import { versioned } from '#test/support/read-model-versions.ts'
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
  'import nodes',
  'import ready',
  'import inspect',
  'project',
  'projections list',
  'projections status',
  'projections rebuild',
  'projections verify',
  'projections promote',
  'projections rollback',
  'projections prune',
  'projections pause',
  'projections resume',
  'projections parked list',
  'projections parked retry',
  'projections parked skip',
  'verification compilers list',
  'verification compilers add',
  'verification forget-chain',
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

  it.each(['', 'import', 'projections', 'projections parked', 'network', 'config'])(
    'of the group "%s" are listed with examples',
    (group) => {
      const help = helpOf(group === '' ? [] : group.split(' '))
      expect(help).toMatch(/Examples:\n {2}ledger-history /)
      if (group === '') expect(help).toMatch(/run,\s+status.*130 stopped by a second Ctrl-C/s)
    },
  )

  it('show their own options before those of the settings, and the default of switches', () => {
    const help = helpOf(['network', 'simulate'])
    expect(help.indexOf('--out <folder>')).toBeLessThan(help.indexOf('Simulated network:'))
    expect(helpOf(['start'])).toMatch(/--keep-raw-bytes \[true\|false\].*\(default\s+false\)/s)
  })

  it('end with 78 and one sentence without a stack when a setting is wrong', async () => {
    const { code, err, out } = await run(['config', 'print', '--port', 'many'])
    expect({ code, err, out }).toEqual({
      code: 78,
      out: '',
      err: 'ledger-history: Configuration problem: --port must be an integer 0 to 65535, not "many" [config_invalid]\n',
    })
  })

  it('point to the verb that makes a data folder when there is none', async () => {
    const { code, err } = await run(['projections', 'status', '--data', 'nowhere'], { cwd: folder })
    expect(code).toBe(1)
    expect(err).toMatch(/nowhere holds no ledger data.*ledger-history start.*\[data_folder_unusable\]/)
  })

  it('refuse --once with a source that never ends', async () => {
    const { code, err } = await run(['start', '--once', '--port', '0'], { cwd: folder })
    expect(code).toBe(78)
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
    expect(stopped.err).toMatch(/stopping; a second signal stops without waiting/)
    expect((await run([...simulate, '--blocks', '1'], { cwd: folder })).out).toMatch(/^Wrote 1 block with \d+ trans/)
  })

  it('simulate nothing into a folder that holds other things, and leave no temporary files behind elsewhere', async () => {
    mkdirSync(join(folder, 'docs'))
    writeFileSync(join(folder, 'docs', 'page.md'), '')
    const simulate = (out: string) => run(['network', 'simulate', '--blocks', '1', '--out', out], { cwd: folder })
    const refused = await simulate('docs')
    expect(refused.code).toBe(1)
    expect(refused.err).toMatch(/docs is unusable: .*not empty \(it holds page.md\); .*\[data_folder_unusable\]/)
    expect(readdirSync(join(folder, 'docs'))).toEqual(['page.md'])
    expect((await simulate(join('docs', 'page.md'))).err).toMatch(/page.md is unusable: it is not a folder/)
    expect((await simulate('fresh')).code).toBe(0)
    expect(readdirSync(join(folder, 'fresh'))).not.toContain('.simulator-temporary')
  })

  it('simulate nothing into a folder with the files of another network, and leave it as it was', async () => {
    mkdirSync(join(folder, 'foreign', 'recordstreams'), { recursive: true })
    const { code, err } = await run(['network', 'simulate', '--out', 'foreign', '--blocks', '1'], { cwd: folder })
    expect(code).toBe(1)
    expect(err).toMatch(/\[data_folder_other_network\]/)
    expect(readdirSync(join(folder, 'foreign'))).toEqual(['recordstreams'])
  })

  it('leave the data folder free for the right source after a wrong one', async () => {
    const start = (source: string, ...args: string[]) =>
      run(['start', '--once', '--data', 'wrong', '--source', source, ...args], { cwd: folder })
    await run(['network', 'simulate', '--blocks', '1', '--out', 'right'], { cwd: folder })
    mkdirSync(join(folder, 'empty'), { recursive: true })
    writeFileSync(join(folder, 'file'), 'no book')
    const empty = await start('empty', '--address-book', 'right/address-book.bin')
    expect(empty.err).toMatch(/\[source_empty\]\n$/)
    const noBook = await start('right', '--network', 'other', '--address-book', 'file')
    expect(noBook.err).toMatch(/\/file is no address book: .*0\.0\.102.*\[address_book_invalid\]\n$/)
    const right = await start('right')
    expect(right.code, right.err).toBe(0)
    expect(right.out).toMatch(/^Imported 1 block /)
    expect((await start('right', '--network', 'other')).err).toMatch(/\[data_folder_other_network\]/)
  }, 60_000)

  it('say how to project the blocks before one that failed', async () => {
    await run(['network', 'simulate', '--blocks', '4', '--nodes', '2', '--out', 'holed'], { cwd: folder })
    const files = readdirSync(join(folder, 'holed'), { recursive: true, encoding: 'utf8' })
    const instants = [...new Set(files.flatMap((file) => /([^/]+Z)\.rcd_sig$/.exec(file)?.[1] ?? []))].sort()
    for (const file of files) if (file.includes(instants[2]!)) rmSync(join(folder, 'holed', file))
    const source = ['--once', '--source', 'holed', '--data', 'holed-data']
    for (const verb of [['import', 'run'], ['start']]) {
      rmSync(join(folder, 'holed-data'), { recursive: true, force: true })
      const { code, out, err } = await run([...verb, ...source], { cwd: folder })
      expect(err).toMatch(/\[chain_broken\]\n$/)
      expect(out).toMatch(
        /^Imported 2 blocks with \d+ transactions before it failed; next: ledger-history project --once --data holed-data\n$/,
      )
      expect(code).toBe(1)
    }
    const projected = await run(['project', '--once', '--data', 'holed-data'], { cwd: folder })
    expect(projected.out).toMatch(versioned(/^blocks vN +100\.0% .* up to date$/m))
  }, 60_000)

  it('need a source to import from where nobody simulates one', async () => {
    const { code, err } = await run(['import', 'run', '--once', '--data', 'unsimulated'], { cwd: folder })
    expect(code).toBe(78)
    expect(err).toMatch(/import run needs --source; .*"ledger-history network simulate" \[config_invalid\]/)
    expect(readdirSync(folder)).not.toContain('unsimulated')
  })

  it('say which source folder is missing', async () => {
    const { code, err } = await run(['start', '--source', 'missing', '--once'], { cwd: folder })
    expect(code).toBe(78)
    expect(err).toMatch(/source folder .*missing is not there; check the path given with --source \[config_invalid\]/)
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
    expect(JSON.parse(out)).toMatchObject({
      port: 7001,
      host: '::1',
      once: true,
      api: { users: [{ username: 'ann', password: '[redacted]', pageSizeMax: 50 }] },
    })
    expect(out).not.toContain('secret-word')
    rmSync(join(folder, 'ledger-history.json'))
  })

  it('list the projections as JSON', async () => {
    const { out } = await run(['projections', 'list', '--json'])
    const names = (JSON.parse(out) as { name: string }[]).map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['transactions', 'blocks']))
  })
})
