import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { newStatusTrial } from '#projections/status/trial.ts'
import type { RecordedDecision } from '#src/ports/decision-store.ts'
import type { TrialFold } from '#src/runtime/fold/trial-fold.ts'

const at = '2026-02-03T14:05:10.250Z'
const component_id = 'cmp000000001'

function recorded(type: string, data: object, position = 1): RecordedDecision {
  const metadata = {
    command_id: '1',
    command_digest: '',
    actor: 'alice',
    actor_role: 'operator',
    recorded_at: at,
    schema_version: 1,
  } as const
  return { id: randomUUID(), type, data, metadata, stream: `component-${component_id}`, revision: 0, position }
}

function created(start_date: string | null): RecordedDecision {
  const facts = { name: 'Reads', description: null, showcase: true, start_date, only_show_if_degraded: false }
  return recorded('ComponentCreated', { component_id, ...facts, group: false, group_id: null, position: null, at })
}

function configured(time_zone: string, name: unknown = 'Page'): RecordedDecision {
  const settings = { maintenance_indicator: 'maintenance', incident_floor: false, group_uptime: 'all_up' }
  return recorded('PageConfigured', { page_id: 'page00000001', name, url: '', time_zone, ...settings, at })
}

/** Of a page that has so much. */
function trialAfter(...decisions: readonly RecordedDecision[]): TrialFold {
  const trial = newStatusTrial()
  for (const decision of decisions) trial.take(decision)
  return trial
}

it('says why an event cannot be folded as things stand', () => {
  const trial = trialAfter()
  expect(trial.refusalOf([created('2026-01-01')])).toBeUndefined()
  expect(trial.refusalOf([created('2026-13-01')])).toBe('Invalid time value')
  expect(trial.refusalOf([configured('Nowhere/Land')])).toContain('Nowhere/Land')
  expect(trial.refusalOf([configured('Etc/UTC', 7)])).toBe('name of pages is 7, which is no text')
})

it('folds several one after the other, and keeps nothing of a trial', () => {
  const trial = trialAfter()
  const named = { component_id, description: null, showcase: true, start_date: null, only_show_if_degraded: false, at }
  const renamed = recorded('ComponentUpdated', { ...named, name: 7 })
  // Nothing is changed of a component that is not there.
  expect(trial.refusalOf([renamed])).toBeUndefined()
  expect(trial.refusalOf([created('2026-01-01'), renamed])).toBe('name of components is 7, which is no text')
  expect(trial.refusalOf([renamed])).toBeUndefined()
})

it('passes over what is written down and cannot be folded, and what is of no page', () => {
  const trial = trialAfter(created('2026-13-01'), recorded('OrderPlaced', { amount: 7 }), configured('Etc/UTC'))
  expect(trial.refusalOf([created('2026-01-01')])).toBeUndefined()
})
