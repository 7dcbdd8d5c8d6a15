import { describe, expect, it } from 'vitest'
import type { StatusCommand } from '#commands/status/commands.ts'
import { carryOutDue } from '#commands/status/maintenance-clock.ts'
import { isUnresolved, type StatusView } from '#commands/status/state.ts'
import { effectiveStatus } from '#src/domain/status/effective-status.ts'
import type { ComponentStatus } from '#src/domain/status/words.ts'
import { silentLogger } from '#src/ports/logger.ts'
import {
  hasReference,
  referenceDocument,
  ServiceFixture,
  withoutReference,
} from '#test/commands/status/service-fixture.ts'

interface Timeline {
  readonly given: readonly { readonly id: string; readonly name: string }[]
  readonly steps: readonly {
    readonly at: string
    readonly clock?: boolean
    readonly command?: { readonly type: string }
    readonly events: readonly string[]
    readonly then: {
      readonly components?: Readonly<Record<string, string>>
      readonly incident_status?: string
      readonly impact?: string
      readonly status?: string
      readonly in_unresolved?: boolean
      readonly in_upcoming?: boolean
      readonly in_active?: boolean
      readonly scheduled_for?: string
    }
  }[]
}

const incidentId = 'inc0lag00001'
const maintenanceId = 'mnt0upgrade1'

describe.skipIf(!hasReference)(`timelines of the reference${withoutReference}`, () => {
  for (const name of ['timeline-incident.json', 'timeline-maintenance.json'] as const) {
    it(`${name}: commands and the clock lead to the events and states that it tells`, async () => {
      const { given, steps } = referenceDocument<Timeline>(name)
      const fixture = new ServiceFixture().at('2026-01-01T00:00:00.000Z')
      for (const { id, name } of given) await fixture.do('CreateComponent', { id, name })
      for (const { at, clock, command, events, then } of steps) {
        fixture.at(at)
        const before = (await fixture.store.newest())!.position
        if (clock)
          await carryOutDue({ service: fixture.service, clock: { now: () => fixture.time }, logger: silentLogger })
        else await fixture.service.execute(command as unknown as StatusCommand, { actor: 'alice', role: 'operator' })
        expect((await fixture.all(before)).map(({ type }) => type)).toEqual(events)
        expectState(await fixture.service.settled(), then)
      }
    })
  }
})

function expectState(view: StatusView, then: Timeline['steps'][number]['then']): void {
  for (const [id, status] of Object.entries(then.components ?? {}))
    expect([id, statusOf(view, id)]).toEqual([id, status])
  const incident = view.incidents.get(incidentId)
  const maintenance = view.maintenances.get(maintenanceId)
  const found = {
    incident_status: incident?.status,
    impact: incident?.impact,
    in_unresolved: incident && isUnresolved(incident),
    status: maintenance?.status,
    scheduled_for: maintenance?.scheduled_for,
    in_upcoming: maintenance?.status === 'scheduled',
    in_active: maintenance?.status === 'in_progress' || maintenance?.status === 'verifying',
  }
  const wanted = Object.fromEntries(Object.entries(then).filter(([key]) => key in found))
  expect(found).toMatchObject(wanted)
}

function statusOf({ components }: StatusView, id: string): ComponentStatus {
  const { manual, health, imposed } = components.get(id)!
  const all = [...imposed.values()]
  return effectiveStatus({
    manual,
    health,
    incidents: all.filter(({ source }) => source === 'incident').map(({ status }) => status),
    maintenances: all
      .filter(({ source }) => source === 'maintenance')
      .map((each) => ({ masksHealth: each.mask_health })),
  })
}
