import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { defaultComponentId } from '#commands/status/default-page.ts'
import { askUntil, run } from '#test/cli/support.ts'
import { type LiveDrill, until, withDrill } from '#test/drill/live.ts'
import { EventStoreServer } from '#test/support/event-store-server.ts'
import { argumentsOf } from '#test/support/place.ts'
import { freePorts } from '../../scripts/services/ports.ts'

const token = 'of-the-operator'
const tokens = `alice:operator:${createHash('sha256').update(token).digest('hex')}`
const seconds = ['hold', 'recover', 'stable', 'cool-down'].flatMap((each) => [`--status-${each}-seconds`, '1'])
const levels = 'projection_lag_seconds:5::,projection_stalled_seconds:::12'
const flags = ['--status-tokens', tokens, ...seconds, '--status-levels', levels, '--status-watch', 'projections']
const maintenance_id = 'mnt000000001'

interface Incidents {
  readonly incidents: readonly {
    readonly name: string
    readonly status: string
    readonly impact: string
    readonly incident_updates: readonly { readonly status: string }[]
  }[]
}

interface Summary extends Incidents {
  readonly components: readonly { readonly id: string; readonly status: string }[]
}

/** Status and error of a command's answer. */
async function send(port: number, command: object): Promise<[number, unknown]> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const address = `http://127.0.0.1:${port}/status/v1/commands`
  const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify(command) })
  return [answer.status, await answer.json()]
}

async function verb(drill: LiveDrill, ...words: string[]): Promise<void> {
  const { code, err } = await run([...words, ...argumentsOf(drill.place)])
  expect(code, err).toBe(0)
}

it('a page whose projector, event store and server are killed tells of it, loses nothing, and doubles nothing', async () => {
  const events = new EventStoreServer()
  await events.start()
  const settings = { decisions: 'eventstoredb', 'eventstoredb-uri': events.uri, 'eventstoredb-timeout-ms': '2000' }
  const [port = 0] = await freePorts(1)
  const summary = `http://127.0.0.1:${port}/api/v2/summary.json`
  const shows = (fits: (body: Summary) => boolean): Promise<Summary> => askUntil(summary, fits, 60_000)
  const isOf = (id: string, status: string) => (body: Summary) =>
    body.components.some((each) => each.id === id && each.status === status)
  const models = defaultComponentId('projections')
  try {
    await withDrill(
      (data) => ({ data, settings }),
      async (drill) => {
        drill.startImporter()
        await until('the import begins', async () => (await drill.head()) > 0)
        const projector = drill.startProjector()
        const server = drill.startServer(port, ...flags)
        await server.printed(/API of/)
        await verb(drill, 'status', 'setup')
        expect(await send(port, { type: 'ConfigurePage', automation: 'open', name: 'Drill' })).toMatchObject([200, {}])
        await drill.grows()
        await shows(isOf(models, 'operational'))

        const levelChanges = (): number =>
          events.appended.filter((each) => each === `ComponentHealthChanged component-${models}`).length
        const changesBefore = levelChanges()
        const from = Date.now()
        const passed = (): string => `${((Date.now() - from) / 1_000).toFixed(1)} s`
        await drill.kill(projector)
        await shows(isOf(models, 'degraded_performance'))
        const yellowAfter = passed()
        await shows(isOf(models, 'major_outage'))
        const redAfter = passed()
        const [incident, ...others] = (await shows(({ incidents }) => incidents.length > 0)).incidents
        expect(others).toEqual([])
        expect(incident).toMatchObject({ name: 'Read models: degraded performance' })

        events.stop()
        const notice = { type: 'OpenIncident', name: 'Notice', command_id: 'notice' }
        const [refused, reason] = await send(port, notice)
        expect([refused, JSON.stringify(reason)]).toEqual([503, expect.stringContaining('decisions_unavailable')])
        expect((await fetch(summary)).status).toBe(200)
        await events.start()
        await until('the event store is written to again', async () => (await send(port, notice))[0] === 200)
        await send(port, notice)
        await shows(({ incidents }) => incidents.length === 2)

        drill.startProjector()
        const back = Date.now()
        await shows(isOf(models, 'operational'))
        await shows(({ incidents }) => incidents.length === 1)
        const ownOf = ({ incidents }: Incidents) =>
          incidents.find(({ name }) => name === 'Read models: degraded performance')
        // Another thread of the server may see it a moment later.
        const isTold = (body: Incidents): boolean => ownOf(body)?.status === 'resolved'
        const own = ownOf(await askUntil<Incidents>(`http://127.0.0.1:${port}/api/v2/incidents.json`, isTold))
        expect(own).toMatchObject({ impact: 'critical' })
        // One update for each change of level, of which a slow return has more: red, yellow again, well.
        const told = own?.incident_updates.map(({ status }) => status) ?? []
        expect(told.slice(0, 2)).toEqual(['resolved', 'monitoring'])
        expect(told.slice(-2)).toEqual(['investigating', 'investigating'])
        expect(told).toHaveLength(levelChanges() - changesBefore + 1)
        const resolvedAfter = `${((Date.now() - back) / 1_000).toFixed(1)} s`
        console.log(`yellow after ${yellowAfter}, red after ${redAfter}; resolved ${resolvedAfter} after the return`)

        const at = (ms: number): string => new Date(Date.now() + ms).toISOString()
        const plan = { scheduled_for: at(1_500), scheduled_until: at(3_600_000), components: [models] }
        await send(port, { type: 'ScheduleMaintenance', maintenance_id, name: 'Upgrade', ...plan })
        await until('the maintenance is started', () =>
          events.appended.some((each) => each.startsWith('MaintenanceStarted')),
        )
        await drill.kill(server)
        drill.startServer(port, ...flags)
        const answers = async (): Promise<boolean> =>
          fetch(summary).then(
            ({ ok }) => ok,
            () => false,
          )
        await until('the server is back', answers)
        await shows(isOf(models, 'under_maintenance'))
        const { length } = events.appended
        expect((await send(port, { type: 'SetComponentStatus', id: models, status: 'operational' }))[0]).toBe(200)
        expect(events.appended).toHaveLength(length + 1)

        const counted = Object.groupBy(events.appended, (each) => each.split(' ')[0]!)
        const count = (type: string): number => counted[type]?.length ?? 0
        expect([count('IncidentOpened'), count('MaintenanceScheduled'), count('MaintenanceStarted')]).toEqual([2, 1, 1])
        expect(events.appended.filter((each) => each === `ComponentStatusImposed component-${models}`)).toHaveLength(1)
      },
    )
  } finally {
    events.stop()
  }
}, 600_000)
