import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { Program, run } from '#test/cli/support.ts'
import { answersAll, ask } from '#test/drill/asking.ts'
import { until } from '#test/drill/live.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'
import { argumentsOf } from './read-model/fleet.ts'
import { askedPaths } from './upgrade/asked-paths.ts'
import { extractLastRelease, withoutLastRelease } from './upgrade/last-release.ts'
import { printedCommands } from './upgrade/processes.ts'

const reason = withoutLastRelease === undefined ? '' : ` (${withoutLastRelease})`

it.skipIf(withoutLastRelease !== undefined)(
  `an embedded deployment of the last release is one of this release, as the page says, with all that it had${reason}`,
  async () => {
    const { path: cwd, remove } = await temporaryFolder()
    onTestFinished(() => remove())
    const tree = join(cwd, 'old')
    extractLastRelease(tree)
    const verb = async (command: string, options = {}) => {
      const { code, out, err } = await run(argumentsOf(command), { cwd, ...options })
      expect(code, `${command}\n${err}`).toBe(0)
      return out
    }
    await verb('ledger-history network simulate --out streams --blocks 8 --accounts 20')
    await verb('ledger-history start --once --source streams', { tree })
    const blocksOf = async (port: string): Promise<object[]> => {
      const { body } = await ask(Number(port), '/api/v1/blocks?limit=100')
      return (JSON.parse(body) as { blocks: object[] }).blocks.map((block) => ({ ...block, receipts_root: null }))
    }
    const serve = async (args: readonly string[], from = {}): Promise<[Program, string]> => {
      const program = new Program([...args, '--port', '0'], { cwd, ...from })
      onTestFinished(async () => void (await program.stop('SIGKILL')))
      const [, port = ''] = await program.printed(/http:\/\/127\.0\.0\.1:(\d+)\/api\/v1/)
      return [program, port]
    }
    const [before, oldPort] = await serve(['serve'], { tree })
    await until('the last release answers', () => answersAll(Number(oldPort), askedPaths))
    const blocks = await blocksOf(oldPort)
    expect(blocks).toHaveLength(8)
    expect((await before.stop('SIGTERM')).code).toBe(0)

    const [rebuild = '', promote = '', start = '', prune = ''] = printedCommands('embedded')
    const listed = await verb('ledger-history projections status')
    expect(listed).toMatch(/^transactions v3 .*unknown to this code/m)
    await verb(rebuild)
    expect(await verb(promote)).toMatch(/^Promoted: .*transactions v4/)
    const [after, newPort] = await serve([...argumentsOf(start), '--source', 'streams'])
    await until('this release answers', () => answersAll(Number(newPort), askedPaths))
    expect(await blocksOf(newPort)).toEqual(blocks.map((block) => ({ ...block, receipts_root: null })))
    expect(await verb(prune)).toMatch(/^Removed transactions v3;/m)
    expect(await verb('ledger-history projections status')).not.toMatch(/unknown to this code/)
    const { code, err } = await after.stop('SIGTERM')
    expect(code, err).toBe(0)
    expect(err).not.toMatch(/"level":"error"/)
  },
  240_000,
)
