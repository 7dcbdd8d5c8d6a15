import { describe, expect, it } from 'vitest'
import { draftsOf } from '#commands/status/health/drafts.ts'
import { parseCommand } from '#commands/status/parse-command.ts'
import type { IncidentState } from '#commands/status/state.ts'
import { HealthFixture, imports, lagRule, models, watched } from '#test/commands/status/health/health-fixture.ts'
import { hasReference, referenceDocument, withoutReference } from '#test/commands/status/service-fixture.ts'

const well = { import_lag: 1, model_lag: 1 }
const behind = { import_lag: 1, model_lag: 50 }
const stopped = { import_lag: 1, model_lag: 500 }

async function incidentsOf(fixture: HealthFixture): Promise<IncidentState[]> {
  return [...(await fixture.service.settled()).incidents.values()]
}

describe('the status page that follows live health', () => {
  it('opens one incident, tells of each change of level, and resolves it when all has been well for a while', async () => {
    const fixture = await new HealthFixture().withPage('open')
    expect(await fixture.pass(60, well)).toEqual([])
    expect(await fixture.pass(30, behind)).toEqual(['ComponentHealthChanged', 'IncidentOpened'])
    expect(await fixture.pass(30, stopped)).toEqual([
      'ComponentHealthChanged',
      'IncidentUpdated',
      'IncidentImpactRaised',
    ])
    expect(await fixture.pass(60, well)).toEqual(['ComponentHealthChanged', 'IncidentUpdated'])
    expect(await incidentsOf(fixture)).toMatchObject([{ status: 'monitoring', automatic: true, impact: 'critical' }])
    expect(await fixture.pass(120)).toEqual(['IncidentResolved'])
    expect(await fixture.pass(300)).toEqual([])
  })

  it('writes down why: the figure, since when, and where it stood', async () => {
    const fixture = await new HealthFixture().withPage('open')
    await fixture.pass(30, behind)
    const { components } = await fixture.service.settled()
    expect(components.get(models)?.health_change).toMatchObject({
      status: 'degraded_performance',
      evidence: {
        metric: 'model_lag',
        value: 50,
        reason: 'level',
        since: '2026-02-03T14:05:15.250Z',
        checked_at: '2026-02-03T14:05:25.250Z',
        position: 7,
        caused_by: null,
      },
    })
  })

  it('says the same to another process, and after a restart: nothing is written twice', async () => {
    const fixture = await new HealthFixture().withPage('open')
    await fixture.pass(30, behind)
    fixture.watch = fixture.newWatch()
    expect(await fixture.pass(60)).toEqual([])
    expect(await fixture.pass(60, well)).toEqual(['ComponentHealthChanged', 'IncidentUpdated'])
    const other = fixture.newWatch()
    await other.look()
    await Promise.all([fixture.watch.look(), other.look()])
    expect((await incidentsOf(fixture)).length).toBe(1)
  })

  it('finishes what a process wrote down half-way before it was killed', async () => {
    const fixture = await new HealthFixture().withPage('open')
    const at = new Date(fixture.time).toISOString()
    const evidence = {
      metric: 'model_lag',
      value: 50,
      reason: 'level',
      since: at,
      checked_at: at,
      position: null,
      caused_by: null,
    } as const
    await fixture.do(
      'RecordComponentHealth',
      { id: models, status: 'degraded_performance', evidence },
      { role: 'automation' },
    )
    fixture.watch = fixture.newWatch()
    expect(await fixture.pass(5, behind)).toEqual(['IncidentOpened'])
  })

  it('leaves an incident to the person who has posted to it', async () => {
    const fixture = await new HealthFixture().withPage('open')
    await fixture.pass(30, behind)
    const [{ incident_id }] = (await incidentsOf(fixture)) as [IncidentState]
    await fixture.do('PostIncidentUpdate', { incident_id, status: 'identified', body: 'It is the disk.' })
    expect(await fixture.pass(30, stopped)).toEqual(['ComponentHealthChanged'])
    expect(await fixture.pass(600, well)).toEqual(['ComponentHealthChanged'])
    expect(await incidentsOf(fixture)).toMatchObject([{ status: 'identified', taken_over: true }])
  })

  it('opens none where a person has opened one for the component', async () => {
    const fixture = await new HealthFixture().withPage('open')
    await fixture.do('OpenIncident', { name: 'We know', components: { [models]: 'degraded_performance' } })
    expect(await fixture.pass(60, stopped)).toEqual(['ComponentHealthChanged'])
  })

  it('names what explains it in one incident, instead of opening a second one', async () => {
    const fixture = await new HealthFixture().withPage('open')
    await fixture.pass(30, { import_lag: 50, model_lag: 1 })
    expect(await fixture.pass(30, { import_lag: 50, model_lag: 50 })).toEqual([
      'ComponentHealthChanged',
      'IncidentUpdated',
    ])
    const [incident] = await incidentsOf(fixture)
    expect([...incident!.components]).toEqual([
      [imports, 'degraded_performance'],
      [models, 'degraded_performance'],
    ])
    const { components } = await fixture.service.settled()
    expect(components.get(models)?.health_change?.evidence.caused_by).toBe(imports)
    // One of the two is well again: the other one keeps the incident.
    await fixture.pass(60, { import_lag: 50, model_lag: 1 })
    expect(await incidentsOf(fixture)).toMatchObject([{ status: 'investigating' }])
    await fixture.pass(60, well)
    expect(await incidentsOf(fixture)).toMatchObject([{ status: 'monitoring' }])
  })

  it('waits between two incidents of a component, and shows its level meanwhile', async () => {
    const fixture = await new HealthFixture().withPage('open')
    await fixture.pass(30, behind)
    await fixture.pass(180, well)
    expect(await incidentsOf(fixture)).toMatchObject([{ status: 'resolved' }])
    expect(await fixture.pass(60, behind)).toEqual(['ComponentHealthChanged'])
    expect(await fixture.pass(300)).toEqual(['IncidentOpened'])
  })

  it('opens none while a maintenance masks what is measured', async () => {
    const fixture = await new HealthFixture().withPage('open')
    const window = { scheduled_for: '2026-02-03T15:00:00Z', scheduled_until: '2026-02-03T16:00:00Z' }
    const { id: maintenance_id } = await fixture.do('ScheduleMaintenance', {
      name: 'Upgrade',
      components: [models],
      ...window,
    })
    await fixture.do('StartMaintenance', { maintenance_id })
    expect(await fixture.pass(60, behind)).toEqual(['ComponentHealthChanged'])
    await fixture.do('CompleteMaintenance', { maintenance_id })
    expect(await fixture.pass(5)).toEqual(['IncidentOpened'])
  })

  it('changes components only where the page is set to, and publishes a proposal after a long major outage', async () => {
    const silent = await new HealthFixture().withPage('components')
    expect(await silent.pass(900, stopped)).toEqual(['ComponentHealthChanged'])
    const proposing = await new HealthFixture().withPage('propose')
    expect(await proposing.pass(600, behind)).toEqual(['ComponentHealthChanged'])
    expect(await proposing.pass(600, stopped)).toEqual(['ComponentHealthChanged'])
    expect(await proposing.pass(30)).toEqual(['IncidentOpened'])
  })

  it('proposes to people what it would tell, until somebody sends it, under the id that keeps it from telling it itself', async () => {
    const fixture = await new HealthFixture().withPage('propose')
    await fixture.pass(60, behind)
    const drafts = async () => draftsOf(await fixture.service.settled())
    const [draft, ...others] = await drafts()
    expect(others).toEqual([])
    expect(draft).toMatchObject({
      component_id: models,
      command: {
        type: 'OpenIncident',
        name: 'Read models: degraded performance',
        components: { [models]: 'degraded_performance' },
      },
    })
    const { type, ...content } = parseCommand({ ...draft!.command, command_id: draft!.command_id }).command
    await fixture.do(type, content, { command_id: draft!.command_id })
    expect(await drafts()).toEqual([])
    expect(await fixture.pass(900, stopped)).toEqual(['ComponentHealthChanged'])
    expect(await drafts()).toMatchObject([
      { command: { type: 'PostIncidentUpdate', components: { [models]: 'major_outage' } } },
    ])
    await fixture.pass(60, { import_lag: 1, model_lag: 1 })
    const [last] = await drafts()
    expect(last?.command).toMatchObject({ status: 'monitoring', components: { [models]: 'operational' } })
  })

  it('is not silenced by what somebody sends under the id of a draft that does not tell readers of the component', async () => {
    const fixture = await new HealthFixture().withPage('propose')
    await fixture.pass(60, behind)
    const drafts = async () => draftsOf(await fixture.service.settled())
    const [draft] = await drafts()
    await fixture.do('ConfigurePage', { automation: 'open' }, { command_id: draft!.command_id })
    expect(await fixture.pass(5)).toEqual(['IncidentOpened'])
    const other = await new HealthFixture().withPage('propose')
    await other.pass(60, behind)
    const [again] = draftsOf(await other.service.settled())
    await other.do('OpenIncident', { name: 'Something else' }, { command_id: again!.command_id })
    expect(draftsOf(await other.service.settled())).toEqual([again])
  })

  it('tells nobody again of what a person has told and ended', async () => {
    const fixture = await new HealthFixture().withPage('propose')
    await fixture.pass(60, stopped)
    const [draft] = draftsOf(await fixture.service.settled())
    const { type, ...content } = parseCommand({ ...draft!.command, command_id: draft!.command_id }).command
    const { id } = await fixture.do(type, content, { command_id: draft!.command_id })
    await fixture.do('ResolveIncident', { incident_id: id })
    expect(draftsOf(await fixture.service.settled())).toEqual([])
    expect(await fixture.pass(1_800)).toEqual([])
  })

  it('proposes nothing where components only change, where incidents open by themselves, or during a maintenance', async () => {
    for (const automation of ['components', 'open'] as const) {
      const fixture = await new HealthFixture().withPage(automation)
      await fixture.pass(60, behind)
      expect(draftsOf(await fixture.service.settled())).toEqual([])
    }
    const fixture = await new HealthFixture().withPage('propose')
    const plan = { scheduled_for: '2026-02-03T14:05:20.000Z', scheduled_until: '2026-02-05T00:00:00.000Z' }
    await fixture.do('ScheduleMaintenance', {
      maintenance_id: 'mnt000000001',
      name: 'x',
      components: [models],
      ...plan,
    })
    await fixture.do('StartMaintenance', { maintenance_id: 'mnt000000001' })
    expect(await fixture.pass(60, behind)).toEqual(['ComponentHealthChanged'])
    expect(draftsOf(await fixture.service.settled())).toEqual([])
  })

  it('takes silence for an outage, and what people say of the component stays theirs', async () => {
    const fixture = await new HealthFixture().withPage('open')
    await fixture.do('SetComponentStatus', { id: models, status: 'partial_outage' })
    expect(await fixture.pass(65, { import_lag: 1 })).toEqual(['ComponentHealthChanged', 'IncidentOpened'])
    const { components } = await fixture.service.settled()
    expect(components.get(models)).toMatchObject({ health: 'major_outage', manual: 'partial_outage' })
    expect(components.get(models)?.health_change?.evidence).toMatchObject({ reason: 'silence', value: null })
  })

  it('leaves alone what is not on the page', async () => {
    const fixture = await new HealthFixture().withPage('open')
    await fixture.do('RemoveComponent', { id: models })
    expect(await fixture.pass(60, stopped)).toEqual([])
    expect(fixture.watch.live.map(({ component_id }) => component_id)).toEqual([imports])
  })

  it('writes nothing down in a process that does not lead, and knows what it measured', async () => {
    const fixture = await new HealthFixture().withPage('open')
    fixture.watch = fixture.newWatch(watched, false)
    expect(await fixture.pass(60, stopped)).toEqual([])
    expect(fixture.watch.live).toMatchObject([
      { component_id: imports, status: 'operational' },
      { component_id: models, status: 'major_outage', figures: [{ metric: 'model_lag', value: 500 }] },
    ])
  })

  it('shows the worst of several rules, and the evidence of that one', async () => {
    const fixture = await new HealthFixture().withPage('open')
    fixture.watch = fixture.newWatch([{ id: models, rules: [lagRule('model_lag'), lagRule('errors')], dependsOn: [] }])
    await fixture.pass(30, { model_lag: 50, errors: 500 })
    const { components } = await fixture.service.settled()
    expect(components.get(models)?.health_change).toMatchObject({
      status: 'major_outage',
      evidence: { metric: 'errors' },
    })
    await fixture.pass(60, { model_lag: 50, errors: 0 })
    const { components: later } = await fixture.service.settled()
    expect(later.get(models)?.health_change).toMatchObject({
      status: 'degraded_performance',
      evidence: { metric: 'model_lag' },
    })
  })
})

