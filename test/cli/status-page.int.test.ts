import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { openSqliteDecisionStore } from '#src/adapters/sqlite/decision-store.ts'
import { until } from '#test/drill/live.ts'
import { instanceId, versioned } from '#test/support/read-model-versions.ts'
import { askUntil, type Finished, Program, run } from './support.ts'

const folder = mkdtempSync(join(tmpdir(), 'ledger-status-page-'))
const data = ['--data', join(folder, 'data')]
const token = 'of-the-operator'
const digest = createHash('sha256').update(token).digest('hex')
const tokensFile = join(folder, 'tokens')
const programs: Program[] = []

afterAll(async () => {
  for (const program of programs) await program.stop('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

interface Summary {
  readonly incidents: readonly { readonly name: string }[]
  readonly components: readonly { readonly name: string; readonly status: string }[]
  readonly status: { readonly indicator: string }
}

async function start(): Promise<{ program: Program; url: string }> {
  const fast = ['--block-seconds', '0.2', '--accounts', '20', '--nodes', '3', '--port', '0']
  const tokens = ['--status-tokens', `alice:operator:${digest}`, '--status-tokens-file', tokensFile]
  const program = new Program(['start', ...data, ...fast, ...tokens], { cwd: folder })
  programs.push(program)
  const [, url = ''] = await program.printed(/status page +(http:\S+)\/,/)
  return { program, url }
}

async function verb(...args: string[]): Promise<Finished> {
  const done = await run([...args, ...data], { cwd: folder })
  expect(done.code, done.err).toBe(0)
  return done
}

async function command(url: string, content: object): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const answer = await fetch(`${url}/status/v1/commands`, { method: 'POST', headers, body: JSON.stringify(content) })
  expect(answer.status, await answer.text()).toBe(200)
}

async function writeOldEvent(): Promise<void> {
  const decisions = openSqliteDecisionStore({ folder: join(folder, 'data', 'decisions') })
  const at = '2026-02-03T14:05:10.250Z'
  const facts = { name: 'Old', description: null, showcase: true, start_date: '2026-13-01' }
  const place = { only_show_if_degraded: false, group: false, group_id: null, position: null }
  const data = { component_id: 'cmp00000000x', ...facts, ...place, at }
  const metadata = {
    command_id: 'old',
    command_digest: '',
    actor: 'old',
    actor_role: 'operator',
    recorded_at: at,
    schema_version: 1,
  } as const
  const id = '00000000-0000-8000-8000-000000000000'
  await decisions.append(`component-${data.component_id}`, 'none', [{ id, type: 'ComponentCreated', data, metadata }])
  await decisions.close()
}

it('what is commanded by verbs and over HTTP shows on the page of a deployment, after a kill and from a rebuilt read model', async () => {
  const first = await start()
  const own = await askUntil<Summary>(`${first.url}/api/v2/summary.json`, ({ components }) => components.length === 4)
  expect(own).toMatchObject({ incidents: [], status: { indicator: 'none' } })
  await askUntil(`${first.url}/health/readiness`, () => true)

  await verb('status', 'demo')
  await command(first.url, { type: 'OpenIncident', name: 'Reads are slow', command_id: 'one' })
  const shows = ({ incidents }: Summary): boolean => incidents.length === 1
  await askUntil<Summary>(`${first.url}/api/v2/summary.json`, shows)
  const page = await fetch(`${first.url}/`)
  expect([page.headers.get('content-type'), await page.text()]).toEqual([
    expect.stringContaining('text/html'),
    expect.stringContaining('Reads are slow'),
  ])
  // Killed right after the answer, whatever the projector had done by then.
  await command(first.url, { type: 'OpenIncident', name: 'Writes are slow', command_id: 'two' })
  await first.program.stop('SIGKILL')

  const again = await start()
  await command(again.url, { type: 'OpenIncident', name: 'Writes are slow', command_id: 'two' })
  const summary = `${again.url}/api/v2/summary.json`
  const { incidents } = await askUntil<Summary>(summary, (body) => body.incidents.length === 2)
  expect(incidents.map(({ name }) => name)).toEqual(['Writes are slow', 'Reads are slow'])
  await askUntil(`${again.url}/health/readiness`, () => true)

  // What an earlier release wrote down is left out, which the page says until an operator has given it up.
  await writeOldEvent()
  const says = async (): Promise<boolean> => (await (await fetch(`${again.url}/`)).text()).includes('is not complete')
  await until('the page says that something is left out', says)
  const listed = await verb('projections', 'parked', 'list', 'status')
  expect(listed.out).toMatch(
    versioned(/^\d+ {2}Invalid time value\n1 event parked in status vN; next: .* parked skip status --all/),
  )
  await verb('projections', 'parked', 'skip', 'status', '--all')
  await until('the page says no more of it', async () => !(await says()))
  await command(again.url, { type: 'OpenIncident', name: 'Later', command_id: 'three' })
  await askUntil<Summary>(summary, (body) => body.incidents.length === 3)

  // A token is given and taken back while the service runs.
  const statusOf = async (given: string): Promise<number> => {
    const headers = { authorization: `Bearer ${given}`, 'content-type': 'application/json' }
    return (await fetch(`${again.url}/status/v1/commands`, { method: 'POST', headers, body: '{"type":"Explode"}' }))
      .status
  }
  expect(await statusOf('of-bob')).toBe(401)
  writeFileSync(tokensFile, `bob:operator:${createHash('sha256').update('of-bob').digest('hex')}\n`)
  await until('the token is taken', async () => (await statusOf('of-bob')) === 400)
  writeFileSync(tokensFile, '')
  await until('the token is refused', async () => (await statusOf('of-bob')) === 401)

  await verb('projections', 'rebuild', 'status')
  expect((await verb('projections', 'verify', 'status', '--version', instanceId('status', 2))).out).toContain(
    'all equal',
  )
  await verb('projections', 'promote', 'status')
  const rebuilt = await askUntil<Summary>(summary, (body) => body.incidents.length === 3)
  expect(rebuilt).toMatchObject({ components: [{}, {}, {}, {}] })
  expect((await again.program.stop('SIGTERM')).code).toBe(0)
}, 120_000)
