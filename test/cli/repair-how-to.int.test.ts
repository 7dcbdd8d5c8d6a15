import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { chainOf, eachDeployment, importing, type TestDeployment } from '#test/cli/late-mirror.ts'
import { root } from '#test/cli/support.ts'

let folder: string
let deployment: TestDeployment

eachDeployment(async (begun) => {
  deployment = begun
  folder = begun.folder
  deployment.writeFiles(chainOf(4))
  await deployment.succeed(...importing, '--once')
  await deployment.succeed('project', '--once')
})

/** The commands of the page's section, as a person would copy them. */
function printedCommands(): string[] {
  const page = readFileSync(join(root, 'docs', 'how-to', 'repair-the-log.md'), 'utf8')
  const section = page.split('\n## ').find((each) => each.startsWith('A damaged or lost log'))
  const block = /```sh\n(.*?)```/s.exec(section ?? '')?.[1] ?? ''
  return block.trim().split('\n')
}

function damageChunk(): void {
  const database = new DatabaseSync(join(folder, 'data', 'log', 'log.sqlite'))
  database.exec('UPDATE chunk SET data = zeroblob(length(data)) WHERE last_sequence = 11')
  database.close()
}

describe('the how-to for a damaged or lost log', () => {
  it.each([
    ['damaged', 'log_damaged', damageChunk],
    ['lost', 'log_lost', () => rmSync(join(folder, 'data', 'log'), { recursive: true })],
  ])(
    'repairs one that is %s, command by command',
    async (_, code, inflict) => {
      inflict()
      const found = await deployment.run('import', 'verify', '--source', 'streams')
      expect(found.code, found.err).toBe(1)
      expect(found.out).toMatch(/repair: ledger-history import republish --source streams/)
      const refused = await deployment.run('projections', 'verify', 'blocks')
      expect(refused.err).toContain(`[${code}]`)
      const commands = printedCommands()
      expect(commands.length).toBeGreaterThan(4)
      for (const command of commands) await deployment.runPrinted(command)
      await deployment.succeed('import', 'status')
      expect(await deployment.succeed('projections', 'verify', 'blocks')).toBeTruthy()
    },
    240_000,
  )
})
