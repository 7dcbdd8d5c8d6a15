import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import type { StatusEvent } from '#commands/status/events.ts'
import {
  type ComponentDocument,
  componentsCreated,
  event,
  type IncidentDocument,
  incidentTold,
  maintenanceTold,
  type PageDocument,
  pageConfigured,
} from '#test/queries/status/story.ts'
import { openStatusPage, type StatusPage, type StatusPageOptions } from '#test/support/status-page.ts'

const folder = join(import.meta.dirname, '../../../../shared/reference/data/statuspage')
const given = it.skipIf(!existsSync(folder))
const skipped = '(skipped without ../shared)'

interface Document {
  readonly page: PageDocument & { readonly updated_at: string }
  readonly components: readonly (ComponentDocument & { readonly status: string })[]
  readonly incidents: readonly IncidentDocument[]
  readonly scheduled_maintenances: readonly IncidentDocument[]
}

const textOf = (file: string): string => readFileSync(join(folder, file), 'utf8')
const documentOf = (file: string): Document => JSON.parse(textOf(file)) as Document

let page: StatusPage | undefined
afterEach(() => page?.close())

/** The page with all its components, and what happened on it. */
async function open(events: readonly StatusEvent[] = [], options: StatusPageOptions = {}): Promise<StatusPage> {
  page = await openStatusPage(options)
  await page.tell([...beginning(documentOf('summary-operational.json')), ...events])
  return page
}

function beginning(document: Document): StatusEvent[] {
  const at = '2026-01-05T09:00:00.000Z'
  return [pageConfigured(document.page, at), ...componentsCreated(document.components)]
}

const incident = (id: string): IncidentDocument => findIn(documentOf('incidents.json').incidents, id)
const maintenance = (id: string): IncidentDocument =>
  findIn(documentOf('scheduled-maintenances.json').scheduled_maintenances, id)
const findIn = (all: readonly IncidentDocument[], wanted: string): IncidentDocument =>
  all.find(({ id }) => id === wanted)!

const lag = (updates: number): StatusEvent[] => incidentTold(incident('inc0lag00001'), { updates })

const summaries: Readonly<Record<string, () => StatusEvent[]>> = {
  'summary-operational.json': () => [],
  'summary-degraded.json': () => lag(1),
  'summary-partial-outage.json': () => lag(2),
  'summary-major-some.json': () => lag(3),
  'summary-monitoring-recovered.json': () => lag(4),
  'summary-major-all.json': () => incidentTold(documentOf('summary-major-all.json').incidents[0]!),
  'summary-maintenance-upcoming.json': () => maintenanceTold(maintenance('mnt0upgrade1'), { updates: 1 }),
  'summary-maintenance-in-progress.json': () => maintenanceTold(maintenance('mnt0upgrade1')),
}

given.each(Object.entries(summaries))(
  `answers %s, byte for byte as JSON writes it ${skipped}`,
  async (file, events) => {
    const { get } = await open(events())
    expect(await get('/api/v2/summary.json')).toBe(JSON.stringify(JSON.parse(textOf(file))))
  },
)

given.each(['summary-degraded-all.json', 'summary-partial-all.json', 'summary-empty-page.json'])(
  `answers %s, of a page of its own ${skipped}`,
  async (file) => {
    const document = documentOf(file)
    page = await openStatusPage()
    const set = document.components.map(({ id, status, created_at }) =>
      event('ComponentStatusSet', { component_id: id, status: status as 'partial_outage', at: created_at }),
    )
    await page.tell([...beginning(document), ...set])
    expect(await page.get('/api/v2/summary.json')).toBe(JSON.stringify(document))
  },
)

given(`answers summary-time-zone.json once the page has moved to another zone ${skipped}`, async () => {
  const document = documentOf('summary-time-zone.json')
  const { get } = await open([
    pageConfigured(document.page, '2026-01-05T09:00:00.000Z', { time_zone: 'America/Chicago' }),
    ...lag(1),
  ])
  expect(await get('/api/v2/summary.json')).toBe(JSON.stringify(document))
})

given.each(['status.json', 'components.json'])(`answers %s ${skipped}`, async (file) => {
  const { get } = await open(lag(3))
  expect(await get(`/api/v2/${file}`)).toBe(JSON.stringify(JSON.parse(textOf(file))))
})

