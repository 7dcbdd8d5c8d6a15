import { afterEach, expect, it } from 'vitest'
import { commandTypes } from '#commands/status/commands.ts'
import { componentsMax, openIncidentsMax, openMaintenancesMax, updatesMax } from '#commands/status/limits.ts'
import { parseCommand } from '#commands/status/parse-command.ts'
import { ServiceFixture } from '#test/commands/status/service-fixture.ts'
import { openStatusPage, type StatusPage } from '#test/support/status-page.ts'

const id = 'cmp000000001'
const incident_id = 'inc000000001'
const maintenance_id = 'mnt000000001'
const planned = { scheduled_for: '2026-03-04T22:00:00.000Z', scheduled_until: '2026-03-05T00:00:00.000Z' }
const evidence = {
  metric: 'importer_lag_seconds',
  value: 45,
  reason: 'level',
  since: '2026-02-03T14:00:00.000Z',
  checked_at: null,
  position: null,
  caused_by: null,
}
const health = { type: 'RecordComponentHealth', id, status: 'degraded_performance', evidence }
const open = { type: 'OpenIncident', name: 'Slow' }

let page: StatusPage | undefined
afterEach(() => page?.close())

/** As the writing side takes it from a request. */
async function send(fixture: ServiceFixture, input: object): Promise<unknown> {
  const { command, ...request } = parseCommand(input)
  const role = command.type === 'RecordComponentHealth' ? 'automation' : 'operator'
  return fixture.service.execute(command, { actor: 'alice', role, ...request })
}

it.each([
  ['a month that there is not', { type: 'CreateComponent', name: 'x', start_date: '2026-13-01' }],
  ['a day that there is not', { type: 'CreateComponent', name: 'x', start_date: '2026-02-30' }],
  ['a year of the far future', { type: 'UpdateComponent', id, start_date: '9999-12-31' }],
  ['digits that are no day', { type: 'UpdateComponent', id, start_date: '9999-99-99' }],
  ['a position beyond all components', { type: 'MoveComponent', id, position: 1e300 }],
  ['half a character in a name', { ...open, name: 'half \ud83d' }],
  ['a control character in a name', { ...open, name: 'bell \u0007' }],
  ['two lines in a name', { ...open, name: 'one\ntwo' }],
  ['a zero byte in a text', { ...open, body: 'a\u0000b' }],
  ['a long description', { type: 'UpdateComponent', id, description: 'x'.repeat(1_001) }],
  ['an instant that there is not', { ...health, evidence: { ...evidence, since: '9999-99-99T99:99:99.999Z' } }],
  ['a check at no time', { ...health, evidence: { ...evidence, checked_at: '2026-02-30T00:00:00.000Z' } }],
  ['a figure beyond all figures', { ...health, evidence: { ...evidence, value: 1e300 } }],
  ['a position before the first', { ...health, evidence: { ...evidence, position: -1 } }],
  ['a metric of a page', { ...health, evidence: { ...evidence, metric: 'x'.repeat(101) } }],
  ['a link that runs a script', { type: 'ConfigurePage', name: 'x', url: 'javascript:alert(1)' }],
  ['an address with a password', { type: 'ConfigurePage', name: 'x', url: 'https://me:secret@example.org' }],
])('refuses %s, and appends nothing', async (_what, input) => {
  const fixture = new ServiceFixture()
  await fixture.do('CreateComponent', { id, name: 'Reads' })
  await expect(send(fixture, input)).rejects.toMatchObject({ code: 'command_invalid' })
  expect(await fixture.all()).toHaveLength(1)
})

it.each([
  ['display_at', { ...open, display_at: '1969-12-31T23:59:59Z' }],
  ['display_at', { ...open, display_at: '2026-02-30T00:00:00Z' }],
  ['scheduled_until', { type: 'ScheduleMaintenance', name: 'x', ...planned, scheduled_until: '9999-12-31T00:00:00Z' }],
  ['scheduled_for', { type: 'ScheduleMaintenance', name: 'x', ...planned, scheduled_for: '2026-02-29T22:00:00Z' }],
])('refuses %s of a day that cannot be shown', async (_what, input) => {
  await expect(send(new ServiceFixture(), input)).rejects.toMatchObject({ code: 'time_malformed' })
})

it('names the field, the value and what would do', () => {
  const attempt = () => parseCommand({ type: 'CreateComponent', name: 'x', start_date: '2026-13-01', showcase: 7 })
  expect(attempt).toThrow(
    '/showcase must be boolean; /start_date "2026-13-01" is no day of 1970 to 2199, such as 2026-01-31',
  )
})

it('refuses more components, open incidents, maintenances and updates than a page has room for', async () => {
  const fixture = new ServiceFixture()
  for (let count = 0; count < componentsMax; count++) await fixture.do('CreateComponent', { name: `${count}` })
  const full = { code: 'too_many' }
  await expect(fixture.do('CreateComponent', { name: 'one more' })).rejects.toMatchObject(full)
  for (let count = 0; count < openIncidentsMax; count++) await fixture.do('OpenIncident', { name: `${count}` })
  await expect(fixture.do('OpenIncident', { name: 'one more' })).rejects.toMatchObject(full)
  await fixture.do('ScheduleMaintenance', { maintenance_id, name: 'Upgrade', ...planned })
  for (let count = 1; count < openMaintenancesMax; count++)
    await fixture.do('ScheduleMaintenance', { name: `${count}`, ...planned })
  await expect(fixture.do('ScheduleMaintenance', { name: 'one more', ...planned })).rejects.toMatchObject(full)
  for (let count = 1; count < updatesMax; count++) await fixture.do('UpdateMaintenance', { maintenance_id, body: 'x' })
  await expect(fixture.do('UpdateMaintenance', { maintenance_id, body: 'x' })).rejects.toMatchObject(full)
  await fixture.do('CancelMaintenance', { maintenance_id })
  await fixture.do('ScheduleMaintenance', { name: 'there is room again', ...planned })
}, 60_000)

it('can always end an incident that has as many updates as it may', async () => {
  const fixture = new ServiceFixture()
  await fixture.do('OpenIncident', { incident_id, name: 'Long' })
  for (let count = 1; count < updatesMax; count++) await fixture.do('PostIncidentUpdate', { incident_id, body: 'x' })
  await expect(fixture.do('PostIncidentUpdate', { incident_id, body: 'x' })).rejects.toMatchObject({ code: 'too_many' })
  await fixture.do('ResolveIncident', { incident_id })
  await fixture.do('PublishPostmortem', { incident_id, body: 'Why it was long.' })
}, 60_000)

it('shows a component with the first and the last day that is taken, in any zone', async () => {
  const fixture = new ServiceFixture().at('2026-03-04T22:00:00.000Z')
  page = await openStatusPage({ decisions: fixture.store })
  for (const time_zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'America/Chicago', 'Etc/UTC']) {
    await send(fixture, { type: 'ConfigurePage', name: 'Ledger', time_zone })
    for (const start_date of ['1970-01-01', '2199-12-31'])
      await send(fixture, { type: 'CreateComponent', name: `${start_date} ${time_zone}`, start_date })
    await page.fold()
    for (const path of ['/', '/uptime', '/history', '/api/v2/summary.json', '/history.atom', '/history.rss'])
      await page.get(path)
  }
  expect(await page.get('/')).toContain('2199-12-31 Etc/UTC')
})

it('knows a schema for every command', () => {
  for (const type of commandTypes) expect(() => parseCommand({ type, nonsense: 1 })).toThrow('"nonsense"')
})
