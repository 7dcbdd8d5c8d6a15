import { createHash } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { until } from '#test/drill/live.ts'
import { askUntil, type Finished, Program, run } from './support.ts'

const folder = mkdtempSync(join(tmpdir(), 'ledger-lost-decisions-'))
const data = ['--data', join(folder, 'data')]
const decisions = join(folder, 'data', 'decisions')
const token = 'of-the-operator'
const programs: Program[] = []

afterAll(async () => {
  for (const program of programs) await program.stop('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

async function start(): Promise<{ program: Program; url: string }> {
  const fast = ['--block-seconds', '0.2', '--accounts', '20', '--nodes', '3', '--port', '0']
  const tokens = ['--status-tokens', `alice:operator:${createHash('sha256').update(token).digest('hex')}`]
  const program = new Program(['start', ...data, ...fast, ...tokens], { cwd: folder })
  programs.push(program)
  const [, url = ''] = await program.printed(/status page +(http:\S+)\/,/)
  return { program, url }
}

const verb = (...args: string[]): Promise<Finished> => run([...args, ...data], { cwd: folder })

async function succeed(...args: string[]): Promise<Finished> {
  const done = await verb(...args)
  expect(done.code, `${args.join(' ')}\n${done.out}${done.err}`).toBe(0)
  return done
}

interface Answer {
  readonly status: number
  readonly error?: { readonly code: string; readonly message: string }
}

async function create(url: string, name: string): Promise<Answer> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ type: 'CreateComponent', name })
  const answer = await fetch(`${url}/status/v1/commands`, { method: 'POST', headers, body })
  return { status: answer.status, ...((await answer.json()) as object) }
}

interface Components {
  readonly components: readonly { readonly name: string }[]
}

interface Planned {
  readonly plan: { readonly readModels: Readonly<Record<string, { readonly filling?: true }>> } | null
}

const shows = (url: string, count: number) =>
  askUntil<Components>(`${url}/api/v2/components.json`, ({ components }) => components.length === count, 30_000)

/** What is kept of decisions is replaced as a whole, as when a disk is restored. */
function restore(from: string): void {
  rmSync(decisions, { recursive: true, force: true })
  cpSync(join(folder, from), decisions, { recursive: true })
}

it('lost decisions are not written over, by verbs and over HTTP, until they are back or given up', async () => {
  const first = await start()
  await shows(first.url, 4)
  // From now on it answers as it was, whatever becomes of its log.
  const isFilled = ({ plan }: Planned): boolean => plan?.readModels['status']?.filling === undefined
  await askUntil<Planned>(`${first.url}/health/status`, (body) => body.plan !== null && isFilled(body))
  await first.program.stop('SIGTERM')
  cpSync(decisions, join(folder, 'old'), { recursive: true })

  const second = await start()
  for (let count = 0; count < 16; count++) expect((await create(second.url, `Component ${count}`)).status).toBe(200)
  await shows(second.url, 20)
  await second.program.stop('SIGTERM')
  cpSync(decisions, join(folder, 'whole'), { recursive: true })
  restore('old')

  const third = await start()
  const sentence = /^Decisions are lost: revision 0 of component-\w+ was seen at position \d+, and the store ends at/
  for (let count = 0; count < 20; count++) {
    const { status, error } = await create(third.url, `Later ${count}`)
    expect([status, error?.code]).toEqual([503, 'decisions_lost'])
    expect(error?.message).toMatch(sentence)
    expect(error?.message).not.toContain(folder)
  }
  const refused = await verb('status', 'component', 'create', '--name', 'By hand')
  expect([refused.code, refused.err]).toEqual([
    1,
    expect.stringMatching(/Decisions are lost: .*accept-loss.*\[decisions_lost\]/),
  ])
  expect((await verb('status', 'setup')).err).toContain('[decisions_lost]')
  // What readers see is what was decided.
  await shows(third.url, 20)

  restore('whole')
  // The same process goes on: nothing has to be restarted.
  await until('commands are taken again', async () => (await create(third.url, 'After all')).status === 200)
  await third.program.stop('SIGTERM')
  restore('old')

  const seen = await succeed('status', 'accept-loss', '--dry-run')
  expect(seen.out).toMatch(/^Seen: {2}position (\d+), .*\nThere: position (\d+), revision \d+ of [\w-]+\n$/)
  expect((await verb('status', 'component', 'create', '--name', 'By hand')).code).toBe(1)
  const given = await succeed('status', 'accept-loss')
  expect(given.out).toMatch(
    /\nnext: ledger-history projections rebuild status --data \S+\nthen: .* promote status --allow-older --data/,
  )
  const fourth = await start()
  await succeed('projections', 'rebuild', 'status')
  await succeed('projections', 'promote', 'status', '--allow-older')
  await until('commands are taken again', async () => (await create(fourth.url, 'Anew')).status === 200)
  const { components } = await shows(fourth.url, 5)
  expect(components.at(-1)?.name).toBe('Anew')
}, 180_000)

it('a store that is damaged refuses commands with the reason, and names no file to clients', async () => {
  for (const program of programs) await program.stop('SIGKILL')
  const { DatabaseSync } = await import('node:sqlite')
  const database = new DatabaseSync(join(decisions, 'decisions.sqlite'))
  database.exec(`UPDATE decision SET data = replace(data, 'ledger-history', 'somebody else') WHERE position = 1`)
  database.close()
  const { url } = await start()
  const { status, error } = await create(url, 'New')
  expect([status, error]).toEqual([
    503,
    {
      code: 'decisions_damaged',
      message: 'The decisions are damaged: event 1 does not have its checksum; they have to be restored from a copy',
    },
  ])
  const refused = await verb('status', 'component', 'create', '--name', 'By hand')
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('event 1 does not have its checksum')])
}, 60_000)