given(`answers scheduled-maintenances-empty.json ${skipped}`, async () => {
  const { get } = await open()
  expect(await get('/api/v2/scheduled-maintenances.json')).toBe(
    JSON.stringify(JSON.parse(textOf('scheduled-maintenances-empty.json'))),
  )
})

/** Everything of the reference that is on the page on the evening of 4 March. */
const evening = (): StatusEvent[] => [
  ...incidentTold(incident('inc0notice01')),
  ...incidentTold(incident('inc0lag00001'), { afterwards: true }),
  // Its component shows nothing of it before the other maintenance begins.
  ...maintenanceTold(maintenance('mnt0reindex1'), { afterwards: true }),
  ...maintenanceTold(maintenance('mnt0upgrade1')),
  ...maintenanceTold(maintenance('mnt0certific')),
  ...maintenanceTold(maintenance('mnt0network1'), { afterwards: true }),
  ...incidentTold(incident('inc0explorer')),
]

/** Of two of its maintenances the reference names the components, but not what their updates did to them. */
function withoutUntold<T>(document: T): T {
  const untold = ['mnt0reindex1', 'mnt0network1']
  return JSON.parse(JSON.stringify(document), (_key, value) =>
    untold.includes(value?.incident_id) ? { ...value, affected_components: null } : value,
  ) as T
}

given.each([
  ['incidents.json', '/api/v2/incidents.json'],
  ['incidents-unresolved.json', '/api/v2/incidents/unresolved.json'],
  ['scheduled-maintenances.json', '/api/v2/scheduled-maintenances.json'],
  ['scheduled-maintenances-active.json', '/api/v2/scheduled-maintenances/active.json'],
  ['scheduled-maintenances-upcoming.json', '/api/v2/scheduled-maintenances/upcoming.json'],
])(`answers %s ${skipped}`, async (file, path) => {
  const { json } = await open(evening())
  expect(withoutUntold(await json(path))).toEqual(withoutUntold(documentOf(file)))
})

given(`answers summary-mixed.json ${skipped}`, async () => {
  const told = documentOf('summary-mixed.json').scheduled_maintenances.flatMap(({ id }) =>
    maintenanceTold(maintenance(id), { afterwards: id === 'mnt0reindex1' }),
  )
  const { json } = await open([...told, ...incidentTold(incident('inc0explorer'))])
  expect(withoutUntold(await json('/api/v2/summary.json'))).toEqual(withoutUntold(documentOf('summary-mixed.json')))
})

given.each(['history.atom', 'history.rss'])(`writes %s, byte for byte ${skipped}`, async (file) => {
  const { get } = await open([
    ...incidentTold(incident('inc0notice01')),
    ...incidentTold(incident('inc0lag00001')),
    ...maintenanceTold(maintenance('mnt0network1')),
    ...incidentTold(incident('inc0explorer')),
  ])
  expect((await get(`/${file}`)).trim()).toBe(textOf(file).trim())
})

interface UptimeDocument {
  readonly component_id: string
  readonly rule: string
  readonly uptime: number
  readonly days: readonly {
    readonly date: string
    readonly major_outage_minutes: number
    readonly partial_outage_minutes: number
  }[]
}

given(`tells uptime-90-days.json ${skipped}`, async () => {
  const document = JSON.parse(textOf('uptime-90-days.json')) as UptimeDocument
  const [component] = documentOf('summary-operational.json').components.filter(({ id }) => id === document.component_id)
  const created = { ...component!, group_id: null, start_date: null, created_at: '2025-12-01T00:00:00.000Z' }
  const outages = document.days.flatMap(({ date, major_outage_minutes: major, partial_outage_minutes: partial }) => {
    const at = (minutes: number): string => new Date(Date.parse(date) + minutes * 60_000).toISOString()
    const set = (status: 'major_outage' | 'partial_outage', minutes: number) =>
      event('ComponentStatusSet', { component_id: created.id, status, at: at(minutes) })
    const cleared = event('ComponentStatusCleared', { component_id: created.id, at: at(major + partial) })
    return major + partial === 0
      ? []
      : [...(major ? [set('major_outage', 0)] : []), ...(partial ? [set('partial_outage', major)] : []), cleared]
  })
  page = await openStatusPage({ now: '2026-03-31T23:59:59.999Z' })
  await page.tell([...componentsCreated([created]), ...outages])
  const told = (await page.json(`/api/v2/components/${created.id}/uptime.json`)) as UptimeDocument
  expect(told).toEqual({ ...document, rule: told.rule })
})
