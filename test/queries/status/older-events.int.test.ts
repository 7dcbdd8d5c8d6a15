import { randomUUID } from 'node:crypto'
import { afterEach, expect, it } from 'vitest'
import { statusProjection } from '#projections/status/projection.ts'
import { openSqliteDecisionStore } from '#src/adapters/sqlite/decision-store.ts'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import type { DecisionStore } from '#src/ports/decision-store.ts'
import { silentLogger } from '#src/ports/logger.ts'
import type { ReadStore } from '#src/ports/read-store.ts'
import { decisionLog } from '#src/runtime/fold/decision-log.ts'
import { projectionOfInstance } from '#src/runtime/fold/projection.ts'
import { runProjections } from '#src/runtime/fold/projector.ts'
import { listParked, retryParked, skipParked } from '#src/runtime/replay/parked.ts'
import { rebuildProjection } from '#src/runtime/replay/rebuild.ts'
import { verifyRows } from '#src/runtime/replay/verify.ts'
import { ServiceFixture } from '#test/commands/status/service-fixture.ts'
import { openStatusPage, type StatusPage } from '#test/support/status-page.ts'

const at = '2026-02-03T14:05:10.250Z'
const [good, frozen, half] = ['cmp000000001', 'cmp000000002', 'cmp000000003']

const component = {
  name: 'From before',
  description: null,
  showcase: true,
  start_date: null,
  only_show_if_degraded: false,
  group: false,
  group_id: null,
  position: null,
  at,
}
/** What earlier releases took, and what another program may have written into the same event store. */
const odd: readonly (readonly [stream: string, type: string, data: object])[] = [
  [`component-${frozen}`, 'ComponentCreated', { ...component, component_id: frozen, start_date: '2026-13-01' }],
  [`component-${frozen}`, 'ComponentUpdated', { ...component, component_id: frozen, start_date: '9999-99-99' }],
  [`component-${half}`, 'ComponentCreated', { ...component, component_id: half, name: undefined }],
  ['incident-inc00000000x', 'IncidentOpened', { incident_id: 'inc00000000x', at }],
  ['order-1', 'OrderPlaced', { amount: 7 }],
  ['order-2', 'constructor', { amount: 7 }],
  ['order-3', '__proto__', { amount: 7 }],
  ['order-4', 'toString', { amount: 7 }],
]

const evidence = {
  metric: 'x',
  value: 1,
  reason: 'level',
  since: at,
  checked_at: null,
  position: null,
  caused_by: null,
}
const update = { update_id: 'upd000000001', body: 'x', display_at: at, deliver_notifications: true }
const clock = { auto_start: false, auto_complete: false, mask_health: true }
/** What was folded and made every page fail of it, each time that it was asked for. */
const unshown: typeof odd = [
  [
    `component-${good}`,
    'ComponentHealthChanged',
    {
      component_id: good,
      status: 'operational',
      evidence: { ...evidence, checked_at: '9999-99-99T99:99:99.999Z' },
      at,
    },
  ],
  [`component-${good}`, 'ComponentHealthChanged', { component_id: good, status: 'operational', at }],
  [
    'statuspage-page00000001',
    'PageConfigured',
    {
      page_id: 'page00000001',
      name: 'Page',
      url: 'javascript:alert(1)',
      time_zone: 'Nowhere/Land',
      maintenance_indicator: 'none',
      incident_floor: false,
      automation: 'propose',
      group_uptime: 'all_up',
      at,
    },
  ],
  [
    'maintenance-mnt000000001',
    'MaintenanceScheduled',
    {
      maintenance_id: 'mnt000000001',
      name: 'For ever',
      components: [],
      scheduled_for: at,
      scheduled_until: '9999-12-31T23:59:59.999Z',
      ...clock,
      update,
      at,
    },
  ],
]

async function write(store: DecisionStore, events = odd): Promise<void> {
  const revisions = new Map<string, number>()
  for (const [stream] of events) revisions.set(stream, (await store.readStream(stream)).at(-1)?.revision ?? -1)
  for (const [stream, type, data] of events) {
    const metadata = stream.startsWith('order') ? {} : { command_id: randomUUID(), recorded_at: at, actor: 'old' }
    const event = { id: randomUUID(), type, data, metadata: metadata as never }
    const before = revisions.get(stream)!
    revisions.set(stream, await store.append(stream, before === -1 ? 'none' : before, [event]))
  }
}

