import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addToList } from '#test/support/add-to-list.ts'
import { root } from '../cli/support.ts'

const run = promisify(execFile)
const page = readFileSync(join(root, 'docs', 'how-to', 'add-a-read-model.md'), 'utf8')
const files = blocks(/```ts file=(\S+)\n([\s\S]*?)```/g)
const additions = blocks(/```ts add=(\S+)\n([\s\S]*?)```/g)
const timeoutMs = 300_000

let clone: string

function blocks(pattern: RegExp): { path: string; text: string }[] {
  return [...page.matchAll(pattern)].map(([, path = '', text = '']) => ({ path, text }))
}

beforeAll(async () => {
  clone = mkdtempSync(join(tmpdir(), 'ledger-clone-'))
  const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root })
  for (const path of stdout.split('\0').filter((each) => each !== '')) {
    mkdirSync(dirname(join(clone, path)), { recursive: true })
    cpSync(join(root, path), join(clone, path))
  }
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'))
  for (const { path, text } of files) {
    mkdirSync(dirname(join(clone, path)), { recursive: true })
    writeFileSync(join(clone, path), text)
  }
  for (const { path, text } of additions)
    writeFileSync(join(clone, path), addToList(readFileSync(join(clone, path), 'utf8'), text))
}, timeoutMs)
afterAll(() => rmSync(clone, { recursive: true, force: true }))

it('the guide names three files of the product and two lines', () => {
  expect(files.filter(({ path }) => !path.startsWith('test/'))).toHaveLength(3)
  expect(additions.map(({ path }) => path)).toEqual(['projections/index.ts', 'queries/index.ts'])
})

it('what the guide leads to compiles', { timeout: timeoutMs }, async () => {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const compiled = run(process.execPath, [tsc, '-p', '.'], { cwd: clone }).then(() => 'compiles', String)
  expect(await compiled).toBe('compiles')
})

it('what the guide leads to passes its own test', { timeout: timeoutMs }, async () => {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const test = files.find(({ path }) => path.startsWith('test/'))!.path
  const passed = run(process.execPath, [vitest, 'run', '--reporter=dot', test], {
    cwd: clone,
    env: { ...process.env, CI: '' },
  })
  expect(
    await passed.then(
      () => 'passes',
      ({ stdout, stderr }) => `${stdout}${stderr}`,
    ),
  ).toBe('passes')
})
