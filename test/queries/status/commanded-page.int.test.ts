import { afterEach, expect, it } from 'vitest'
import type { StatusCommand } from '#commands/status/commands.ts'
import { carryOutDue } from '#commands/status/maintenance-clock.ts'
import { silentLogger } from '#src/ports/logger.ts'
import {
  hasReference,
  referenceDocument,
  ServiceFixture,
  withoutReference,
} from '#test/commands/status/service-fixture.ts'
import { openStatusPage, type StatusPage } from '#test/support/status-page.ts'

interface Told {
  readonly components?: Readonly<Record<string, string>>
  readonly incident_status?: string
  readonly status?: string
  readonly impact?: string
  readonly monitoring_at?: string
  readonly resolved_at?: string
  readonly scheduled_for?: string
  readonly in_unresolved?: boolean
  readonly in_upcoming?: boolean
  readonly in_active?: boolean
  readonly indicator?: string
  readonly description?: string
}

interface Timeline {
  readonly given: readonly { readonly id: string; readonly name: string }[]
  readonly steps: readonly {
    readonly at: string
    readonly clock?: boolean
    readonly command?: object
    readonly then: Told
  }[]
}

interface Entry extends Record<string, unknown> {
  readonly id: string
}

let page: StatusPage | undefined
afterEach(() => page?.close())

async function entries(path: string, list: string): Promise<readonly Entry[]> {
  return ((await page!.json(`/api/v2/${path}.json`)) as Record<string, Entry[]>)[list] ?? []
}

/** What the page shows of one incident or maintenance, in the words of the timeline. */
async function shown(id: string): Promise<Told> {
  const has = async (path: string, list: string): Promise<boolean> =>
    (await entries(path, list)).some((entry) => entry.id === id)
  const all = [
    ...(await entries('incidents', 'incidents')),
    ...(await entries('scheduled-maintenances', 'scheduled_maintenances')),
  ]
  const entry = all.find((each) => each.id === id)
  const { status } = (await page!.json('/api/v2/status.json')) as { status: object }
  const components = (await entries('components', 'components')).map((each) => [each.id, each['status']])
  return {
    ...entry,
    ...status,
    incident_status: String(entry?.['status']),
    status: String(entry?.['status']),
    components: Object.fromEntries(components) as Record<string, string>,
    in_unresolved: await has('incidents/unresolved', 'incidents'),
    in_upcoming: await has('scheduled-maintenances/upcoming', 'scheduled_maintenances'),
    in_active: await has('scheduled-maintenances/active', 'scheduled_maintenances'),
  }
}

it.skipIf(!hasReference).each([
  ['timeline-incident.json', 'inc0lag00001'],
  ['timeline-maintenance.json', 'mnt0upgrade1'],
])(`shows after each command of %s what it tells${withoutReference}`, async (name, id) => {
  const { given, steps } = referenceDocument<Timeline>(name)
  const fixture = new ServiceFixture().at('2026-01-01T00:00:00.000Z')
  page = await openStatusPage({ decisions: fixture.store })
  for (const component of given) await fixture.do('CreateComponent', component)
  for (const { at, clock, command, then } of steps) {
    fixture.at(at)
    if (clock) await carryOutDue({ service: fixture.service, clock: { now: () => fixture.time }, logger: silentLogger })
    else await fixture.service.execute(command as StatusCommand, { actor: 'alice', role: 'operator' })
    await page.fold()
    expect({ at, ...(await shown(id)) }).toMatchObject({ at, ...then })
  }
})

it('gives an impact back once nobody overrides it any more', async () => {
  const fixture = new ServiceFixture()
  page = await openStatusPage({ decisions: fixture.store })
  const [component, incident_id] = ['cmp000000001', 'inc000000001']
  await fixture.do('CreateComponent', { id: component, name: 'Reads' })
  await fixture.do('OpenIncident', {
    incident_id,
    name: 'Slow',
    body: 'x',
    components: { [component]: 'degraded_performance' },
  })
  await fixture.do('OverrideImpact', { incident_id, impact: 'none' })
  await fixture.do('PostIncidentUpdate', { incident_id, body: 'y', components: { [component]: 'major_outage' } })
  await page.fold()
  expect(await shown(incident_id)).toMatchObject({ impact: 'none' })
  await fixture.do('OverrideImpact', { incident_id, impact: null })
  await page.fold()
  expect(await shown(incident_id)).toMatchObject({ impact: 'critical' })
})

