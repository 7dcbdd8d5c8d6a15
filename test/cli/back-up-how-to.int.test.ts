import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { chainOf, eachDeployment, type TestDeployment } from '#test/cli/late-mirror.ts'
import { askUntil, root } from '#test/cli/support.ts'

let deployment: TestDeployment

eachDeployment((begun) => {
  deployment = begun
})

/** The commands of the page's embedded part, as a person would copy them. */
function printedCommands(): string[] {
  const page = readFileSync(join(root, 'docs', 'how-to', 'back-up-and-restore.md'), 'utf8')
  const section = page.split('\n## ').find((each) => each.startsWith('Embedded'))
  return (/```sh\n(.*?)```/s.exec(section ?? '')?.[1] ?? '').trim().split('\n')
}

interface Blocks {
  readonly blocks: readonly { readonly number: number; readonly timestamp: { readonly to: string } }[]
}

async function urlOf(program: ReturnType<TestDeployment['begin']>): Promise<string> {
  return (await program.printed(/(http:\/\/127\.0\.0\.1:\d+\/api\/v1)/))[1]!
}

/** As of a block, so that what came later makes no difference. */
async function answers(url: string, block: number): Promise<unknown[]> {
  const found = await askUntil<Blocks>(`${url}/blocks?limit=1&block.number=${block}`, ({ blocks }) => blocks.length > 0)
  const until = `timestamp=lte:${found.blocks[0]!.timestamp.to}`
  const paths = [`blocks?limit=100&${until}`, `transactions?limit=100&${until}`, `balances?limit=100&${until}`]
  return Promise.all(paths.map(async (path) => (await fetch(`${url}/${path}`)).json()))
}

async function killInTheMiddle(): Promise<void> {
  const sets = join(deployment.folder, 'backup', 'sets')
  const program = deployment.begin('backup', 'backup')
  while (readdirSync(sets).length < 2) {
    expect(program.child.exitCode, program.err).toBe(null)
    await delay(1)
  }
  await program.stop('SIGKILL')
}

describe('the how-to for backups', () => {
  it('copies a deployment while it imports, survives kill -9, and restores what answers the same', async () => {
    const files = chainOf(12)
    deployment.writeFiles(files.slice(0, 6))
    const service = deployment.begin('start', '--source', 'streams', '--network', 'demo', '--port', '0')
    const url = await urlOf(service)
    await askUntil<Blocks>(`${url}/blocks?limit=1`, ({ blocks }) => blocks[0]?.number === 6)
    const commands = printedCommands()
    expect(commands[0]).toMatch(/^ledger-history backup /)
    expect(commands.length).toBeGreaterThan(3)
    let written = 6
    const goesOn = setInterval(() => deployment.writeFiles(files.slice(written, ++written)), 200)
    const first = await deployment.runPrinted(commands[0]!)
    clearInterval(goesOn)
    expect(first).toMatch(
      / to \S+backup: \d+ events \(\d+ of them new\), \d+ builds of read models, and the decisions;/,
    )

    deployment.writeFiles(files.slice(written))
    await askUntil<Blocks>(`${url}/blocks?limit=1`, ({ blocks }) => blocks[0]?.number === 12)
    await killInTheMiddle()
    for (const command of commands.slice(1)) expect(await deployment.runPrinted(command)).not.toBe('')
    expect(await deployment.succeed('projections', 'verify', 'balances', '--data', 'data-restored')).toMatch(
      /all equal/,
    )
    const status = JSON.parse(await deployment.succeed('projections', 'status', '--data', 'data-restored', '--json'))
    expect(status.processes, 'those that the copy was taken of').toEqual([])
    const restored = await urlOf(deployment.begin('serve', '--port', '0', '--data', 'data-restored'))
    expect(await answers(restored, 6)).toEqual(await answers(url, 6))

    const { data } = JSON.parse(await deployment.succeed('backup', 'backup', '--without-read-models', '--json'))
    expect(data).toMatchObject({ readModels: 0, events: 27 })
    expect(data.added).toBeLessThan(27)
    expect(readdirSync(join(deployment.folder, 'backup', 'sets'))).toHaveLength(1)
  }, 600_000)
})
