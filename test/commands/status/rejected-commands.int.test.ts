import { describe, expect, it } from 'vitest'
import type { StatusCommand } from '#commands/status/commands.ts'
import {
  hasReference,
  referenceDocument,
  ServiceFixture,
  withoutReference,
} from '#test/commands/status/service-fixture.ts'

interface Case {
  readonly given: string
  readonly command: Readonly<Record<string, unknown>> & { readonly type: string }
  readonly error: string | null
  readonly events?: readonly string[]
}

const leaf = 'cmp0recordim'
const group = 'grp0historya'
const incident_id = 'inc0lag00001'
const maintenance_id = 'mnt0upgrade1'
const planned = { scheduled_for: '2026-03-04T22:00:00.000Z', scheduled_until: '2026-03-05T00:00:00.000Z' }

const open = async (fixture: ServiceFixture, components = {}) =>
  fixture.do('OpenIncident', { incident_id, name: 'Behind', body: 'x', components })
const plan = async (fixture: ServiceFixture) =>
  fixture.do('ScheduleMaintenance', { maintenance_id, name: 'Upgrade', ...planned, auto_start: false })

/** What each case takes for given, in the reference's words. */
const givens: Readonly<Record<string, (fixture: ServiceFixture) => Promise<unknown>>> = {
  nothing: async () => undefined,
  'nothing, clock after the window': async () => undefined,
  'a component named REST reads': (fixture) =>
    fixture.do('CreateComponent', { id: 'cmp0restread', name: 'REST reads' }),
  'a component': (fixture) => fixture.do('CreateComponent', { id: leaf, name: 'Importer' }),
  'a group': async (fixture) => {
    await fixture.do('CreateComponent', { id: group, name: 'History', group: true })
    await fixture.do('CreateComponent', { id: 'grp0ingestio', name: 'Ingestion', group: true })
  },
  'a group with children': async (fixture) => {
    await fixture.do('CreateComponent', { id: group, name: 'History', group: true })
    await fixture.do('CreateComponent', { id: leaf, name: 'Importer', group_id: group })
  },
  'an unresolved incident that names the component': async (fixture) => {
    await fixture.do('CreateComponent', { id: leaf, name: 'Importer' })
    await open(fixture, { [leaf]: 'operational' })
  },
  'an unknown component': async () => undefined,
  'an unresolved incident': open,
  'an incident': open,
  'a resolved incident': async (fixture) => {
    await open(fixture)
    await fixture.do('ResolveIncident', { incident_id })
  },
  'an incident at revision 4': async (fixture) => {
    await open(fixture)
    for (const body of ['1', '2', '3', '4']) await fixture.do('PostIncidentUpdate', { incident_id, body })
  },
  'a scheduled maintenance': plan,
  'a maintenance in progress': async (fixture) => {
    await plan(fixture)
    await fixture.do('StartMaintenance', { maintenance_id })
  },
  'a completed maintenance': async (fixture) => {
    await plan(fixture)
    await fixture.do('StartMaintenance', { maintenance_id })
    await fixture.do('CompleteMaintenance', { maintenance_id })
  },
  'the same command id as before': (fixture) =>
    fixture.do('OpenIncident', { name: 'x', status: 'investigating', body: 'x' }, { command_id: 'c-1' }),
}

/** The case names what it is about by the words before it. */
function addressed({ command }: Case): { command: StatusCommand; expected_revision?: number; command_id?: string } {
  const { expected_revision, command_id, ...content } = command
  const about = /Component/.test(command.type)
    ? { id: leaf }
    : /Maintenance/.test(command.type)
      ? { maintenance_id }
      : /Incident|Postmortem/.test(command.type) && command.type !== 'OpenIncident'
        ? { incident_id }
        : {}
  return {
    // As a request carries it, whose shape is judged before it gets here.
    command: { ...about, ...content } as unknown as StatusCommand,
    ...(expected_revision !== undefined && { expected_revision: Number(expected_revision) }),
    ...(command_id !== undefined && { command_id: String(command_id) }),
  }
}

describe.skipIf(!hasReference)(`refused commands of the reference${withoutReference}`, () => {
  const { cases } = hasReference ? referenceDocument<{ cases: Case[] }>('rejected-commands.json') : { cases: [] }
  it.each(cases.map((each, index) => ({ ...each, title: `${index} ${each.command.type} given ${each.given}` })))(
    '$title: $error',
    async (each) => {
      const fixture = new ServiceFixture()
      await givens[each.given]!(fixture)
      const before = (await fixture.store.newest())?.position ?? 0
      const { command, ...request } = addressed(each)
      const attempt = fixture.service.execute(command, { actor: 'alice', role: 'operator', ...request })
      if (each.error === null) await attempt
      else await expect(attempt).rejects.toMatchObject({ code: each.error })
      expect((await fixture.all(before)).map(({ type }) => type)).toEqual(each.events ?? [])
    },
  )
})