it('counts an incident that was recorded afterwards on the day on which it was, and shows nothing of it today', async () => {
  const fixture = new ServiceFixture().at('2026-03-04T22:00:00.000Z')
  page = await openStatusPage({ decisions: fixture.store })
  const id = 'cmp000000001'
  await fixture.at('2026-02-01T00:00:00.000Z').do('CreateComponent', { id, name: 'Reads', showcase: true })
  await fixture.at('2026-03-04T22:00:00.000Z').do('RecordPastIncident', {
    name: 'Reads were down',
    updates: [
      {
        status: 'investigating',
        body: 'x',
        display_at: '2026-03-01T10:00:00.000Z',
        components: { [id]: 'major_outage' },
      },
      { status: 'resolved', body: 'y', display_at: '2026-03-01T10:30:00.000Z' },
    ],
  })
  await page.fold()
  const { days } = (await page.json(`/api/v2/components/${id}/uptime.json`)) as {
    days: { date: string; major_outage_minutes: number }[]
  }
  expect(days.filter((day) => day.major_outage_minutes > 0)).toMatchObject([
    { date: '2026-03-01', major_outage_minutes: 30 },
  ])
  expect(await page.json('/api/v2/components.json')).toMatchObject({ components: [{ status: 'operational' }] })
  expect(await entries('incidents', 'incidents')).toMatchObject([
    { started_at: '2026-03-01T10:00:00.000Z', resolved_at: '2026-03-01T10:30:00.000Z', impact: 'critical' },
  ])
})

it('shows what the health of a component was judged by', async () => {
  const fixture = new ServiceFixture().at('2026-03-04T22:00:00.000Z')
  page = await openStatusPage({ decisions: fixture.store })
  const id = 'cmp000000001'
  await fixture.do('CreateComponent', { id, name: 'Importer' })
  const evidence = {
    metric: 'importer_lag_seconds',
    value: 45,
    reason: 'level',
    position: 1_234,
    caused_by: null,
  } as const
  const times = { since: '2026-03-04T21:58:00.000Z', checked_at: '2026-03-04T21:59:00.000Z' }
  const health = { id, status: 'degraded_performance', evidence: { ...evidence, ...times } }
  await fixture.do('RecordComponentHealth', health, { actor: 'health', role: 'automation' })
  await page.fold()
  const home = await page.get('/')
  const [detail = ''] = /<details class="measured">.*?<\/details>/s.exec(home) ?? []
  expect(detail).toContain('The newest transaction is 45 seconds old, position 1,234')
  expect(detail).toContain('datetime="2026-03-04T21:59:00.000Z"')
  expect(home).toContain('Degraded performance')
})

it.skipIf(!hasReference)(`shows a notice in one step, as the reference has it${withoutReference}`, async () => {
  const { incidents } = referenceDocument<{ incidents: Record<string, unknown>[] }>('incidents.json')
  const notice = incidents.find(({ id }) => id === 'inc0notice01') as {
    readonly id: string
    readonly name: string
    readonly created_at: string
    readonly incident_updates: readonly { readonly body: string }[]
  }
  const fixture = new ServiceFixture()
  page = await openStatusPage({ decisions: fixture.store })
  await fixture.do('RecordPastIncident', {
    incident_id: notice.id,
    name: notice.name,
    updates: [{ status: 'resolved', body: notice.incident_updates[0]!.body, display_at: notice.created_at }],
  })
  await page.fold()
  const [shown] = await entries('incidents', 'incidents')
  // Ids of updates follow from the command; nobody is told of what was written down afterwards; the page has no address.
  const own = { ...shown, page_id: notice['page_id' as never], shortlink: notice['shortlink' as never] }
  const [update] = notice.incident_updates
  const written = (shown!['incident_updates'] as readonly { readonly id: string }[])[0]!
  expect(own).toEqual({ ...notice, incident_updates: [{ ...update, id: written.id, deliver_notifications: false }] })
  expect(await entries('incidents/unresolved', 'incidents')).toEqual([])
})
