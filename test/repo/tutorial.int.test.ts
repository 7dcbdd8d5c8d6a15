import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root, run } from '../cli/support.ts'

it('the commands of the tutorial that are marked to be run work, one after the other', async () => {
  const page = readFileSync(join(root, 'docs', 'tutorial.md'), 'utf8')
  const commands = [...page.matchAll(/```sh run\n([\s\S]*?)```/g)].flatMap(([, block = '']) => block.trim().split('\n'))
  expect(commands.length).toBeGreaterThan(3)
  const folder = mkdtempSync(join(tmpdir(), 'ledger-tutorial-'))
  try {
    for (const command of commands) {
      const [program, ...args] = command.split(' ')
      expect(program).toBe('ledger-history')
      const { code, err } = await run(args, { cwd: folder })
      expect(code, `${command}\n${err}`).toBe(0)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}, 60_000)
