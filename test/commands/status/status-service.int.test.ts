import { expect, it } from 'vitest'
import type { StatusCommand } from '#commands/status/commands.ts'
import { carryOutDue } from '#commands/status/maintenance-clock.ts'
import { isRefused } from '#commands/status/refusals.ts'
import { StatusService } from '#commands/status/status-service.ts'
import { openSqliteDecisionStore } from '#src/adapters/sqlite/decision-store.ts'
import { isLedgerError, LedgerError } from '#src/domain/errors.ts'
import type { DecisionStore } from '#src/ports/decision-store.ts'
import { silentLogger } from '#src/ports/logger.ts'
import { ServiceFixture } from '#test/commands/status/service-fixture.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

const incident_id = 'inc0lag00001'
const maintenance_id = 'mnt0upgrade1'
const importer = 'cmp0recordim'
const operator = { actor: 'alice', role: 'operator' } as const

it('answers a repeated command id as the first time, also at another service, and appends nothing', async () => {
  const fixture = new ServiceFixture()
  await fixture.do('CreateComponent', { id: importer, name: 'Importer' })
  const command = { type: 'OpenIncident', name: 'Behind', components: { [importer]: 'major_outage' } } as const
  const request = { ...operator, command_id: 'c-1' }
  const first = await fixture.service.execute(command, request)
  await fixture.do('PostIncidentUpdate', { incident_id: first.id, body: 'More.' })
  const { position } = (await fixture.store.newest())!
  expect(await fixture.service.execute(command, request)).toEqual(first)
  expect(await fixture.newService().execute(command, request)).toEqual(first)
  expect(first.events.map(({ type }) => type)).toEqual(['IncidentOpened', 'ComponentStatusImposed'])
  expect(await fixture.all(position)).toEqual([])
})

it('refuses a command id that another command had, whoever sends it', async () => {
  const fixture = new ServiceFixture()
  await fixture.do('OpenIncident', { name: 'Behind' }, { command_id: 'c-1' })
  const again = fixture.do('OpenIncident', { name: 'Other' }, { command_id: 'c-1' })
  await expect(again).rejects.toMatchObject({ code: 'command_id_reused' })
  expect(await fixture.all()).toHaveLength(1)
})

it('200 commands at once on one incident, from four processes, end in a state that one order explains', async () => {
  const folder = await temporaryFolder()
  const stores: DecisionStore[] = []
  try {
    const services = Array.from({ length: 4 }, () => {
      const fixture = new ServiceFixture(openSqliteDecisionStore({ folder: folder.path }))
      stores.push(fixture.store)
      return fixture
    })
    await services[0]!.do('CreateComponent', { id: importer, name: 'Importer' })
    await services[0]!.do('OpenIncident', { incident_id, name: 'Behind' })
    const statuses = ['operational', 'degraded_performance', 'partial_outage', 'major_outage'] as const
    const results = await Promise.allSettled(
      Array.from({ length: 200 }, (_, index) => {
        const service = services[index % 4]!
        // One of them ends it: who comes later is refused.
        if (index === 150) return service.do('ResolveIncident', { incident_id })
        const components = { [importer]: statuses[index % 4]! }
        return service.do(
          'PostIncidentUpdate',
          { incident_id, body: `${index}`, components },
          { command_id: `c-${index}` },
        )
      }),
    )
    const refused = results.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
    expect(new Set(refused.map((error) => error.code))).toEqual(new Set(['incident_already_resolved']))
    const events = await services[0]!.all()
    const steps = events.filter(({ stream }) => stream === `incident-${incident_id}`)
    expect(steps.map(({ revision }) => revision)).toEqual(steps.map((_, index) => index))
    const kinds = steps.map(({ type }) => type)
    // Every command that was answered is there once, and nothing is said after the end.
    const bodies = events.flatMap(({ type, data }) =>
      type === 'IncidentUpdated' ? [(data as { update: { body: string } }).update.body] : [],
    )
    expect([new Set(bodies).size, bodies.length]).toEqual([bodies.length, 199 - refused.length])
    expect(kinds.filter((kind) => kind === 'IncidentResolved')).toHaveLength(1)
    expect(kinds.lastIndexOf('IncidentUpdated')).toBeLessThan(kinds.indexOf('IncidentResolved'))
    const view = await new ServiceFixture(services[1]!.store).service.settled()
    expect(view.components.get(importer)?.imposed.size).toBe(0)
    expect(await services[0]!.all(events.at(-1)!.position)).toEqual([])
  } finally {
    for (const store of stores) await store.close()
    await folder.remove()
  }
})

