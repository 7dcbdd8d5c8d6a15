import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { askUntil, type Finished, Program, run } from './support.ts'

const folder = mkdtempSync(join(tmpdir(), 'ledger-status-page-'))
const data = dataIn('data')
const token = 'of-the-operator'
const digest = createHash('sha256').update(token).digest('hex')
const programs: Program[] = []

function dataIn(name: string): string[] {
  return ['--data', join(folder, name)]
}

afterAll(async () => {
  for (const program of programs) await program.stop('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

interface Incidents {
  readonly incidents: readonly {
    readonly name: string
    readonly status: string
    readonly impact: string
    readonly incident_updates: readonly { readonly status: string; readonly body: string }[]
  }[]
}

interface Summary extends Incidents {
  readonly components: readonly { readonly name: string; readonly status: string }[]
  readonly status: { readonly indicator: string }
}

async function start(place = data, ...flags: string[]): Promise<{ program: Program; url: string }> {
  const fast = ['--block-seconds', '0.2', '--accounts', '20', '--nodes', '3', '--port', '0']
  const tokens = ['--status-tokens', `alice:operator:${digest}`]
  const program = new Program(['start', ...place, ...fast, ...tokens, ...flags], { cwd: folder })
  programs.push(program)
  const [, url = ''] = await program.printed(/status page +(http:\S+)\/,/)
  return { program, url }
}

async function verb(...args: string[]): Promise<Finished> {
  const done = await run(args.includes('--data') ? args : [...args, ...data], { cwd: folder })
  expect(done.code, done.err).toBe(0)
  return done
}

async function command(url: string, content: object): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const answer = await fetch(`${url}/status/v1/commands`, { method: 'POST', headers, body: JSON.stringify(content) })
  expect(answer.status, await answer.text()).toBe(200)
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

  await verb('projections', 'rebuild', 'status')
  expect((await verb('projections', 'verify', 'status', '--version', '1.2')).out).toContain('all equal')
  await verb('projections', 'promote', 'status')
  const rebuilt = await askUntil<Summary>(summary, (body) => body.incidents.length === 2)
  expect(rebuilt).toMatchObject({ components: [{}, {}, {}, {}] })
  expect((await again.program.stop('SIGTERM')).code).toBe(0)
}, 120_000)

it('a projector that is stopped turns its component yellow, then red, in one incident that is resolved after its return', async () => {
  const times = ['hold-seconds', '1', 'recover-seconds', '1', 'stable-seconds', '1', 'cool-down-seconds', '1']
  const levels = 'projection_lag_seconds:5::,projection_stalled_seconds:::12'
  const flags = times.map((each, index) => (index % 2 === 0 ? `--status-${each}` : each))
  const watched = dataIn('watched')
  // Of a folder of its own: what a restart has to catch up with would be a lag, too.
  const { program, url } = await start(watched, ...flags, '--status-levels', levels, '--status-watch', 'projections')
  const statusOf = ({ components }: Summary): string | undefined =>
    components.find(({ name }) => name === 'Read models')?.status
  const turns = (status: string): Promise<Summary> =>
    askUntil<Summary>(`${url}/api/v2/summary.json`, (body) => statusOf(body) === status, 60_000)
  await turns('operational')
  await askUntil(`${url}/health/readiness`, () => true)

  await verb('projections', 'pause', 'transactions', ...watched)
  await turns('degraded_performance')
  const red = await turns('major_outage')
  expect(red.status.indicator).not.toBe('none')
  await verb('projections', 'resume', 'transactions', ...watched)
  await turns('operational')
  const { incidents } = await askUntil<Incidents>(`${url}/api/v2/incidents.json`, (body) =>
    body.incidents.some(({ name, status }) => name.startsWith('Read models') && status === 'resolved'),
  )
  expect(incidents).toHaveLength(1)
  const [own] = incidents
  expect(own).toMatchObject({ name: 'Read models is degraded', status: 'resolved', impact: 'critical' })
  expect(own!.incident_updates.map(({ status }) => status)).toEqual([
    'resolved',
    'monitoring',
    'investigating',
    'investigating',
  ])
  const { components } = await askUntil<{ components: readonly { figures: readonly { metric: string }[] }[] }>(
    `${url}/api/v2/health.json`,
    () => true,
  )
  expect(components.map(({ figures }) => figures.length)).toEqual([2])
  expect((await program.stop('SIGTERM')).code).toBe(0)
}, 180_000)
