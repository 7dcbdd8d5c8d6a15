import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { defaultComponentId } from '#commands/status/default-page.ts'
import { askUntil, Program, run } from './support.ts'

const folder = mkdtempSync(join(tmpdir(), 'ledger-archive-'))
const programs: Program[] = []
afterAll(async () => {
  for (const program of programs) await program.stop('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

interface Health {
  readonly components: readonly {
    readonly component_id: string
    readonly figures: readonly { readonly metric: string; readonly value: number }[]
  }[]
}
interface Summary {
  readonly components: readonly { readonly name: string; readonly status: string }[]
  readonly incidents: readonly object[]
}

it('an archive that is imported is no outage, however old its newest transaction is', async () => {
  const made = ['--blocks', '5', '--start-time', '2020-01-01T00:00:00Z', '--nodes', '3', '--accounts', '20']
  await run(['network', 'simulate', '--out', 'streams', ...made], { cwd: folder })
  const quick = ['--status-hold-seconds', '1', '--status-recover-seconds', '1']
  const program = new Program(['start', '--source', 'streams', '--port', '0', ...quick], { cwd: folder })
  programs.push(program)
  const [, url = ''] = await program.printed(/status page +(http:\S+)\/,/)
  const lagOf = ({ components }: Health): number | undefined =>
    components
      .find(({ component_id }) => component_id === defaultComponentId('import'))
      ?.figures.find(({ metric }) => metric === 'importer_lag_seconds')?.value
  // While it was imported it was behind; that has passed by itself.
  await askUntil<Health>(`${url}/api/v2/health.json`, (body) => lagOf(body) === 0, 90_000)
  const summary = `${url}/api/v2/summary.json`
  const isWell = ({ components }: Summary): boolean =>
    components.length === 4 && components.every(({ status }) => status === 'operational')
  await askUntil<Summary>(summary, isWell, 30_000)
  await sleep(5_000)
  expect(isWell((await (await fetch(summary)).json()) as Summary)).toBe(true)
  const home = await (await fetch(url)).text()
  expect(/All that its source has is imported/.test(home)).toBe(true)
  expect((await program.stop('SIGTERM')).code).toBe(0)

  // Nor is it one for processes that only answer from it.
  const serving = new Program(['serve', '--port', '0', ...quick], { cwd: folder })
  programs.push(serving)
  const [, served = ''] = await serving.printed(/ at (http\S+)\/api\/v1/)
  await askUntil<Health>(`${served}/api/v2/health.json`, (body) => lagOf(body) === 0, 30_000)
  await sleep(5_000)
  const { components } = await askUntil<Summary>(
    `${served}/api/v2/summary.json`,
    (body) => body.components.length === 4,
  )
  expect(components.find(({ name }) => name === 'Import')).toMatchObject({ status: 'operational' })
}, 180_000)