it('gives up after a bounded number of lost races, and says so', async () => {
  const fixture = new ServiceFixture()
  await fixture.do('OpenIncident', { incident_id, name: 'Behind' })
  fixture.store.append = async () => {
    throw new LedgerError('revision_conflict', 'somebody else was faster')
  }
  const attempt = fixture.newService(3).execute({ type: 'ResolveIncident', incident_id }, operator)
  await expect(attempt).rejects.toThrow('Others were faster 3 times with the command ResolveIncident')
})

it('appends nothing of what the page could not show', async () => {
  const { store, seen } = new ServiceFixture()
  const readers = () => ({ take: () => undefined, refusalOf: () => 'Invalid time value' })
  const service = new StatusService({ store, clock: { now: () => 0 }, readers, seen })
  await expect(service.execute({ type: 'OpenIncident', name: 'Behind' }, operator)).rejects.toMatchObject({
    code: 'not_showable',
    message: 'The page could not show it: Invalid time value',
  })
  expect(await store.newest()).toBeUndefined()
})

it('keeps the text of an update of which only the time is changed', async () => {
  const fixture = new ServiceFixture()
  const { events } = await fixture.do('OpenIncident', { incident_id, name: 'Behind', body: 'First.' })
  expect(events).toHaveLength(1)
  const [opened] = await fixture.all()
  const { update_id } = (opened!.data as { update: { update_id: string } }).update
  const edit = { incident_id, update_id }
  await fixture.do('EditIncidentUpdate', { ...edit, body: 'Second.' })
  await fixture.do('EditIncidentUpdate', { ...edit, display_at: '2026-02-03T14:00:00Z' })
  expect((await fixture.all()).at(-1)?.data).toMatchObject({ body: 'Second.', display_at: '2026-02-03T14:00:00.000Z' })
  const other = fixture.do('EditIncidentUpdate', { incident_id, update_id: 'upd00000000x' })
  await expect(other).rejects.toMatchObject({ code: 'update_not_found' })
})

/** Appends so many times, then is away, as a killed process's store is. */
function dyingAfter(store: DecisionStore, appends: number): DecisionStore {
  let left = appends
  return {
    append: async (...parts) => {
      if (left-- <= 0) throw new LedgerError('decisions_unavailable', 'killed')
      return store.append(...parts)
    },
    readStream: (...parts) => store.readStream(...parts),
    readAll: (options) => store.readAll(options),
    newest: () => store.newest(),
    identity: () => store.identity(),
    close: () => store.close(),
  }
}

it('finishes what a process left open that was killed after any of its appends, and doubles nothing', async () => {
  const whole = await outcome(Number.POSITIVE_INFINITY)
  expect(whole).toHaveLength(9)
  for (let appends = 0; appends <= 6; appends++) expect(await outcome(appends)).toEqual(whole)
})

/** Types of all events of one story whose first process dies after so many appends; the client repeats its commands. */
async function outcome(appends: number): Promise<string[]> {
  const fixture = new ServiceFixture()
  const other = 'cmp0restread'
  await fixture.do('CreateComponent', { id: importer, name: 'Importer' })
  await fixture.do('CreateComponent', { id: other, name: 'Reads' })
  const commands: StatusCommand[] = [
    {
      type: 'OpenIncident',
      incident_id,
      name: 'x',
      components: { [importer]: 'partial_outage', [other]: 'partial_outage' },
    },
    {
      type: 'PostIncidentUpdate',
      incident_id,
      body: 'x',
      components: { [importer]: 'major_outage', [other]: 'operational' },
    },
  ]
  const dying = new ServiceFixture(dyingAfter(fixture.store, appends))
  for (const [index, command] of commands.entries()) {
    const request = { ...operator, command_id: `c-${index}` }
    try {
      await dying.service.execute(command, request)
    } catch (error) {
      if (!isLedgerError(error, 'decisions_unavailable')) throw error
      await fixture.newService().execute(command, request)
    }
  }
  return (await fixture.all()).map(({ type, stream }) => `${type} ${stream}`)
}

