import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Example, exampleOf, guidePath, withAddition } from '../../scripts/new/guide.ts'
import { root } from '../cli/support.ts'

const run = promisify(execFile)
const page = readFileSync(join(root, guidePath), 'utf8')
const first = exampleOf(root, 'node-fees')
const second = exampleOf(root, 'account-memos')
const made = 'made-up-counts'
const places = /```text places\n([\s\S]*?)```/.exec(page)![1]!.trim().split('\n')
const lists = ['projections/index.ts', 'queries/index.ts', 'test/http/openapi-compared.int.test.ts']
const timeoutMs = 300_000

let ground: string
let clone: string

/** What a program of the copy prints, with `ok` before it where it ended well. */
async function inClone(program: string, ...args: readonly string[]): Promise<string> {
  const { NODE_COMPILE_CACHE: _, ...env } = process.env
  return run(process.execPath, [join(clone, program), ...args], { cwd: clone, env: { ...env, CI: '' } }).then(
    ({ stdout }) => `ok ${stdout}`,
    ({ stdout, stderr }) => `${stdout}${stderr}`,
  )
}

const inPlace = (path: string) => readFileSync(join(clone, path), 'utf8')
const test = (...paths: readonly string[]) =>
  inClone('node_modules/vitest/vitest.mjs', 'run', '--reporter=dot', ...paths)

/** A copy of what git knows of this checkout, beside the recorded answers where there are any. */
beforeAll(async () => {
  ground = mkdtempSync(join(tmpdir(), 'ledger-clone-'))
  clone = join(ground, 'checkout')
  const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root })
  for (const path of stdout.split('\0').filter((each) => each !== '' && existsSync(join(root, each)))) {
    mkdirSync(dirname(join(clone, path)), { recursive: true })
    cpSync(join(root, path), join(clone, path))
  }
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'))
  const shared = join(root, '..', 'shared')
  if (existsSync(shared)) symlinkSync(shared, join(ground, 'shared'))
}, timeoutMs)
afterAll(() => rmSync(ground, { recursive: true, force: true }))

function follow({ files, additions }: Example): void {
  for (const { path, text } of files) {
    mkdirSync(dirname(join(clone, path)), { recursive: true })
    writeFileSync(join(clone, path), text)
  }
  for (const addition of additions)
    writeFileSync(join(clone, addition.path), withAddition(inPlace(addition.path), addition))
}

it('the guide names three files of the product, a test and the same three lists for each example', () => {
  for (const { files, additions } of [first, second]) {
    expect(files.filter(({ path }) => !path.startsWith('test/'))).toHaveLength(3)
    expect(files).toHaveLength(4)
    expect(additions.map(({ path }) => path)).toEqual(lists)
  }
  expect(places.slice(-3)).toEqual(lists)
})

it('a read model that was written by the command is whole, and is taken away without a trace', {
  timeout: timeoutMs,
}, async () => {
  const before = lists.map(inPlace)
  const printed = await inClone('scripts/new.ts', 'read-model', made)
  expect(printed).toMatch(/^ok Written:/)
  expect(printed).toContain(`npm test -- test/projections/${made}.int.test.ts`)
  expect(await inClone('scripts/check.ts')).toMatch(/^ok .*all 3 steps passed/s)
  expect(await test(`test/projections/${made}`, 'test/http/openapi-compared')).toMatch(/^ok /)

  const added = lists.map(inPlace)
  const own = places.map((path) => path.replaceAll('node-fees', made))
  const schema = join(clone, 'projections', made, 'schema.ts')
  writeFileSync(schema, 'mine')
  expect(await inClone('scripts/new.ts', 'read-model', made)).toMatch(`new: projections/${made} is there already`)
  expect(readFileSync(schema, 'utf8')).toBe('mine')
  expect(lists.map(inPlace)).toEqual(added)

  for (const path of own) {
    const at = join(clone, path)
    if (!lists.includes(path)) rmSync(at, { recursive: statSync(at).isDirectory() })
  }
  expect(await inClone('scripts/new.ts', 'read-model', made)).toMatch(/^new: projections\/index.ts has "madeUpCounts/)
  const names = /made-up-counts|madeUpCounts/
  for (const path of lists)
    writeFileSync(
      join(clone, path),
      inPlace(path)
        .split('\n')
        .filter((line) => !names.test(line))
        .join('\n'),
    )
  expect(lists.map(inPlace)).toEqual(before)
  const { stdout } = await run('grep', ['-rlE', names.source, ...['projections', 'queries', 'src', 'test', 'docs']], {
    cwd: clone,
  })
  expect(stdout.trim().split('\n')).toEqual(['test/repo/add-a-read-model.e2e.test.ts'])
})

it('a name that names no read model is refused', async () => {
  for (const name of ['', 'Node', '../x', 'a--b', '1st'])
    expect(await inClone('scripts/new.ts', 'read-model', name)).toMatch(/^new: ".*" names no read model/)
  expect(await inClone('scripts/new.ts', 'query', 'x')).toMatch(/^new: what can be written is a read model/)
  expect(await inClone('scripts/new.ts', 'read-model', 'nfts')).toMatch(/^new: projections\/nfts is there already/)
})

it('what the guide leads to compiles', { timeout: timeoutMs }, async () => {
  follow(first)
  follow(second)
  expect(await inClone('node_modules/typescript/bin/tsc', '-p', '.')).toBe('ok ')
})

it('what the guide leads to passes its own tests', { timeout: timeoutMs }, async () => {
  const tests = [first, second].flatMap(({ files }) =>
    files.map(({ path }) => path).filter((path) => /^test/.test(path)),
  )
  expect(await test(...tests, 'test/http/openapi-compared')).toMatch(/^ok /)
})