let page: StatusPage | undefined
let stores: (DecisionStore | ReadStore)[] = []
afterEach(async () => {
  await page?.close()
  for (const store of stores) await store.close()
  page = undefined
  stores = []
})

it('a page goes past events that it cannot fold, says so, and shows what is decided after them', async () => {
  const fixture = new ServiceFixture()
  page = await openStatusPage({ decisions: fixture.store })
  await fixture.do('CreateComponent', { id: good, name: 'Reads' })
  await write(fixture.store)
  await page.fold()
  const home = await page.get('/')
  expect(home.includes('Reads')).toBe(true)
  expect(/This page is not complete[^<]*/.exec(home)?.[0]).toBe(
    'This page is not complete: 3 entries of its records are of a form that it cannot show.',
  )

  // The service does not stand still either, and the component can be taken away and made anew.
  const service = fixture.newService()
  const request = { actor: 'alice', role: 'operator' } as const
  await service.execute({ type: 'SetComponentStatus', id: good, status: 'major_outage' }, request)
  const rename = { type: 'UpdateComponent', id: frozen, name: 'Renamed' } as const
  await expect(service.execute(rename, request)).rejects.toMatchObject({ code: 'day_malformed' })
  await service.execute({ type: 'RemoveComponent', id: frozen }, request)
  await service.execute({ type: 'CreateComponent', name: 'Made anew', start_date: '2026-01-01' }, request)
  await page.fold()
  expect(await page.json('/api/v2/summary.json')).toMatchObject({
    components: [{ name: 'Reads', status: 'major_outage' }, { name: 'Made anew' }],
  })
})

it('sets aside what would make a page fail each time that it is asked for', async () => {
  const fixture = new ServiceFixture()
  page = await openStatusPage({ decisions: fixture.store })
  await fixture.do('CreateComponent', { id: good, name: 'Reads' })
  await write(fixture.store, unshown)
  await page.fold()
  const addresses = ['/', '/history', '/uptime', '/history.atom', '/history.rss', '/api/v2/summary.json']
  for (const address of addresses) await page.get(address)
  const home = await page.get('/')
  expect(/This page is not complete: (\d+)/.exec(home)?.[1]).toBe(String(unshown.length))
  expect(home.includes('javascript:')).toBe(false)
})

it('parks what it cannot fold, until it is skipped; a rebuild and a comparison go past it, too', async () => {
  const decisions = openSqliteDecisionStore({ folder: ':memory:' })
  const store = openSqliteReadStore({ folder: ':memory:' })
  const scratch = openSqliteReadStore({ folder: ':memory:' })
  stores = [decisions, store, scratch]
  const log = decisionLog(decisions)
  const logger = silentLogger
  await new ServiceFixture(decisions).do('CreateComponent', { id: good, name: 'Reads' })
  await write(decisions)
  await new ServiceFixture(decisions).do('SetComponentStatus', { id: good, status: 'major_outage' })

  const projection = statusProjection
  await runProjections({ log, store, projections: [projection], follow: false })
  const { events, total } = await listParked(store, projection.schema, 0, 100)
  expect(events.map(({ error }) => error)).toEqual([
    'Invalid time value',
    'name of components is undefined, which is no text',
    'Cannot convert undefined or null to object',
  ])
  const verified = await verifyRows({ log, store, scratch, projection, logger })
  expect(verified).toMatchObject({ difference: undefined, parked: total })
  await expect(retryParked({ log, store, projection, logger })).rejects.toThrow(
    'build it anew with "ledger-history projections rebuild status"',
  )
  expect(await skipParked({ store, schema: projection.schema })).toHaveLength(total)
  expect((await listParked(store, projection.schema, 0, 100)).total).toBe(0)

  const rebuilt = projectionOfInstance(projection, { build: 2 })
  expect(await rebuildProjection({ log, store, projection: rebuilt, logger })).toMatchObject({ finished: true })
  expect((await listParked(store, rebuilt.schema, 0, 100)).total).toBe(total)
})
