import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commandTypes } from '#commands/status/commands.ts'
import { addStatusVerbs } from '#src/cli/verbs/status/index.ts'
import { statusVerbs } from '#src/cli/verbs/status/verbs.ts'
import { type Finished, run } from './support.ts'

let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ledger-status-verbs-'))
  await run(['network', 'simulate', '--out', 'streams', '--blocks', '2', '--seed', 'verbs'], { cwd: folder })
  const { code, err } = await run(['start', '--source', 'streams', '--once'], { cwd: folder })
  expect(code, err).toBe(0)
}, 60_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const verb = (...words: string[]): Promise<Finished> => run(['status', ...words], { cwd: folder })

async function succeed(...words: string[]): Promise<string> {
  const { code, out, err } = await verb(...words)
  expect(code, `${words.join(' ')}\n${out}${err}`).toBe(0)
  return out
}

async function json<T = Record<string, unknown>>(...words: string[]): Promise<T> {
  return JSON.parse(await succeed(...words, '--json')) as T
}

/** What is told when a verb is refused: with 78 where a flag is wrong, with 1 where the command is. */
async function refusal(...words: string[]): Promise<string> {
  const { code, err } = await verb(...words)
  expect(code).toBe(err.includes('(config_invalid)') || err.includes('[config_invalid]') ? 78 : 1)
  return err
}

