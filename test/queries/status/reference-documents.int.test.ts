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

given(`answers status.json ${skipped}`, async () => {
  const { get } = await open(lag(3))
  expect(await get('/api/v2/status.json')).toBe(JSON.stringify(JSON.parse(textOf('status.json'))))
})

given(`answers scheduled-maintenances-empty.json ${skipped}`, async () => {
  const { get } = await open()
  expect(await get('/api/v2/scheduled-maintenances.json')).toBe(
    JSON.stringify(JSON.parse(textOf('scheduled-maintenances-empty.json'))),
  )
})