it('starts a maintenance once at its planned time, however late and however many processes look', async () => {
  const fixture = new ServiceFixture()
  const clock = { now: () => fixture.time }
  await fixture.do('CreateComponent', { id: importer, name: 'Importer' })
  const plan = { scheduled_for: '2026-02-04T00:00:00.000Z', scheduled_until: '2026-02-04T02:00:00.000Z' }
  await fixture.do('ScheduleMaintenance', { maintenance_id, name: 'Upgrade', components: [importer], ...plan })
  await carryOutDue({ service: fixture.service, clock, logger: silentLogger })
  expect((await fixture.service.settled()).maintenances.get(maintenance_id)?.status).toBe('scheduled')

  fixture.at('2026-02-04T00:40:00.000Z')
  // The first process dies between the start and what it means for the component.
  const dying = new ServiceFixture(dyingAfter(fixture.store, 1)).at('2026-02-04T00:40:00.000Z')
  await carryOutDue({ service: dying.service, clock, logger: silentLogger }).catch(() => undefined)
  const services = [fixture.newService(), fixture.newService(), fixture.newService()]
  await Promise.all(services.map((service) => carryOutDue({ service, clock, logger: silentLogger })))
  const events = (await fixture.all()).slice(2)
  expect(events.map(({ type, data }) => [type, (data as { at: string }).at])).toEqual([
    ['MaintenanceStarted', plan.scheduled_for],
    ['ComponentStatusImposed', plan.scheduled_for],
  ])
  expect(events[0]?.metadata).toMatchObject({
    actor: 'clock',
    actor_role: 'clock',
    recorded_at: '2026-02-04T00:40:00.000Z',
  })

  fixture.at('2026-02-05T00:00:00.000Z')
  await Promise.all(services.map((service) => carryOutDue({ service, clock, logger: silentLogger })))
  expect((await fixture.all()).slice(4).map(({ type }) => type)).toEqual([
    'MaintenanceCompleted',
    'ComponentStatusReleased',
  ])
})

it('keeps the worst impact under an override, and shows it when the override is removed', async () => {
  const fixture = new ServiceFixture()
  await fixture.do('CreateComponent', { id: importer, name: 'Importer' })
  await fixture.do('OpenIncident', { incident_id, name: 'Behind', components: { [importer]: 'degraded_performance' } })
  await fixture.do('OverrideImpact', { incident_id, impact: 'none' })
  const { events } = await fixture.do('PostIncidentUpdate', { incident_id, components: { [importer]: 'major_outage' } })
  expect(events.map(({ type }) => type)).toEqual(['IncidentUpdated', 'ComponentStatusImposed'])
  const removed = await fixture.do('OverrideImpact', { incident_id, impact: null })
  expect(removed.events.map(({ type }) => type)).toEqual(['IncidentImpactOverridden', 'IncidentImpactRaised'])
})

it('refuses times for readers that lie ahead or before the opening, and takes earlier ones', async () => {
  const fixture = new ServiceFixture()
  await fixture.do('OpenIncident', { incident_id, name: 'Behind', display_at: '2026-02-03T13:00:00+01:00' })
  const post = (display_at: string) => fixture.do('PostIncidentUpdate', { incident_id, body: 'x', display_at })
  await expect(post('2026-02-03T14:05:10.251Z')).rejects.toMatchObject({ code: 'display_time_in_the_future' })
  await expect(post('2026-02-03T11:59:59.999Z')).rejects.toMatchObject({ code: 'display_time_before_opening' })
  await expect(post('yesterday')).rejects.toMatchObject({ code: 'time_malformed' })
  await post('2026-02-03T12:00:00Z')
})

it('records a past incident with its times, imposing nothing', async () => {
  const fixture = new ServiceFixture()
  await fixture.do('CreateComponent', { id: importer, name: 'Importer' })
  const updates = [
    {
      status: 'investigating',
      body: 'a',
      display_at: '2026-01-03T10:00:00Z',
      components: { [importer]: 'major_outage' },
    },
    { status: 'monitoring', body: 'b', display_at: '2026-01-03T11:00:00Z', components: { [importer]: 'operational' } },
    { status: 'resolved', body: 'c', display_at: '2026-01-03T12:00:00Z' },
  ]
  const { events } = await fixture.do('RecordPastIncident', { name: 'Outage', updates })
  expect(events.map(({ type }) => type)).toEqual(['IncidentOpened', 'IncidentUpdated', 'IncidentResolved'])
  const open = fixture.do('RecordPastIncident', { name: 'Outage', updates: updates.slice(0, 2) })
  await expect(open).rejects.toSatisfy((error) => isRefused(error, 'past_incident_incomplete'))
})

it('records a notice of something that is over in one step, unless it names components', async () => {
  const fixture = new ServiceFixture()
  await fixture.do('CreateComponent', { id: importer, name: 'Importer' })
  const update = { status: 'resolved', body: 'Two error texts changed.', display_at: '2026-01-20T12:00:00Z' }
  const { id, events } = await fixture.do('RecordPastIncident', { name: 'Notice', updates: [update] })
  expect(events.map(({ type }) => type)).toEqual(['IncidentOpened'])
  expect((await fixture.service.settled()).incidents.get(id)).toMatchObject({ status: 'resolved', impact: 'none' })
  await fixture.do('PublishPostmortem', { incident_id: id, body: 'Why they changed.' })
  const held = { ...update, components: { [importer]: 'major_outage' } }
  const naming = fixture.do('RecordPastIncident', { name: 'Outage', updates: [held] })
  await expect(naming).rejects.toSatisfy((error) => isRefused(error, 'past_incident_incomplete'))
})