describe('verbs of the status page', () => {
  it('are there for every command, each with an example in its help', () => {
    expect(statusVerbs.map(({ type }) => type).toSorted()).toEqual(commandTypes.toSorted())
    const group = new Command('status')
    addStatusVerbs(group)
    const leaves = group.commands.flatMap((each) => (each.commands.length === 0 ? [each] : [...each.commands]))
    expect(leaves.length).toBeGreaterThan(28)
    for (const leaf of leaves) {
      let help = ''
      leaf.configureOutput({ writeOut: (text) => (help += text) })
      leaf.outputHelp()
      expect([leaf.name(), /Examples:\n {2}ledger-history status \S/.test(help)]).toEqual([leaf.name(), true])
    }
  })

  it('tell the whole of a page: components, an incident with its edits, a maintenance, an incident that is over', async () => {
    await succeed('page', 'configure', '--name', 'Ours', '--incident-floor', 'yes', '--time-zone', 'America/Chicago')
    expect(await json('page', 'show')).toMatchObject({
      name: 'Ours',
      incident_floor: true,
      time_zone: 'America/Chicago',
    })
    const { id: group } = await json<{ id: string }>('component', 'create', '--name', 'Reads', '--group')
    const made = ['--name', 'REST', '--group-id', group.slice(0, 8), '--start-date', '2026-01-31', '--showcase', 'no']
    const { id: rest } = await json<{ id: string }>('component', 'create', ...made)
    await succeed('component', 'update', rest.slice(0, 6), '--only-show-if-degraded', 'yes')
    await succeed(
      'component',
      'health',
      rest,
      '--status',
      'degraded_performance',
      '--metric',
      'queue_seconds',
      '--value',
      '45',
    )

    const opened = ['--name', 'Slow', '--component', `${rest.slice(0, 7)}=partial_outage`]
    const { id: incident } = await json<{ id: string }>('incident', 'open', ...opened)
    await succeed('incident', 'update', incident.slice(0, 6), '--status', 'identified', '--body', 'A disk.')
    const shown = await json<{ updates: { id: string; body: string }[] }>('incident', 'show', incident.slice(0, 6))
    expect(shown).toMatchObject({
      status: 'identified',
      impact: 'major',
      components: { [rest]: 'partial_outage' },
      updates: [{ status: 'investigating' }, { status: 'identified', body: 'A disk.' }],
    })
    const { id: update } = shown.updates[1]!
    await succeed('incident', 'edit', incident, '--update', update.slice(0, 6), '--body', 'Two disks.')
    await succeed('incident', 'impact', incident, '--impact', 'minor')
    expect(await json('incident', 'show', incident)).toMatchObject({
      impact: 'minor',
      updates: [{}, { body: 'Two disks.' }],
    })
    await succeed('incident', 'impact', incident, '--clear')
    expect(await succeed('incident', 'list', '--open')).toMatch(new RegExp(`^${incident}  identified  \\S+  Slow\\n$`))
    expect(await json('component', 'list')).toMatchObject([
      { id: group, status: 'partial_outage' },
      { id: rest, status: 'partial_outage', health: 'degraded_performance' },
    ])
    await succeed('incident', 'resolve', incident)
    await succeed('incident', 'postmortem', incident, '--body', 'Why.')
    expect(await succeed('incident', 'list', '--open')).toBe('0 incidents\n')
    expect(await succeed('incident', 'show', incident)).toMatch(/postmortem\n {2}Why\.\n$/)

    const window = ['--from', '2199-01-01T00:00:00Z', '--until', '2199-01-01T02:00:00Z']
    const { id: maintenance } = await json<{ id: string }>(
      'maintenance',
      'schedule',
      '--name',
      'Upgrade',
      '--component',
      rest,
      ...window,
      '--auto-start',
      'no',
    )
    await succeed('maintenance', 'reschedule', maintenance.slice(0, 5), ...window, '--body', 'Later.')
    await succeed('maintenance', 'start', maintenance)
    expect(await json('maintenance', 'list', '--open')).toMatchObject([
      { id: maintenance, status: 'in_progress', name: 'Upgrade' },
    ])
    await succeed('maintenance', 'verify', maintenance)
    await succeed('maintenance', 'complete', maintenance)

    const first = '2026-03-01T10:00:00Z,investigating,Reads fail, all of them.'
    const past = ['--update', first, '2026-03-01T10:30:00Z,resolved,Over.', '--component', `${rest}=major_outage`]
    await succeed('incident', 'record', '--name', 'Before', ...past)
    const [, before] = await json<{ name: string; started_at: string; status: string }[]>('incident', 'list')
    expect(before).toMatchObject({ name: 'Before', started_at: '2026-03-01T10:00:00.000Z', status: 'resolved' })

    await succeed('component', 'move', rest, '--no-group')
    await succeed('component', 'set', rest, '--status', 'major_outage')
    await succeed('component', 'clear', rest)
    await succeed('component', 'remove', group)
    expect(await json('component', 'show', rest)).toMatchObject({ group_id: null, status: 'degraded_performance' })
  }, 180_000)

  it('say what is wrong by the flags that were typed', async () => {
    const { id } = await json<{ id: string }>('component', 'create', '--name', 'Another')
    await succeed('component', 'create', '--name', 'One more')
    const bad = await refusal('component', 'update', id, '--start-date', '2026-13-01')
    expect(bad).toBe(
      'ledger-history: --start-date "2026-13-01" is no day of 1970 to 2199, such as 2026-01-31 (command_invalid) [command_refused]\n',
    )
    expect(await refusal('component', 'create')).toContain('needs --name (command_invalid)')
    expect(await refusal('component', 'update', id, '--showcase', 'maybe')).toContain(
      '--showcase is yes or no, not "maybe"',
    )
    expect(await refusal('component', 'move', id, '--position', 'x')).toContain('--position must be integer')
    expect(await refusal('component', 'set', '', '--status', 'x')).toContain('/id must match pattern')
    expect(await refusal('component', 'show', 'zzzzz')).toContain('There is no component zzzzz')
    expect(await refusal('incident', 'open', '--name', 'x', '--component', 'zzz')).toContain('"zzz" is no id=status')
  }, 60_000)
})

describe('an id that is begun', () => {
  it('is completed where only one begins so, and told where several do', async () => {
    const { completeId } = await import('#src/cli/verbs/status/complete-id.ts')
    const ids = ['abc000000001', 'abd000000001', 'x']
    expect(completeId('abc', ids, 'incident')).toBe('abc000000001')
    expect(completeId('x', [...ids, 'xyz000000001'], 'incident')).toBe('x')
    expect(completeId('none', ids, 'incident')).toBe('none')
    expect(() => completeId('ab', ids, 'incident')).toThrow(
      '"ab" is the beginning of 2 ids of incidents: abc000000001, abd000000001',
    )
  })
})
