import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { inherited, root } from '../cli/support.ts'

const page = readFileSync(join(root, 'docs', 'tutorial.md'), 'utf8')
const blocks = [...page.matchAll(/```sh run( fails)?\n([\s\S]*?)```/g)].map(([, fails, commands = '']) => ({
  commands: commands.trim(),
  fails: fails !== undefined,
}))

interface Ran {
  readonly commands: string
  readonly fails: boolean
  readonly code: number
  readonly output: string
}

const ran: Ran[] = []
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ledger-tutorial-'))
  for (const block of blocks) ran.push({ ...block, ...(await runBlock(block.commands)) })
}, 180_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** In a shell as a reader has it, which knows the program by its name and the file that was named before. */
function runBlock(commands: string): Promise<Pick<Ran, 'code' | 'output'>> {
  const main = join(root, 'src', 'cli', 'main.ts')
  const script = [
    'set -e',
    `ledger-history() { "${process.execPath}" --disable-warning=ExperimentalWarning "${main}" "$@"; }`,
    'if [ -f .last ]; then last=$(cat .last); fi',
    commands,
    'if [ -n "$last" ]; then echo "$last" > .last; fi',
  ].join('\n')
  return new Promise((resolve) => {
    const options = { cwd: folder, env: inherited() }
    execFile('bash', ['-c', script], options, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), output: out + err })
    })
  })
}

function outputOf(pattern: RegExp): string[] {
  return ran.filter(({ commands }) => pattern.test(commands)).map(({ output }) => output)
}

it('the commands of the tutorial that are marked to be run do what it says, one after the other', () => {
  expect(ran.length).toBeGreaterThan(5)
  for (const { commands, fails, code, output } of ran) expect(code, `${commands}\n${output}`).toBe(fails ? 1 : 0)
})

it('the tutorial distrusts one bad copy, stops at a file without a good one, and goes on when it is repaired', () => {
  const [oneBad] = outputOf(/--data data-damaged/)
  expect(oneBad).toContain('Imported 20 blocks')
  expect(oneBad).toContain('a copy or signature was passed over')
  const [allBad, status, repaired] = outputOf(/--data data-distrust/)
  expect(allBad).toMatch(/rcd\.gz: .*\[file_malformed\]/)
  expect(status).toMatch(/^latestBlock +18$/m)
  expect(status).toMatch(/^blocks +19$/m)
  expect(repaired).toContain('Imported 1 block with')
})