interface Timeline {
  readonly rule: {
    readonly component: string
    readonly metric: string
    readonly levels: readonly { status: 'degraded_performance'; over: number; for_seconds: number }[]
    readonly recover_below: number
    readonly recover_for_seconds: number
    readonly silence_after_seconds: number
    readonly silence_status: 'major_outage'
  }
  readonly samples: readonly { readonly at: string; readonly value: number }[]
  readonly expected: readonly {
    readonly at: string
    readonly status: string
    readonly events: readonly string[]
    readonly incident_status?: string
  }[]
}

it.skipIf(!hasReference)(`leads from the reference's samples to its events${withoutReference}`, async () => {
  const { rule, samples, expected } = referenceDocument<Timeline>('timeline-automatic.json')
  const fixture = new HealthFixture().at('2026-03-31T23:59:00.000Z')
  await fixture.do('ConfigurePage', { name: 'Ledger', automation: 'open' })
  await fixture.do('CreateComponent', { id: rule.component, name: 'Record files' })
  let sample: { at: number; value: number } | undefined
  const { metric, recover_below, recover_for_seconds, silence_after_seconds, silence_status } = rule
  const levels = rule.levels.map(({ status, over, for_seconds }) => ({ status, over, forSeconds: for_seconds }))
  const recovery = { recoverBelow: recover_below, recoverForSeconds: recover_for_seconds }
  const silence = { silenceAfterSeconds: silence_after_seconds, silenceStatus: silence_status }
  const components = [{ id: rule.component, rules: [{ metric, levels, ...recovery, ...silence }], dependsOn: [] }]
  const watch = fixture.newWatchOf(components, () => new Map(sample ? [[metric, sample]] : []))
  const found: object[] = []
  for (let at = Date.parse('2026-04-01T00:00:00.000Z'); at <= Date.parse('2026-04-01T00:11:00.000Z'); at += 10_000) {
    fixture.time = at
    const due = samples.find((each) => Date.parse(each.at) === at)
    sample = due && { at, value: due.value }
    const after = (await fixture.store.newest())!.position
    await watch.look()
    const events = (await fixture.all(after)).map(({ type }) => type)
    if (events.length === 0) continue
    const { components: known, incidents } = await fixture.service.settled()
    const [incident] = incidents.values()
    found.push({
      at: new Date(at).toISOString(),
      status: known.get(rule.component)?.health,
      events,
      incident: incident?.status,
    })
  }
  const wanted = expected.map(({ at, status, events, incident_status }) => ({
    at,
    status,
    events,
    incident: incident_status ?? 'investigating',
  }))
  expect(found).toEqual(wanted)
})
